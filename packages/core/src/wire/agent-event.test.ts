import { describe, expect, it } from 'vitest'
import { chunksOf, end, protocolFields, start } from '../../test/wire/agent-event.ts'
import type { StreamEvent } from '../events.ts'

const run = (...events: readonly StreamEvent[]) => chunksOf([start, ...events, end])

const block = (blockId: string, kind: 'text' | 'reasoning', ...texts: readonly string[]): StreamEvent[] => [
  { type: 'block-start', blockId, kind },
  ...texts.map((text): StreamEvent => ({ type: 'block-delta', blockId, text })),
  { type: 'block-end', blockId },
]
const call = (callId: string, input: StreamEvent & { type: 'tool-input' }): StreamEvent[] => [
  { type: 'tool-start', callId, name: 'read_gauge', runBy: 'agent' },
  input,
]
const called = call('c', { type: 'tool-input', callId: 'c', input: { pier: 3 } })

describe('the seven types', () => {
  it('S1-5: a thought is sent whole, once its block has ended', () => {
    const chunks = run(...block('r', 'reasoning', 'Low ', 'water ', 'first.'))
    expect(protocolFields(chunks)).toEqual([{ type: 'thought', content: 'Low water first.' }, { type: 'final' }])
  })

  it('S1-5: in the profile `deltas` each delta is a thought, all with one id', () => {
    const chunks = chunksOf([start, ...block('r', 'reasoning', 'Low ', 'water.'), end], 'deltas')
    expect(protocolFields(chunks).slice(0, 2)).toEqual([
      { type: 'thought', content: 'Low ' },
      { type: 'thought', content: 'water.' },
    ])
    expect(chunks.slice(0, 2)).toMatchObject([{ millrace: { blockId: 'r' } }, { millrace: { blockId: 'r' } }])
  })

  it('sends a very long thought in several chunks, and no text twice', () => {
    const text = 'x'.repeat(100_000)
    const thoughts = run(...block('r', 'reasoning', ...Array<string>(7).fill(text))).slice(0, -1)
    expect(thoughts.map(({ content }) => String(content).length)).toEqual([300_000, 300_000, 100_000])
  })

  it('S1-6: a call has its arguments as JSON in a string, and text that is not JSON unchanged', () => {
    const [chunk] = run(...called)
    expect(protocolFields([chunk ?? {}])).toEqual([
      { type: 'tool_call', toolName: 'read_gauge', toolArgs: '{"pier":3}' },
    ])
    const [broken] = run(...call('c', { type: 'tool-input', callId: 'c', text: '{"pi', error: 'Cut off.' }))
    expect(broken).toMatchObject({ toolArgs: '{"pi', millrace: { instead: [{ text: '{"pi', error: 'Cut off.' }] } })
  })

  it.each([
    ['text', { channel: 'text', text: 'half' }, 'half'],
    ['the output of a command', { channel: 'stdout', text: 'a\n' }, { subtype: 'stdout_chunk', content: 'a\n' }],
    ['the error output of a command', { channel: 'stderr', text: 'b\n' }, { subtype: 'stderr_chunk', content: 'b\n' }],
    ['an object', { channel: 'data', data: { rows: [1] } }, { rows: [1] }],
    ['null', { channel: 'data', data: null }, null],
    ['a percentage', { channel: 'data', percent: 65 }, { subtype: 'transfer_progress', percent: 65 }],
  ] as const)('S1-7: progress contains %s', (_what, shown, data) => {
    const [, chunk] = run(...called, { type: 'tool-progress', callId: 'c', ...shown })
    expect(protocolFields([chunk ?? {}])).toEqual([{ type: 'tool_progress', toolName: 'read_gauge', data }])
  })

  it.each([
    ['text', { status: 'ok', output: 'Low.' }, { output: 'Low.' }],
    ['a value as JSON', { status: 'ok', output: { cm: 40 } }, { output: '{"cm":40}' }],
    ['the reason of a failure', { status: 'error', output: null, error: 'Dry.' }, { output: 'Dry.', isError: true }],
    ['a denial', { status: 'denied', output: null }, { output: 'The call was denied.', isError: true }],
  ] as const)('S1-8: a result contains %s', (_what, result, expected) => {
    const [, chunk] = run(...called, { type: 'tool-output', callId: 'c', ...result })
    expect(protocolFields([chunk ?? {}])).toEqual([{ type: 'tool_result', toolName: 'read_gauge', ...expected }])
  })

  it('S1-9: the deltas of the answer are sent as they come, and together they are the answer', () => {
    const chunks = run(...block('a', 'text', 'The tide ', 'is low.'), ...block('b', 'text', ' Wait.'))
    expect(protocolFields(chunks).map(({ content = '' }) => content)).toEqual(['The tide ', 'is low.', ' Wait.', ''])
  })

  it('S1-10 S1-11: each run ends with one last chunk, final or error, with the outcome under `millrace`', () => {
    const endings = (['success', 'awaiting-input', 'error', 'cancelled', 'interrupted'] as const).map((outcome) =>
      chunksOf([start, { type: 'run-end', outcome }]),
    )
    expect(endings.map(protocolFields)).toEqual([
      [{ type: 'final' }],
      [{ type: 'final' }],
      [{ type: 'error', error: 'The run failed.' }],
      [{ type: 'error', error: 'The run was cancelled.' }],
      [{ type: 'error', error: 'The run was interrupted.' }],
    ])
    const outcomes = endings.map(([chunk]) => (chunk?.millrace as { outcome?: string } | undefined)?.outcome)
    expect(outcomes).toEqual([undefined, 'awaiting-input', 'error', 'cancelled', 'interrupted'])
    const [failed] = chunksOf([start, { type: 'run-end', outcome: 'error', error: { message: 'Aground.' } }])
    expect(protocolFields([failed ?? {}])).toEqual([{ type: 'error', error: 'Aground.' }])
  })
})

describe('additional fields', () => {
  it('number the chunks without gaps, and name the run once and each call', () => {
    const chunks = run(...called, { type: 'tool-output', callId: 'c', status: 'ok', output: '' })
    expect(chunks.map(({ seq, runId, callId }) => [seq, runId, callId])).toEqual([
      [1, 'run', 'c'],
      [2, undefined, 'c'],
      [3, undefined, undefined],
    ])
  })

  it('carry events without a type in the next chunk, and add no chunk for them', () => {
    const usage: StreamEvent = { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 3 }
    const chunks = run(usage, ...block('a', 'text', 'Hi'))
    expect(chunks.map(({ type }) => type)).toEqual(['stream', 'final'])
    expect(chunks[0]?.millrace).toEqual({ before: [start, usage, { type: 'block-start', blockId: 'a', kind: 'text' }] })
  })

  it('travel in a chunk that adds nothing to the answer once too many events wait', () => {
    const states = Array.from({ length: 200 }, (_, value): StreamEvent => {
      return { type: 'state', channel: 'tide', op: 'snapshot', value }
    })
    const chunks = run(...states)
    expect(protocolFields(chunks)).toEqual([...Array(3).fill({ type: 'stream', content: '' }), { type: 'final' }])
    const carriedEvents = chunks.flatMap(({ millrace }) => (millrace as unknown as { before: StreamEvent[] }).before)
    expect(carriedEvents).toEqual([start, ...states])
  })
})
