import { describe, expect, it } from 'vitest'
import { chunksOfEach, withoutMillrace } from '../../test/wire/event-segments.ts'
import type { StreamEvent } from '../events.ts'
import { eventSegments } from './event-segments.ts'
import type { Chunk } from './wire.ts'

const begin: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant', sentAt: 5 }
const end: StreamEvent = { type: 'message-end', messageId: 'm' }
const text = (id: string, ...deltas: readonly string[]): StreamEvent[] => [
  { type: 'block-start', blockId: id, kind: 'text' },
  ...deltas.map((delta): StreamEvent => ({ type: 'block-delta', blockId: id, text: delta })),
  { type: 'block-end', blockId: id },
]
const all = (...events: readonly StreamEvent[]) => withoutMillrace(chunksOfEach(events).flat())
const allIn = (profile: string | undefined, ...events: readonly StreamEvent[]) =>
  withoutMillrace(chunksOfEach(events, profile).flat())
const segment = (index: number, fields: object) => ({
  type: 'segment',
  data: { segment: fields, segmentIndex: index, event: { id: 'run/m' } },
})

describe('an Event', () => {
  it('S3-44: has the id of its run and message, empty at its start and whole at its end', () => {
    const event = { id: 'run/m', role: 'assistant', ts: 5 }
    const segments = [{ type: 'text', id: 't', text: 'Good morning' }]
    expect(all(begin, ...text('t', 'Good ', 'morning'), end)).toEqual([
      { type: 'event_start', data: { event: { ...event, segments: [] } }, metadata: { timestamp: 5 } },
      segment(0, { type: 'text', id: 't', text: '' }),
      { type: 'token', content: 'Good ' },
      { type: 'token', content: 'morning' },
      {
        type: 'event_complete',
        data: { event: { ...event, segments, response_metadata: { completion_status: 'complete' } } },
      },
    ])
  })

  it('has its usage, its model and whether it was interrupted at its end', () => {
    const chunks = all(
      begin,
      { type: 'metadata', metadata: { model: 'mill-2' } },
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 7, outputTokens: 3, reasoningTokens: 1 },
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 1, agentId: 'other' },
      { type: 'message-end', messageId: 'm', interrupted: true },
    )
    const usage = { prompt_tokens: 7, completion_tokens: 3, reasoning_tokens: 1, total_tokens: 10 }
    expect(chunks.at(-1)).toMatchObject({
      data: { event: { response_metadata: { model: 'mill-2', completion_status: 'interrupted', usage } } },
    })
  })

  it('of a user consists of segments only, because deltas belong to the assistant', () => {
    const user: StreamEvent[] = [
      { type: 'message-start', messageId: 'm', role: 'user' },
      ...text('t', 'Is it ', 'time?'),
      end,
    ]
    const chunks = withoutMillrace(chunksOfEach(user, 'tools').flat())
    expect(chunks.map(({ type }) => type)).toEqual(['event_start', 'segment', 'segment', 'segment', 'event_complete'])
    expect(chunks[3]).toEqual(segment(0, { type: 'text', id: 't', text: 'Is it time?' }))
  })

  it('contains at its end the text of a subagent so far, and gets the rest as a segment', () => {
    const scope = { agentId: 'p' }
    const chunks = all(
      begin,
      { type: 'subagent-start', ...scope, name: 'pilot' },
      { type: 'block-start', blockId: 't', kind: 'text', ...scope },
      { type: 'block-delta', blockId: 't', text: 'Slack ', ...scope },
      end,
      { type: 'block-delta', blockId: 't', text: 'water', ...scope },
      { type: 'block-end', blockId: 't', ...scope },
    )
    const segmentFields = { type: 'text', id: 't', millrace: scope }
    expect(chunks.at(-2)).toMatchObject({
      data: { event: { segments: [{ type: 'subagent' }, { ...segmentFields, text: 'Slack ' }] } },
    })
    expect(chunks.at(-1)).toEqual(segment(1, { ...segmentFields, text: 'Slack water' }))
  })

  it('gets a segment after its end if a result comes late', () => {
    const chunks = all(
      begin,
      { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: {} },
      end,
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'high' },
    )
    expect(chunks.at(-2)).toEqual(segment(1, { type: 'tool_result', id: 'c', output: 'high', completed_at: 5 }))
  })

  const callOf = (callId: string): StreamEvent[] => [
    { type: 'tool-start', callId, name: 'get_tide', runBy: 'agent' },
    { type: 'tool-input', callId, input: {} },
  ]
  const resultOf = (callId: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output: 'high' })
  const wholesIn = (chunks: readonly Chunk[]) =>
    chunks.flatMap(({ type, event, data }) => {
      const whole = type === 'message_final' ? event : (data as { event?: object } | undefined)?.event
      return type === 'event_complete' || type === 'message_final' ? [whole as { segments: { type: string }[] }] : []
    })
  const typesIn = (chunks: readonly Chunk[]) => wholesIn(chunks).map(({ segments }) => segments.map(({ type }) => type))

  it.each([undefined, 'tools'])('is sent again once every call has its result, in the profile %s', (profile) => {
    const events = [begin, ...callOf('a'), ...callOf('b'), end, resultOf('b'), resultOf('a')]
    const [first, ...again] = wholesIn(allIn(profile, ...events))
    expect(again).toHaveLength(1)
    expect(again[0]).toEqual({
      ...first,
      segments: [
        ...(first?.segments ?? []),
        { type: 'tool_result', id: 'b', output: 'high', completed_at: 5 },
        { type: 'tool_result', id: 'a', output: 'high', completed_at: 5 },
      ],
    })
  })

  it('is sent again at the end of the run if anything has come since, and not otherwise', () => {
    const runEnd: StreamEvent = { type: 'run-end', outcome: 'success' }
    const status: StreamEvent = { type: 'status', message: 'Saved', level: 'info' }
    expect(typesIn(all(begin, end, status, runEnd))).toEqual([[], ['status']])
    expect(typesIn(all(begin, ...callOf('a'), resultOf('a'), end, runEnd))).toEqual([['tool_call', 'tool_result']])
    const chunks = all(begin, ...callOf('a'), end, status, resultOf('a'), runEnd)
    expect(typesIn(chunks)).toEqual([['tool_call'], ['tool_call', 'status', 'tool_result']])
  })

  it('is sent again with what its subagent has done, when the subagent ends', () => {
    const chunks = all(
      begin,
      { type: 'subagent-start', agentId: 's', name: 'tides' },
      end,
      { type: 'block-start', blockId: 'x', kind: 'text', agentId: 's' },
      { type: 'block-delta', blockId: 'x', text: 'Low.', agentId: 's' },
      { type: 'block-end', blockId: 'x', agentId: 's' },
      { type: 'subagent-end', agentId: 's', status: 'done' },
    )
    expect(typesIn(chunks)).toEqual([['subagent'], ['subagent', 'text']])
  })

  it('costs in proportion to what comes late, however many calls follow each other', () => {
    const late = Array.from({ length: 3_000 }, (_, at) => [...callOf(`c${at}`), resultOf(`c${at}`)]).flat()
    const chunks = all(begin, end, ...late, { type: 'run-end', outcome: 'success' })
    const segments = wholesIn(chunks).reduce((sum, whole) => sum + whole.segments.length, 0)
    expect(wholesIn(chunks).at(-1)?.segments).toHaveLength(6_000)
    expect(segments).toBeLessThan(10 * 6_000)
  })
})

