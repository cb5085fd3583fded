import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { createStamp } from '../packages/core/src/read/stamp.ts'
import { agUi } from '../packages/core/src/wire/ag-ui.ts'
import { agUiChunks, readAgUi } from '../proofs/wires/readers/ag-ui.ts'

/** One turn, whose ids another run of the same framework uses again. */
const turn = (words: string): StreamEvent[] => [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'block-start', blockId: 't', kind: 'reasoning' },
  { type: 'block-delta', blockId: 't', text: `Thinking of ${words}.` },
  { type: 'block-patch', blockId: 't', signature: 'seal' },
  { type: 'block-end', blockId: 't' },
  { type: 'block-start', blockId: 'b', kind: 'text' },
  { type: 'block-delta', blockId: 'b', text: words },
  { type: 'block-end', blockId: 'b' },
  { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: { words } },
  { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'one ' },
  { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'two' },
  { type: 'tool-output', callId: 'c', status: 'ok', output: `found ${words}` },
  { type: 'message-end', messageId: 'm' },
]
const end: StreamEvent = { type: 'run-end', outcome: 'success' }

describe("AG-UI's own client", () => {
  it('holds reasoning with what the provider needs back, texts with their calls, and the results after them', async () => {
    const { messages, outcomes } = await readAgUi(agUiChunks([...turn('tides'), end]))
    expect(outcomes).toEqual(['success'])
    expect(messages).toMatchObject([
      { role: 'reasoning', content: 'Thinking of tides.', encryptedValue: 'seal' },
      {
        role: 'assistant',
        content: 'tides',
        toolCalls: [{ id: 'run/c', function: { arguments: '{"words":"tides"}' } }],
      },
      { role: 'tool', toolCallId: 'run/c', content: 'found tides' },
      { role: 'activity', content: { pieces: [{ text: 'one ' }, { text: 'two' }] } },
    ])
  })

  it('keeps two runs of a thread apart if they use the same ids', async () => {
    const first = await readAgUi(agUiChunks([...turn('tides'), end]))
    const wireState = agUi.create({ runId: 'next', threadId: 'thread' })
    const stamp = createStamp()
    const chunks = [...turn('winds'), end].flatMap((event) => wireState.push(stamp(event, 0)))
    const { messages } = await readAgUi(chunks, first.messages)
    expect(messages.slice(0, first.messages.length)).toEqual(first.messages)
    expect(messages.slice(first.messages.length)).toMatchObject([
      { content: 'Thinking of winds.' },
      { content: 'winds', toolCalls: [{ function: { arguments: '{"words":"winds"}' } }] },
      { content: 'found winds' },
      { role: 'activity' },
    ])
  })

  it('reads a run again from its start and ends with the same', async () => {
    const chunks = agUiChunks([...turn('tides'), end])
    expect(await readAgUi(chunks)).toEqual(await readAgUi(chunks))
  })

  it('receives the question, and continues once it has answered', async () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'a', callId: 'd', state: 'requested', message: 'May I?' }
    const events: StreamEvent[] = [
      ...turn('tides').slice(0, -1),
      { type: 'tool-start', callId: 'd', name: 'sail', runBy: 'agent' },
      { type: 'tool-input', callId: 'd', input: {} },
      ask,
    ]
    const waiting = await readAgUi(agUiChunks(events))
    expect(waiting.interrupts).toMatchObject([{ id: 'a', toolCallId: 'run/d', message: 'May I?' }])
    const answered = await readAgUi(
      agUiChunks([
        ...events,
        { ...ask, state: 'approved' },
        { type: 'tool-output', callId: 'd', status: 'ok', output: 'sailing' },
        { type: 'message-end', messageId: 'm' },
        end,
      ]),
    )
    expect([answered.interrupts, answered.outcomes]).toEqual([[], ['interrupt', 'success']])
  })

  it('holds the state that the agent shares', async () => {
    const { state } = await readAgUi(
      agUiChunks([
        { type: 'run-start' },
        { type: 'state', channel: 'values', op: 'snapshot', value: { tide: 'low' } },
        { type: 'state', channel: 'values', op: 'patch', value: [{ op: 'replace', path: '/tide', value: 'high' }] },
        end,
      ]),
    )
    expect(state).toEqual({ tide: 'high' })
  })

  it('holds the last value of data, even if that is no object', async () => {
    const data = { type: 'data', name: 'chart', id: 'x' } as const
    const { messages } = await readAgUi(
      agUiChunks([{ type: 'run-start' }, { ...data, data: { bars: 2 } }, { ...data, data: 7 }, end]),
    )
    expect(messages).toMatchObject([{ role: 'activity', activityType: 'chart', content: { value: 7 } }])
  })

  it('receives the calls that it must run itself', async () => {
    const { pendingToolCallIds } = await readAgUi(
      agUiChunks([
        { type: 'run-start' },
        { type: 'tool-start', callId: 'c', name: 'pick', runBy: 'client' },
        { type: 'tool-input', callId: 'c', input: {} },
        { type: 'run-end', outcome: 'awaiting-input' },
      ]),
    )
    expect(pendingToolCallIds).toEqual(['run/c'])
  })

  it('receives the error of a run that failed or was interrupted', async () => {
    const failed = { type: 'run-end', outcome: 'error', error: { message: 'No water.' } } as const
    const endings = [failed, { type: 'run-end', outcome: 'interrupted' } as const]
    const results = await Promise.all(endings.map((ending) => readAgUi(agUiChunks([{ type: 'run-start' }, ending]))))
    expect(results.map(({ outcomes }) => outcomes)).toEqual([['error: No water.'], ['error: The run was interrupted.']])
  })
})
