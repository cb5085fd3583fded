import { describe, expect, it } from 'vitest'
import { EventBuilder } from './event-builder.ts'
import type { ChatEvent, Segment, ToolSegment } from './shapes.ts'

function build(now: () => number = () => 0) {
  const drafts: ChatEvent[] = []
  const finished: ChatEvent[] = []
  const builder = new EventBuilder({
    placeholderEventId: 'placeholder',
    onUpdate: (draft) => drafts.push(draft),
    onFinalize: (event) => finished.push(event),
    now,
  })
  return { builder, drafts, finished, draft: () => drafts.at(-1) as ChatEvent }
}

/** A segment in one line: its kind, then its text. */
function shown(segment: Segment): string {
  if (segment.type === 'tool') return `tool ${segment.callId} ${segment.state}`
  if (segment.type === 'text' || segment.type === 'reasoning') return `${segment.type} ${segment.text} ${segment.state}`
  return segment.type
}

function toolOf(event: ChatEvent, callId: string): ToolSegment {
  const found = event.segments.filter((segment) => segment.type === 'tool' && segment.callId === callId)
  expect(found).toHaveLength(1)
  return found[0] as ToolSegment
}

describe('EventBuilder: Events', () => {
  it('S3-11, S3-15, S3-16: starts an Event with its metadata and shows it at once, live and empty', () => {
    const { builder, drafts } = build(() => 7)
    builder.startAssistantEvent(undefined, { model: 'm-1', openai_response_id: 'r-1' })
    expect(drafts).toMatchObject([
      { id: 'placeholder', role: 'assistant', state: 'live', segments: [], model: 'm-1', startedAt: 7 },
    ])
    expect(drafts[0]?.meta).toEqual({ response: { model: 'm-1', openai_response_id: 'r-1' } })
  })

  it('S3-33: the first Event keeps the id of its placeholder and stores the id from the stream', () => {
    const { builder, draft } = build()
    builder.startAssistantEvent('server-1')
    expect(draft()).toMatchObject({ id: 'placeholder', meta: { millrace: { givenId: 'server-1' } } })
  })

  it('starts the current Event only once, by either of its ids', () => {
    const { builder, drafts, finished } = build()
    builder.startAssistantEvent('server-1')
    builder.startAssistantEvent('server-1')
    builder.startAssistantEvent('placeholder')
    expect([drafts.length, finished.length]).toEqual([1, 0])
  })

  it('S3-39, S3-14: a new Event finishes the previous one, once, and overwrites nothing', () => {
    const { builder, drafts, finished } = build()
    builder.startAssistantEvent()
    builder.appendTextDelta('one')
    builder.startAssistantEvent('second')
    builder.appendTextDelta('two')
    builder.startAssistantEvent()
    builder.appendTextDelta('three')
    builder.startAssistantEvent('second')
    builder.appendTextDelta('four')
    builder.finalizeCurrentEvent()
    builder.finalizeCurrentEvent()
    expect(finished.map(({ id, state, segments }) => [id, state, ...segments.map(shown)])).toEqual([
      ['placeholder', 'done', 'text one done'],
      ['second', 'done', 'text two done'],
      ['placeholder~2', 'done', 'text three done'],
      ['second~2', 'done', 'text four done'],
    ])
    expect(new Set(drafts.map(({ id }) => id)).size).toBe(4)
  })

  it('S3-13, S3-41: the finished Event is the last draft, except that it is finished', () => {
    const { builder, draft, finished } = build()
    builder.upsertReasoningPart({ summary_index: 0, text: 'hm', is_complete: true, sequence_number: 1 })
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.completeTool({ id: 't1', output: { hits: 2 } })
    builder.appendTextDelta('Two hits.')
    builder.finalizeCurrentEvent()
    const settled = (event: ChatEvent) => ({
      ...event,
      state: 'done',
      seqs: undefined,
      endedAt: undefined,
      segments: event.segments.map((segment) =>
        segment.type === 'text' ? { ...segment, state: 'done', seqs: undefined, endedAt: undefined } : segment,
      ),
    })
    expect(finished.map(settled)).toEqual([settled(draft())])
  })

  it('S3-40: a stream that is cut off leaves an interrupted Event with nothing open', () => {
    const { builder, finished } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.appendTextDelta('half a sent')
    builder.interruptCurrentEvent()
    builder.interruptCurrentEvent()
    expect(finished).toHaveLength(1)
    expect(finished[0]?.state).toBe('interrupted')
    expect(finished[0]?.segments.map(shown)).toEqual(['tool t1 cancelled', 'text half a sent interrupted'])
  })

  it('S3-40: a stream that ends before its first byte leaves the placeholder interrupted', () => {
    const { builder, finished } = build()
    builder.interruptCurrentEvent()
    expect(finished).toMatchObject([{ id: 'placeholder', state: 'interrupted', segments: [] }])
  })

  it('S3-40: a call of an earlier Event does not stay open either', () => {
    const { builder, finished } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.startAssistantEvent('second')
    builder.interruptCurrentEvent()
    expect(finished.map(({ id, state, segments }) => [id, state, ...segments.map(shown)])).toEqual([
      ['placeholder', 'done', 'tool t1 input'],
      ['placeholder', 'done', 'tool t1 cancelled'],
      ['second', 'interrupted'],
    ])
  })
})