describe('a text', () => {
  it('is sent again whole, but not for every delta, once another segment has begun', () => {
    const deltas = Array.from(
      { length: 4000 },
      (_, n): StreamEvent => ({ type: 'block-delta', blockId: 'a', text: `word ${n} ` }),
    )
    const events: StreamEvent[] = [
      begin,
      { type: 'block-start', blockId: 'a', kind: 'text' },
      { type: 'block-start', blockId: 'b', kind: 'text' },
      ...deltas,
      { type: 'block-end', blockId: 'a' },
      { type: 'block-end', blockId: 'b' },
    ]
    const whole = deltas.map((delta) => (delta.type === 'block-delta' ? delta.text : '')).join('')
    const chunks = all(...events)
    expect(chunks.at(-1)).toEqual(segment(0, { type: 'text', id: 'a', text: whole }))
    expect(JSON.stringify(chunks).length).toBeLessThan(whole.length * 7)
  })

  it('continues with deltas after segments of unknown types', () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.com/' }
    const [start, first, second, stop] = text('t', 'one ', 'two') as [
      StreamEvent,
      StreamEvent,
      StreamEvent,
      StreamEvent,
    ]
    const types = all(begin, start, first, source, second, stop).map(({ type }) => type)
    expect(types).toEqual(['event_start', 'segment', 'token', 'segment', 'token'])
  })

  it('that is rewritten is sent whole', () => {
    const [start, delta, stop] = text('t', 'Frist') as [StreamEvent, StreamEvent, StreamEvent]
    const chunks = all(begin, start, delta, { type: 'block-patch', blockId: 't', text: 'First' }, stop, end)
    expect(chunks[3]).toEqual(segment(0, { type: 'text', id: 't', text: 'First' }))
    expect(chunks.at(-1)).toMatchObject({ data: { event: { segments: [{ text: 'First' }] } } })
  })
})

