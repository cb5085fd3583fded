import { describe, expect, it } from 'vitest'
import { certaintyOf, parserOf, pushed, recordsOf } from '../../../test/parse.ts'
import type { StreamEvent } from '../../events.ts'
import { eventSegments } from '../event-segments.ts'

const push = (...values: readonly object[]): StreamEvent[] => pushed(parserOf(eventSegments), recordsOf(values))

const run = { type: 'run_start', metadata: { model: 'mill' }, millrace: { type: 'run-start', runId: 'r' } }
const segment = (fields: object, own: object) => ({
  type: 'segment',
  data: { segment: fields, segmentIndex: 0, event: { id: 'r/m' } },
  millrace: own,
})
const begun = segment({ type: 'text', id: 't', text: '' }, { type: 'block-start', variant: 'refusal' })

describe('streams that Millrace has written', () => {
  it('are recognised by their first record', () => {
    expect(certaintyOf(eventSegments, run)).toBe(1)
    expect(certaintyOf(eventSegments, { type: 'millrace', millrace: 3 })).toBe(0)
  })

  it('restore the event of a record from the fields of the protocol and those under millrace', () => {
    expect(push(run, begun, { type: 'token', content: 'No.', metadata: { timestamp: 7 } })).toEqual([
      { type: 'run-start', runId: 'r', model: 'mill' },
      { type: 'block-start', blockId: 't', kind: 'text', variant: 'refusal' },
      { type: 'block-delta', blockId: 't', text: 'No.', sentAt: 7 },
    ])
  })

  it('add only what is new of a text that comes whole', () => {
    const whole = (text: string) => segment({ type: 'text', id: 't', text }, { type: 'block-delta' })
    const deltas = push(
      run,
      begun,
      { type: 'token', content: 'One ' },
      whole('One two '),
      whole('One two three'),
    ).slice(2)
    expect(deltas.map((event) => ('text' in event ? event.text : ''))).toEqual(['One ', 'two ', 'three'])
  })

  it('S3-46: emit once what both forms hold', () => {
    const call = segment({ type: 'tool_call', id: 'c', name: 'tide', args: {} }, { type: 'tool-start', runBy: 'agent' })
    const plain = {
      type: 'tool_start',
      tool_id: 'c',
      tool_name: 'tide',
      millrace: { type: 'tool-start', runBy: 'agent' },
    }
    const once = push(run, call)
    expect(once.at(-1)).toEqual({ type: 'tool-start', callId: 'c', name: 'tide', runBy: 'agent' })
    expect(push(run, plain)).toEqual(once)
    expect(push(run, call, plain)).toEqual(once)
  })

  it('S3-44: emit nothing twice when they are replayed, and continue where they were', () => {
    const records = [run, begun, { type: 'token', content: 'no ' }]
    const more = { type: 'token', content: 'no ' }
    expect(push(...records, ...records, more)).toEqual(push(...records, more))
  })

  it('may follow one another: another run is not a replay', () => {
    const other = { ...run, millrace: { type: 'run-start', runId: 'next' } }
    expect(push(run, other).map(({ type }) => type)).toEqual(['run-start', 'run-start'])
  })

  it('keep the error of a failed run until its end completes it', () => {
    const error = { message: 'Dry.', code: 'dry' }
    const events = push(
      run,
      { type: 'error', data: { error }, millrace: { error: { ...error, name: 'DryError' } } },
      { type: 'complete', millrace: { type: 'run-end', outcome: 'error', reason: 'stopped' } },
    )
    expect(events.at(-1)).toEqual({
      type: 'run-end',
      outcome: 'error',
      reason: 'stopped',
      error: { ...error, name: 'DryError' },
    })
  })

  it('have no error if only the wire adds an empty one', () => {
    const result = { type: 'tool_result', id: 'c', output: null, error: 'denied' }
    const event = push(run, segment(result, { type: 'tool-output', status: 'denied', error: '' })).at(-1)
    expect(event).toEqual({ type: 'tool-output', callId: 'c', status: 'denied', output: null })
  })

  it('keep a record without a mark that is not a delta', () => {
    const odd = { type: 'segment', data: { segment: { type: 'text', text: 'Who says this?' } } }
    expect(push(run, odd).at(-1)).toEqual({ type: 'raw', value: odd, reason: 'unmapped' })
  })
})

describe('Events as they are stored', () => {
  const event = (...segments: readonly object[]) => ({ id: 'e', role: 'assistant', segments })

  it("hold segments of Millrace's own types, and the agent and variant of a segment", () => {
    const events = push(
      event(
        { type: 'subagent', agentId: 'p', name: 'pilot', status: 'done', summary: 'At six.' },
        { type: 'text', id: 't', text: 'At six.', millrace: { agentId: 'p', variant: 'commentary' } },
        { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.com/', millrace: { agentId: 'p' } },
        { type: 'tool_call', id: 'c', name: 'pick', args: { a: 1 }, millrace: { runBy: 'client' } },
        { type: 'tool_result', id: 'c', output: null, error: 'denied', millrace: { status: 'denied' } },
      ),
    )
    expect(events).toMatchObject([
      { type: 'message-start' },
      { type: 'subagent-start', agentId: 'p', name: 'pilot' },
      { type: 'subagent-end', agentId: 'p', status: 'done', summary: 'At six.' },
      { type: 'block-start', agentId: 'p', variant: 'commentary' },
      { type: 'block-delta', agentId: 'p', text: 'At six.' },
      { type: 'source', agentId: 'p', url: 'https://example.com/' },
      { type: 'block-end' },
      { type: 'tool-start', runBy: 'client' },
      { type: 'tool-input', input: { a: 1 } },
      { type: 'tool-output', status: 'denied' },
      { type: 'message-end' },
    ])
  })

  it('keep a segment of an unknown type, and read the others', () => {
    const events = push(event({ type: 'hologram', id: 'h' }, { type: 'text', text: 'Hi' }))
    expect(events.map(({ type }) => type)).toEqual([
      'message-start',
      'raw',
      'block-start',
      'block-delta',
      'block-end',
      'message-end',
    ])
  })

  it('take the result of a built-in tool from its own segment', () => {
    const search = { type: 'web_search_call', id: 'w', status: 'completed', args: { query: 'tide' } }
    const events = push(event(search, { type: 'tool_result', id: 'w', output: ['page'] }))
    expect(events.slice(1, -1)).toMatchObject([
      { type: 'tool-start', name: 'web_search' },
      { type: 'tool-input', input: { query: 'tide' } },
      { type: 'tool-output', status: 'ok', output: ['page'] },
    ])
  })
})
