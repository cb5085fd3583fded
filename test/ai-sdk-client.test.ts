import { describe, expect, it } from 'vitest'
import type { EventOf, StreamEvent } from '../packages/core/src/events.ts'
import { aiSdkBody, aiSdkChunks, chatAiSdk, readAiSdk } from '../proofs/wires/readers/ai-sdk.ts'
import { aiSdkFaults } from './ai-sdk-grammar.ts'

const start: StreamEvent = { type: 'run-start', agent: 'helper', model: 'm-1' }
const end = (outcome: EventOf<'run-end'>['outcome'] = 'success'): StreamEvent => ({ type: 'run-end', outcome })
const text = (blockId: string, words: string): StreamEvent[] => [
  { type: 'block-start', blockId, kind: 'text' },
  { type: 'block-delta', blockId, text: words },
  { type: 'block-end', blockId },
]
const call = (callId: string, runBy: 'agent' | 'client' = 'agent'): StreamEvent[] => [
  { type: 'tool-start', callId, name: 'search', runBy },
  { type: 'tool-input-delta', callId, text: '{"q":' },
  { type: 'tool-input-delta', callId, text: '"x"}' },
  { type: 'tool-input', callId, input: { q: 'x' } },
]
const output = (callId: string, status: EventOf<'tool-output'>['status'], error?: string): StreamEvent => ({
  type: 'tool-output',
  callId,
  status,
  output: status === 'ok' ? [1] : null,
  ...(error !== undefined && { error }),
})
const read = (...events: readonly StreamEvent[]) => readAiSdk(aiSdkChunks([start, ...events]))
const partsOf = async (...events: readonly StreamEvent[]) => (await read(...events, end())).parts