describe('reasoning', () => {
  it('comes in numbered deltas and ends as one part, with what the provider needs back', () => {
    const chunks = all(
      begin,
      { type: 'block-start', blockId: 'r', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'r', text: 'Hm, ' },
      { type: 'block-delta', blockId: 'r', text: 'so.' },
      { type: 'block-patch', blockId: 'r', signature: 'seal', encrypted: 'gA' },
      { type: 'block-end', blockId: 'r' },
      end,
    )
    const deltas = chunks.filter(({ type }) => type === 'reasoning_summary_text_delta')
    expect(deltas.map(({ delta }) => delta)).toEqual(['Hm, ', 'so.'])
    expect(Number(deltas[1]?.sequence_number)).toBeGreaterThan(Number(deltas[0]?.sequence_number))
    const seal = { signature: 'seal', encrypted_content: 'gA' }
    expect(chunks.at(-1)).toMatchObject({
      data: {
        event: { segments: [{ type: 'reasoning', id: 'r', parts: [{ text: 'Hm, so.', is_complete: true }], ...seal }] },
      },
    })
  })
})

describe('a source', () => {
  it('is one segment, although it is reported twice', () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.org/' }
    expect(all(begin, source, source, end).at(-1)).toMatchObject({
      data: { event: { segments: [{ type: 'source', sourceId: 's' }] } },
    })
  })
})

describe('the run', () => {
  it('begins with the conversation and ends with `complete`, after its error if it has one', () => {
    const { push } = eventSegments.create({ runId: 'r-1', threadId: 'thread' })
    const entry = (event: StreamEvent) => ({ seq: 1, at: 0, event, rawThrough: 0 })
    expect(push(entry({ type: 'run-start', model: 'mill' }))).toEqual([
      {
        type: 'run_start',
        metadata: { model: 'mill', conversationId: 'thread' },
        millrace: { type: 'run-start', runId: 'r-1' },
      },
    ])
    const error = { message: 'No water.', name: 'DryError' }
    expect(withoutMillrace(push(entry({ type: 'run-end', outcome: 'error', error })))).toEqual([
      { type: 'error', data: { error: { code: 'DryError', message: 'No water.' } } },
      { type: 'complete' },
    ])
  })

  it('refuses an unknown profile', () => {
    expect(() => eventSegments.create({ runId: 'r', threadId: 't', profile: 'toString' })).toThrow('profile toString')
  })
})
