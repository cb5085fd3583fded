import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../shapes.ts'
import { createDrafts } from './drafts.ts'

describe('drafts', () => {
  function open() {
    const stored = new Map<string, ChatEvent>()
    const changed: string[] = []
    const drafts = createDrafts({
      store: { get: (id) => stored.get(id), put: (event) => stored.set(event.id, event) },
      onChange: (id) => changed.push(id),
    })
    return { stored, drafts, changed }
  }

  it('S3-32: the user’s Event and the assistant’s placeholder are stored before the first byte', () => {
    const { stored, drafts } = open()
    drafts.send({ userEventId: 'u1', placeholderEventId: 'a1', text: 'Hi' })
    expect([...stored.values()]).toMatchObject([
      { id: 'u1', role: 'user', state: 'done', segments: [{ type: 'text', text: 'Hi', state: 'done' }] },
      { id: 'a1', role: 'assistant', state: 'live', segments: [] },
    ])
  })

  it('S3-24, S3-31: a partial Event is in the map, from which it is drawn, and not in the store', () => {
    const { stored, drafts } = open()
    const builder = drafts.send({ userEventId: 'u1', placeholderEventId: 'a1', text: 'Hi' })
    builder.appendTextDelta('par')
    builder.appendTextDelta('tial')
    expect(stored.get('a1')?.segments).toEqual([])
    expect(drafts.draftsByEventId.get('a1')).toMatchObject({ segments: [{ text: 'partial' }] })
    expect(drafts.eventOf('a1')).toBe(drafts.draftsByEventId.get('a1'))
  })

  it('S3-24, S3-39: a finished Event moves to the store while the next one is a draft', () => {
    const { stored, drafts, changed } = open()
    const builder = drafts.send({ userEventId: 'u1', placeholderEventId: 'a1', text: 'Hi' })
    builder.appendTextDelta('one')
    builder.startAssistantEvent('a2')
    builder.appendTextDelta('two')
    expect([...stored.keys()]).toEqual(['u1', 'a1'])
    expect([...drafts.draftsByEventId.keys()]).toEqual(['a2'])
    expect(drafts.eventOf('a1')).toBe(stored.get('a1'))
    builder.finalizeCurrentEvent()
    expect(drafts.draftsByEventId.size).toBe(0)
    expect(stored.get('a2')).toMatchObject({ state: 'done', segments: [{ text: 'two', state: 'done' }] })
    expect(changed).toEqual(['u1', 'a1', 'a1', 'a1', 'a2', 'a2', 'a2'])
  })
})
