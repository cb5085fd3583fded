import type { StreamEvent } from '@millrace/core/events'
import { parsers } from '@millrace/core/parse'
import { sseFrame } from '@millrace/core/wire/sse-frames'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { chunksOf, end, protocolFields, start } from '../packages/core/test/wire/agent-event.ts'
import { readAgentEvents } from '../proofs/wires/readers/agent-event.ts'

const framed = (chunks: readonly object[]) => chunks.map((chunk) => sseFrame(chunk as never)).join('')
const page = (...events: readonly StreamEvent[]) => readAgentEvents(framed(chunksOf([start, ...events])))
const hear = (...events: readonly object[]) => readAgentEvents(framed(events))

const call = (callId: string, input: string): StreamEvent[] => [
  { type: 'tool-start', callId, name: 'get_tide', runBy: 'agent' },
  { type: 'tool-input', callId, input },
]
const result = (callId: string, output: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output })

describe('a page that supports the seven types and nothing else', () => {
  it('S1-2: receives only those, for runs of every framework', () => {
    const types = new Set(['thought', 'tool_call', 'tool_progress', 'tool_result', 'stream', 'final', 'error'])
    for (const [name, parser] of Object.entries(parsers)) {
      const runs = fixturesOf(name).map(({ records }) => chunksOf(eventsOf(parser, records)))
      expect(runs.flat().filter(({ type }) => !types.has(String(type)))).toEqual([])
    }
  })

  it('shows the thoughts, the cards and the answer of a run', () => {
    const shown = page(
      { type: 'block-start', blockId: 'r', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'r', text: 'Both ' },
      { type: 'block-delta', blockId: 'r', text: 'tides.' },
      { type: 'block-end', blockId: 'r' },
      ...call('a', 'Millport'),
      { type: 'tool-progress', callId: 'a', channel: 'text', text: 'asking' },
      result('a', '06:12'),
      { type: 'block-start', blockId: 't', kind: 'text' },
      { type: 'block-delta', blockId: 't', text: 'At ' },
      { type: 'block-delta', blockId: 't', text: '06:12.' },
      end,
    )
    expect(shown).toMatchObject({
      thoughts: ['Both tides.'],
      cards: [{ toolName: 'get_tide', toolArgs: '"Millport"', progress: ['asking'], output: '06:12', isError: false }],
      bubble: 'At 06:12.',
      error: undefined,
    })
  })

  it('shows a thought that is corrected while it is written once, as it is at its end', () => {
    const { thoughts } = page(
      { type: 'block-start', blockId: 'r', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'r', text: 'Low ' },
      { type: 'block-patch', blockId: 'r', text: 'High water' },
      { type: 'block-delta', blockId: 'r', text: ' at six.' },
      { type: 'block-patch', blockId: 'r', signature: 'seal' },
      { type: 'block-end', blockId: 'r' },
      end,
    )
    expect(thoughts).toEqual(['High water at six.'])
  })

  it('S1-13: distinguishes two calls of one tool by their ids, each with one final result', () => {
    const calls = [...call('a', 'Millport'), ...call('b', 'Rothesay')]
    const { cards } = page(...calls, result('b', '06:20'), result('a', '06:12'), end)
    expect(cards.map(({ toolArgs, output }) => [toolArgs, output])).toEqual([
      ['"Millport"', '06:12'],
      ['"Rothesay"', '06:20'],
    ])
  })

  it('S1-11: shows why a run failed, and that a run was stopped or interrupted', () => {
    const endings = [
      { type: 'run-end', outcome: 'error', error: { message: 'No water.' } },
      { type: 'run-end', outcome: 'cancelled', reason: 'The harbour master stopped it.' },
      { type: 'run-end', outcome: 'interrupted' },
      { type: 'run-end', outcome: 'awaiting-input' },
    ] as const
    expect(endings.map((ending) => page(ending).error)).toEqual([
      'No water.',
      'The harbour master stopped it.',
      'The run was interrupted.',
      undefined,
    ])
  })

  it('leaves a call open that waits for a person, and ends without an error', () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'a', state: 'requested', message: 'May I?' }
    const { cards, error } = page(...call('a', 'Millport'), ask, { type: 'run-end', outcome: 'awaiting-input' })
    expect(cards).toMatchObject([{ progress: [{ subtype: 'approval', message: 'May I?' }] }])
    expect([cards[0]?.output, error]).toEqual([undefined, undefined])
  })

  it('shows the same if it reads only the fields of the protocol', () => {
    const chunks = chunksOf([start, ...call('a', 'Millport'), result('a', '06:12'), end])
    expect(hear(...protocolFields(chunks)).cards).toMatchObject([{ toolName: 'get_tide', output: '06:12' }])
  })
})

describe('the page refuses', () => {
  const final = { type: 'final' }
  const called = { type: 'tool_call', toolName: 't', toolArgs: '{}' }
  const done = { type: 'tool_result', toolName: 't', output: '' }

  it.each([
    ['S1-37: what a tool says and no agent has adapted', [called, { type: 'progress', toolName: 't', data: 1 }, final]],
    ['S1-5: a thought without words', [{ type: 'thought' }, final]],
    ['S1-6: arguments that are no string', [{ ...called, toolArgs: {} }, final]],
    ['S1-7: progress without data', [called, { type: 'tool_progress', toolName: 't' }, final]],
    ['S1-8: a result that is no string', [called, { ...done, output: 7 }, final]],
    ['S1-9: an answer that is no string', [{ type: 'stream', content: null }, final]],
    ['S1-11: an error that is no sentence', [{ type: 'error', error: { message: 'x' } }]],
    ['S1-12: progress after the result', [called, done, { type: 'tool_progress', toolName: 't', data: 1 }, final]],
    ['S1-13: a second result', [called, done, done, final]],
    ['S1-10: anything after the end', [final, { type: 'stream', content: 'x' }]],
    ['S1-10: a second end', [{ type: 'error', error: 'x' }, final]],
    ['S1-10: a stream without an end', [{ type: 'stream', content: 'x' }]],
    ['a type of nobody', [{ type: 'constructor' }, final]],
  ])('%s', (_what, events) => {
    expect(() => hear(...events)).toThrow()
  })
})