describe('the AI SDK client', () => {
  it('S0-6: reads text, reasoning, a tool and its output without a validation error', async () => {
    const message = await read(
      { type: 'step-start', kind: 'model' },
      { type: 'block-start', blockId: 'r', kind: 'reasoning', variant: 'thinking' },
      { type: 'block-delta', blockId: 'r', text: 'Hm.' },
      { type: 'block-patch', blockId: 'r', signature: 'sig' },
      { type: 'block-end', blockId: 'r' },
      ...call('c'),
      output('c', 'ok'),
      { type: 'step-end', reason: 'tool_use' },
      { type: 'step-start', kind: 'model' },
      ...text('t', 'Done.'),
      { type: 'step-end', reason: 'end_turn' },
      end(),
    )
    expect(message).toMatchObject({ id: 'run', role: 'assistant', metadata: { agent: 'helper', model: 'm-1' } })
    expect(message.parts).toMatchObject([
      { type: 'step-start' },
      {
        type: 'reasoning',
        text: 'Hm.',
        state: 'done',
        providerMetadata: { millrace: { variant: 'thinking', signature: 'sig' } },
      },
      {
        type: 'dynamic-tool',
        toolName: 'search',
        state: 'output-available',
        input: { q: 'x' },
        output: [1],
        providerExecuted: true,
      },
      { type: 'step-start' },
      { type: 'text', text: 'Done.', state: 'done' },
    ])
  })

  it('S0-31: finds the call of an output that comes in a later step', async () => {
    const parts = await partsOf(
      { type: 'step-start', kind: 'model' },
      ...call('c'),
      { type: 'step-end' },
      { type: 'step-start', kind: 'model' },
      output('c', 'ok'),
      { type: 'step-end' },
    )
    const tools = parts.filter((part) => part.type === 'dynamic-tool')
    expect(tools).toMatchObject([{ toolCallId: 'c', state: 'output-available', output: [1] }])
  })

  it('keeps one part of a call whose input is still open when the step changes', async () => {
    const [head, ...rest] = call('c')
    const parts = await partsOf(
      { type: 'step-start', kind: 'model' },
      head as StreamEvent,
      { type: 'step-end' },
      { type: 'step-start', kind: 'model' },
      ...rest,
      output('c', 'ok'),
      { type: 'step-end' },
    )
    expect(parts.map((part) => part.type)).toEqual(['step-start', 'dynamic-tool', 'step-start'])
  })

  it('shows failed, cancelled and denied calls, and inputs that are not JSON', async () => {
    const parts = await partsOf(
      ...call('failed'),
      output('failed', 'error', 'No route'),
      ...call('cancelled'),
      output('cancelled', 'cancelled'),
      ...call('denied'),
      output('denied', 'denied'),
      { type: 'tool-start', callId: 'bad', name: 'search', runBy: 'agent' },
      { type: 'tool-input', callId: 'bad', text: '{"q', error: 'The input is not JSON.' },
    )
    expect(parts).toMatchObject([
      { state: 'output-error', errorText: 'No route' },
      { state: 'output-error', errorText: 'Cancelled' },
      { state: 'output-denied' },
      { state: 'output-error', input: '{"q', errorText: 'The input is not JSON.' },
    ])
  })

  it('shows progress as a preliminary output and replaces it by the output', async () => {
    const running: StreamEvent[] = [
      ...call('c'),
      { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'a\n' },
    ]
    const live = await read(...running, end('awaiting-input'))
    expect(live.parts).toMatchObject([{ state: 'output-available', preliminary: true, output: { stdout: 'a\n' } }])
    const [part] = await partsOf(...running, output('c', 'ok'))
    expect(part).toMatchObject({ output: [1] })
    expect(part).not.toHaveProperty('preliminary', true)
  })

  it('replaces a todo list and a subagent in place', async () => {
    const todo = (id: string, status: 'pending' | 'completed') => ({ id, content: `Do ${id}`, status })
    const parts = await partsOf(
      { type: 'todos', listId: 'l', op: 'set', items: [todo('1', 'pending'), todo('2', 'pending')] },
      { type: 'subagent-start', agentId: 'a', name: 'researcher', task: 'Look' },
      { type: 'block-start', blockId: 't', kind: 'text', agentId: 'a' },
      { type: 'block-delta', blockId: 't', text: 'Found', agentId: 'a' },
      { type: 'block-end', blockId: 't', agentId: 'a' },
      { type: 'todos', listId: 'l', op: 'update', items: [todo('1', 'completed')] },
      { type: 'subagent-end', agentId: 'a', status: 'done', summary: 'All found' },
    )
    expect(parts).toMatchObject([
      { type: 'data-todos', id: 'l', data: { items: [{ status: 'completed' }, { id: '2', status: 'pending' }] } },
      {
        type: 'data-subagent',
        id: 'a',
        data: { name: 'researcher', task: 'Look', state: 'done', summary: 'All found' },
      },
      { type: 'data-subagent-part', id: 't', data: { agentId: 'a', type: 'text', text: 'Found', state: 'done' } },
    ])
  })

  it('S0-34: is in error with the message after a failed run, and keeps content, usage and reason', async () => {
    const failed: StreamEvent = { type: 'run-end', outcome: 'error', error: { message: 'Overloaded', code: '529' } }
    const usage: StreamEvent = { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 3 }
    const chunks = aiSdkChunks([start, ...text('t', 'Half'), usage, failed])
    expect(aiSdkFaults(chunks)).toEqual([])
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'Overloaded' })
    expect(aiSdkBody(chunks).endsWith('data: [DONE]\n\n')).toBe(true)
    const chat = await chatAiSdk(chunks)
    expect(chat).toMatchObject({ status: 'error', error: 'Overloaded', finishReasons: ['error'] })
    expect(chat.messages[1]).toMatchObject({
      metadata: { usage: { inputTokens: 3 }, error: { code: '529' } },
      parts: [{ text: 'Half', state: 'done' }, { type: 'data-usage' }],
    })
  })

  it('is ready, and shows the interruption, after an interrupted run', async () => {
    const chunks = aiSdkChunks([start, ...text('t', 'Half'), end('interrupted')])
    const chat = await chatAiSdk(chunks)
    expect(chat).toMatchObject({ status: 'ready', error: undefined, finishReasons: ['other'] })
    expect(chat.messages[1]).toMatchObject({ metadata: { aborted: true }, parts: [{ text: 'Half' }] })
  })

  it('runs only its own tools', async () => {
    const chunks = aiSdkChunks([
      start,
      ...call('ours'),
      output('ours', 'ok'),
      ...call('its', 'client'),
      end('awaiting-input'),
    ])
    const chat = await chatAiSdk(chunks)
    expect(chat).toMatchObject({ status: 'ready', toolCalls: ['its'], finishReasons: ['tool-calls'] })
  })

  it('accepts an output with keys that it refuses, under other names', async () => {
    const refused = JSON.parse('{"__proto__":{"a":1},"b":[{"constructor":{"prototype":2}}],"constructor":3}')
    const [part] = await partsOf(...call('c'), { type: 'tool-output', callId: 'c', status: 'ok', output: refused })
    const accepted = { '[__proto__]': { a: 1 }, b: [{ '[constructor]': { prototype: 2 } }], constructor: 3 }
    expect(part).toMatchObject({ state: 'output-available', output: accepted })
  })

  it('shows a source once that is reported twice', async () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.org/' }
    expect(await partsOf(source, ...text('t', 'Done.'), source)).toMatchObject([
      { type: 'source-url', sourceId: 's' },
      { type: 'text', text: 'Done.' },
    ])
  })

  it('continues the same message after an approval', async () => {
    const asked: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested', message: 'Sure?' }
    const approved: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'approved' }
    const run = [start, ...call('c'), asked, approved, output('c', 'ok'), ...text('t', 'Done.'), end()]
    const chunks = aiSdkChunks(run)
    expect(aiSdkFaults(chunks)).toEqual([])
    const pause = chunks.findIndex((chunk) => chunk.type === 'finish') + 1
    const before = await chatAiSdk(chunks.slice(0, pause))
    expect(before.messages[1]?.parts).toMatchObject([
      { state: 'approval-requested', approval: { id: 'p', requestReason: 'Sure?' } },
    ])
    const after = await chatAiSdk(chunks.slice(0, pause), chunks.slice(pause))
    expect(after).toMatchObject({ status: 'ready', finishReasons: ['tool-calls', 'stop'] })
    expect(after.messages).toHaveLength(2)
    expect(after.messages[1]?.parts).toMatchObject([
      { state: 'output-available', approval: { id: 'p', approved: true } },
      { type: 'text', text: 'Done.' },
    ])
    expect((await readAiSdk(chunks)).parts).toEqual(after.messages[1]?.parts)
  })

  it('S0-90: keeps the variant of a mobox block on its part', async () => {
    const chunks = aiSdkChunks([start, { type: 'status', message: 'Working', level: 'info' }, end()], 'mobox')
    expect((await readAiSdk(chunks)).parts).toMatchObject([
      { type: 'reasoning', text: 'Working\n', state: 'done', providerMetadata: { mobox: { variant: 'processing' } } },
    ])
  })
})