describe('EventBuilder: text and order', () => {
  it('S3-17, S3-34: text grows delta by delta, each of them shown', () => {
    const { builder, drafts } = build()
    for (const delta of ['Hel', '', 'lo']) builder.appendTextDelta(delta)
    expect(drafts.map(({ segments }) => segments.map(shown))).toEqual([['text Hel live'], ['text Hello live']])
  })

  it('S3-12, build-order: segments are in the order of arrival, text after a tool in a new segment', () => {
    const { builder, draft } = build()
    builder.appendTextDelta('before ')
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.completeTool({ id: 't1', output: 'found' })
    builder.appendTextDelta('after')
    builder.setBuiltInToolStatus({ id: 'w1', type: 'web_search_call', status: 'in_progress' })
    builder.upsertReasoningPart({ summary_index: 0, text: 'hm', is_complete: false, sequence_number: 1 })
    expect(draft().segments.map(shown)).toEqual([
      'text before  done',
      'tool t1 done',
      'text after done',
      'tool w1 input',
      'reasoning hm live',
    ])
  })

  it('build-flush: text that arrives before a tool is before it', () => {
    const { builder, draft } = build()
    builder.appendTextDelta('A')
    builder.startToolCall({ id: 't1', name: 'search' })
    expect(draft().segments.map(shown)).toEqual(['text A done', 'tool t1 input'])
  })

  it('S3-23: finishing an Event keeps its last delta', () => {
    const { builder, finished } = build()
    builder.appendTextDelta('the e')
    builder.appendTextDelta('nd')
    builder.finalizeCurrentEvent()
    expect(finished[0]?.segments.map(shown)).toEqual(['text the end done'])
  })

  it('S3-14: every visible change causes an update, and no draft changes afterwards', () => {
    const { builder, drafts } = build()
    const before: string[] = []
    const calls = [
      () => builder.startAssistantEvent(),
      () => builder.appendTextDelta('a'),
      () => builder.startToolCall({ id: 't1', name: 'search' }),
      () => builder.finalizeToolArgs({ id: 't1', args: { q: 'x' } }),
      () => builder.completeTool({ id: 't1', output: 1 }),
      () => builder.upsertReasoningPart({ summary_index: 0, text: 'r', is_complete: false, sequence_number: 1 }),
      () => builder.setBuiltInToolStatus({ id: 'w1', type: 'web_search_call', status: 'searching' }),
    ]
    for (const [index, call] of calls.entries()) {
      call()
      expect(drafts).toHaveLength(index + 1)
      before.push(JSON.stringify(drafts.at(-1)))
    }
    expect(new Set(before).size).toBe(calls.length)
    expect(drafts.map((draft) => JSON.stringify(draft))).toEqual(before)
  })
})

describe('EventBuilder: tools', () => {
  it('S3-18: a started call is loading', () => {
    const { builder, draft } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    expect(toolOf(draft(), 't1')).toMatchObject({ name: 'search', state: 'input', runBy: 'agent' })
  })

  it('S3-19, S3-35: arguments and start give one named call, whichever comes first', () => {
    const orders = [
      ['start', 'args'],
      ['args', 'start'],
    ] as const
    for (const order of orders) {
      const { builder, draft } = build()
      const steps = {
        start: () => builder.startToolCall({ id: 't1', name: 'search' }),
        args: () => builder.finalizeToolArgs({ id: 't1', args: { q: 'mill' } }),
      }
      for (const step of order) steps[step]()
      expect(toolOf(draft(), 't1')).toMatchObject({ name: 'search', state: 'ready', input: { q: 'mill' } })
    }
  })

  it('S3-20, S3-38: a result is attached to its call, as output or as error', () => {
    const { builder, draft } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.completeTool({ id: 't1', output: { hits: 2 } })
    builder.completeTool({ id: 'lost', error: 'no such host' })
    expect(toolOf(draft(), 't1')).toMatchObject({ state: 'done', output: { hits: 2 } })
    expect(toolOf(draft(), 'lost')).toMatchObject({ state: 'failed', error: 'no such host' })
  })

  it('S3-20, build-idem: a second result, start or input of the same call changes nothing', () => {
    const { builder, drafts, draft } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.finalizeToolArgs({ id: 't1', args: {} })
    builder.finalizeToolArgs({ id: 't1', args: {} })
    builder.completeTool({ id: 't1', output: 1 })
    builder.completeTool({ id: 't1', output: 2 })
    builder.startToolCall({ id: 't1', name: 'other' })
    builder.finalizeToolArgs({ id: 't1', args: { late: true } })
    expect(drafts).toHaveLength(3)
    expect(toolOf(draft(), 't1')).toMatchObject({ name: 'search', state: 'done', output: 1, input: {} })
  })

  it('S3-38: a result after the end of its Event is attached to it, and the Event is stored again', () => {
    const { builder, finished } = build()
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.startAssistantEvent('second')
    builder.completeTool({ id: 't1', output: 'late' })
    expect(finished.map(({ id, segments }) => [id, ...segments.map(shown)])).toEqual([
      ['placeholder', 'tool t1 input'],
      ['placeholder', 'tool t1 done'],
    ])
  })
})
