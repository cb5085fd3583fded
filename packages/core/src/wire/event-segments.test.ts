import { describe, expect, it } from 'vitest'
import { chunksOfEach, seenBy } from '../../test/wire/event-segments.ts'
import type { StreamEvent } from '../events.ts'
import { eventSegments } from './event-segments.ts'

const begin: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant', sentAt: 5 }
const end: StreamEvent = { type: 'message-end', messageId: 'm' }
const text = (id: string, ...pieces: readonly string[]): StreamEvent[] => [
  { type: 'block-start', blockId: id, kind: 'text' },
  ...pieces.map((piece): StreamEvent => ({ type: 'block-delta', blockId: id, text: piece })),
  { type: 'block-end', blockId: id },
]
const all = (...events: readonly StreamEvent[]) => seenBy(chunksOfEach(events).flat())
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

  it('says at its end what was used, by which model, and whether it was cut off', () => {
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

  it('of a person is told by segments alone, for pieces belong to the assistant', () => {
    const user: StreamEvent[] = [
      { type: 'message-start', messageId: 'm', role: 'user' },
      ...text('t', 'Is it ', 'time?'),
      end,
    ]
    const chunks = seenBy(chunksOfEach(user, 'tools').flat())
    expect(chunks.map(({ type }) => type)).toEqual(['event_start', 'segment', 'segment', 'segment', 'event_complete'])
    expect(chunks[3]).toEqual(segment(0, { type: 'text', id: 't', text: 'Is it time?' }))
  })

  it('holds at its end what a subagent has said by then, and is told the rest', () => {
    const place = { agentId: 'p' }
    const chunks = all(
      begin,
      { type: 'subagent-start', ...place, name: 'pilot' },
      { type: 'block-start', blockId: 't', kind: 'text', ...place },
      { type: 'block-delta', blockId: 't', text: 'Slack ', ...place },
      end,
      { type: 'block-delta', blockId: 't', text: 'water', ...place },
      { type: 'block-end', blockId: 't', ...place },
    )
    const told = { type: 'text', id: 't', millrace: place }
    expect(chunks.at(-2)).toMatchObject({
      data: { event: { segments: [{ type: 'subagent' }, { ...told, text: 'Slack ' }] } },
    })
    expect(chunks.at(-1)).toEqual(segment(1, { ...told, text: 'Slack water' }))
  })

  it('is told of after its end, where a result comes late', () => {
    const chunks = all(
      begin,
      { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: {} },
      end,
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'high' },
    )
    expect(chunks.at(-1)).toEqual(segment(1, { type: 'tool_result', id: 'c', output: 'high', completed_at: 5 }))
  })
})

describe('a text', () => {
  it('is said again whole, and not at every piece, once another segment has begun', () => {
    const pieces = Array.from(
      { length: 4000 },
      (_, n): StreamEvent => ({ type: 'block-delta', blockId: 'a', text: `word ${n} ` }),
    )
    const events: StreamEvent[] = [
      begin,
      { type: 'block-start', blockId: 'a', kind: 'text' },
      { type: 'block-start', blockId: 'b', kind: 'text' },
      ...pieces,
      { type: 'block-end', blockId: 'a' },
      { type: 'block-end', blockId: 'b' },
    ]
    const whole = pieces.map((piece) => (piece.type === 'block-delta' ? piece.text : '')).join('')
    const chunks = all(...events)
    expect(chunks.at(-1)).toEqual(segment(0, { type: 'text', id: 'a', text: whole }))
    expect(JSON.stringify(chunks).length).toBeLessThan(whole.length * 7)
  })

  it('goes on piece by piece beside segments that clients do not know', () => {
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

  it('that is written anew is said whole', () => {
    const [start, piece, stop] = text('t', 'Frist') as [StreamEvent, StreamEvent, StreamEvent]
    const chunks = all(begin, start, piece, { type: 'block-patch', blockId: 't', text: 'First' }, stop, end)
    expect(chunks[3]).toEqual(segment(0, { type: 'text', id: 't', text: 'First' }))
    expect(chunks.at(-1)).toMatchObject({ data: { event: { segments: [{ text: 'First' }] } } })
  })
})

describe('reasoning', () => {
  it('comes in numbered pieces and ends as one part, with what the provider wants back', () => {
    const chunks = all(
      begin,
      { type: 'block-start', blockId: 'r', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'r', text: 'Hm, ' },
      { type: 'block-delta', blockId: 'r', text: 'so.' },
      { type: 'block-patch', blockId: 'r', signature: 'seal', encrypted: 'gA' },
      { type: 'block-end', blockId: 'r' },
      end,
    )
    const pieces = chunks.filter(({ type }) => type === 'reasoning_summary_text_delta')
    expect(pieces.map(({ delta }) => delta)).toEqual(['Hm, ', 'so.'])
    expect(Number(pieces[1]?.sequence_number)).toBeGreaterThan(Number(pieces[0]?.sequence_number))
    const seal = { signature: 'seal', encrypted_content: 'gA' }
    expect(chunks.at(-1)).toMatchObject({
      data: {
        event: { segments: [{ type: 'reasoning', id: 'r', parts: [{ text: 'Hm, so.', is_complete: true }], ...seal }] },
      },
    })
  })
})

describe('the run', () => {
  it('begins with the conversation and ends with `complete`, after the error where it has one', () => {
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
    expect(seenBy(push(entry({ type: 'run-end', outcome: 'error', error })))).toEqual([
      { type: 'error', data: { error: { code: 'DryError', message: 'No water.' } } },
      { type: 'complete' },
    ])
  })

  it('refuses a profile that it does not know', () => {
    expect(() => eventSegments.create({ runId: 'r', threadId: 't', profile: 'toString' })).toThrow('profile toString')
  })
})
