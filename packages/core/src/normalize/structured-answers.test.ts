import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import { MAX_ANSWER } from '../data/structured-answer.ts'
import type { StreamEvent } from '../events.ts'
import { structuredAnswers } from './structured-answers.ts'

const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
const end: StreamEvent = { type: 'block-end', blockId: 'b' }
const delta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })
const message = (role: 'assistant' | 'user'): StreamEvent => ({ type: 'message-start', messageId: 'm', role })
const text = '{"title":"Tide","content":"At six."}'
const answer = { title: 'Tide', content: 'At six.' }

const added = (...events: readonly StreamEvent[]) =>
  runPass(structuredAnswers, events).filter((event) => !events.includes(event))

describe('structured answers', () => {
  it('S2-19: are added before the end of the text that they are, which stays', () => {
    const events = [start, ...[...text].map(delta), end]
    const patch = { type: 'block-patch', blockId: 'b', answer }
    expect(runPass(structuredAnswers, events)).toEqual([...events.slice(0, -1), patch, end])
  })

  it('are found in a text whose start is not marked, and in one that is assigned', () => {
    expect(added(delta(text), end)).toMatchObject([{ answer }])
    expect(added(start, delta('Well'), { type: 'block-patch', blockId: 'b', text }, end)).toMatchObject([{ answer }])
  })

  it('are not found in a text that was replaced', () => {
    expect(added(start, delta(text), { type: 'block-patch', blockId: 'b', text: 'At six.' }, end)).toEqual([])
  })

  it('are only those of an assistant, in plain text', () => {
    expect(added(message('user'), start, delta(text), end)).toEqual([])
    expect(added({ ...start, kind: 'reasoning' }, delta(text), end)).toEqual([])
    expect(added({ ...start, variant: 'commentary' }, delta(text), end)).toEqual([])
    expect(added(message('assistant'), start, delta(text), end)).toHaveLength(1)
  })

  it('are not added to a text for which the stream has one', () => {
    const own: StreamEvent = { type: 'block-patch', blockId: 'b', answer: { content: 'x' } }
    expect(added(start, delta(text), own, end)).toEqual([])
  })

  it('have the scope of the end', () => {
    expect(added(start, delta(text), { ...end, agentId: 'a', sentAt: 5 })).toMatchObject([{ agentId: 'a', sentAt: 5 }])
  })

  it('are not collected beyond their length, and a later text of the same block counts anew', () => {
    const long = '{"content":"'.concat('x'.repeat(MAX_ANSWER))
    expect(added(start, delta(long), delta('"}'), end, start, delta(text), end)).toHaveLength(1)
  })

  it('are found after any number of blocks that never ended', () => {
    const open = Array.from(
      { length: 3000 },
      (_, index): StreamEvent => ({ type: 'block-delta', blockId: `o${index}`, text: '{"a' }),
    )
    expect(added(...open, start, delta(text), end)).toHaveLength(1)
  })

  it('cost no more with longer texts than with shorter ones', () => {
    const deltas = Array.from({ length: 20_000 }, () => delta('{"content":1'))
    const before = performance.now()
    runPass(structuredAnswers, [start, ...deltas, end])
    expect(performance.now() - before).toBeLessThan(1000)
  })
})
