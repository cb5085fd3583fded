import { messageRow, partsOfRow } from '@millrace/core/fold/message-row'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { aiSdkBody, aiSdkChunks, chatAiSdk, readAiSdk } from '../proofs/wires/readers/ai-sdk.ts'
import { eventsAs, line, linesOf, mapped } from './mobox-lines.ts'

const done = line('done')

const api = (type: string, fields: object = {}) => ({ type, ...fields })
const blockStart = (index: number, block: object) => api('content_block_start', { index, content_block: block })
const blockDelta = (index: number, delta: object) => api('content_block_delta', { index, delta })
const blockStop = (index: number) => api('content_block_stop', { index })
const turn = (id: string, stop: string, ...events: readonly object[]) => [
  api('message_start', { message: { id, model: 'm', usage: { input_tokens: 3 } } }),
  ...events,
  api('message_delta', { delta: { stop_reason: stop }, usage: { output_tokens: 5 } }),
  api('message_stop'),
]

describe('lines 128–188, events of the Claude API', () => {
  const thought = [
    blockStart(0, { type: 'thinking', thinking: '' }),
    blockDelta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
  ]
  const text = [blockStart(1, { type: 'text', text: '' }), blockDelta(1, { type: 'text_delta', text: 'Hello' })]
  const tool = [
    blockStart(2, { type: 'tool_use', id: 'call_1', name: 'look', input: {} }),
    blockDelta(2, { type: 'input_json_delta', partial_json: '{"at":' }),
    blockDelta(2, { type: 'input_json_delta', partial_json: '"sea"}' }),
  ]
  const first = turn('m1', 'tool_use', ...thought, blockStop(0), ...text, blockStop(1), ...tool, blockStop(2))

  it('S0-37, S0-38, S0-39, S0-40, S0-41, S0-42, S0-43, S0-44, S0-45: are one row of the table each', () => {
    expect(linesOf('claude', ...first)).toEqual([
      'reasoning-start thinking_1',
      'reasoning-delta thinking_1 "Hm."',
      'reasoning-end thinking_1',
      'text-start text_1',
      'text-delta text_1 "Hello"',
      'text-end text_1',
      'tool-input-start call_1 look',
      'tool-input-delta call_1',
      'tool-input-delta call_1',
      'tool-input-available call_1 look {"at":"sea"}',
      'data-usage {"inputTokens":3,"outputTokens":5,"stopReason":"tool_use"}',
    ])
  })

  it('S0-36, S0-46: start once and finish once, however many messages the loop has', () => {
    const second = turn('m2', 'end_turn', ...text, blockStop(1))
    const types = aiSdkChunks(eventsAs('claude', ...first, ...second), 'mobox').map(({ type }) => type)
    expect(types.filter((type) => type === 'start' || type === 'finish')).toEqual(['start', 'finish'])
    expect([types[0], types.at(-1)]).toEqual(['start', 'finish'])
  })

  it('S0-47: an error is the last chunk, with its message', () => {
    const error = api('error', { error: { type: 'overloaded_error', message: 'Too many' } })
    const run = turn('m1', 'end_turn', ...text).slice(0, 3)
    expect(linesOf('claude', ...run, error).at(-1)).toBe('error "Too many"')
  })
})

describe('lines 137–188, lines of a Claude agent', () => {
  it.each([
    ['S0-50: status', [line('status', { message: 'Reading' })], ['reasoning-delta processing_1 "Reading\\n"']],
    ['S0-51: text', [line('text', { content: 'Hi' })], ['text-delta text_1 "Hi"']],
    ['S0-52: thinking', [line('thinking', { content: 'Hm' })], ['reasoning-delta thinking_1 "Hm\\n"']],
    ['S0-53: think', [line('think', { thought: 'So' })], ['reasoning-delta thinking_1 "So\\n"']],
    [
      'S0-54, S0-55: tool_use, tool_result',
      [
        line('tool_use', { id: 'c', name: 'look', input: { at: 1 } }),
        line('tool_result', { tool_use_id: 'c', content: 'seen' }),
      ],
      ['tool-input-start c look', 'tool-input-available c look {"at":1}', 'tool-output-available c "seen"'],
    ],
    [
      'S0-56: todo_create, todo_update',
      [line('todo_create', { items: [{ content: 'Dig' }] }), line('todo_update', { items: [{ content: 'Dig' }] })],
      ['reasoning-delta processing_1 "Planning: 1 tasks\\n"', 'reasoning-delta processing_1 "Updated: 1 tasks\\n"'],
    ],
    [
      'S0-57: subagent_spawn',
      [line('subagent_spawn', { subagent_type: 'scout', description: 'Look' })],
      ['reasoning-delta processing_1 "Spawned scout: Look\\n"', 'reasoning-delta thinking_1 "Completed scout\\n"'],
    ],
    [
      'S0-58: result',
      [line('result', { session_id: 's', duration_ms: 5, num_turns: 2, total_cost_usd: 0.5 })],
      ['data-usage {"durationMs":5,"numTurns":2,"totalCostUSD":0.5,"sdkSessionId":"s"}'],
    ],
  ])('%s', (_row, lines, expected) => {
    expect(mapped('claude', line('start'), ...lines, done)).toEqual(expected)
  })

  it('S0-49, S0-59: begin with the message and end with finish and the terminator', () => {
    const chunks = aiSdkChunks(eventsAs('claude', line('start', { prompt_preview: 'Hi' }), done), 'mobox')
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'run' })
    expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
    expect(aiSdkBody(chunks).endsWith('data: {"type":"finish","finishReason":"stop"}\n\ndata: [DONE]\n\n')).toBe(true)
  })

  it('S0-57, S0-60: the tools that write todos and spawn subagents are lines, not tools', () => {
    const lines = [
      line('tool_use', { id: 'c1', name: 'TodoWrite', input: { todos: [{ activeForm: 'Digging' }] } }),
      line('tool_result', { tool_use_id: 'c1', content: 'Saved' }),
      line('tool_use', { id: 'c2', name: 'Task', input: { subagent_type: 'scout', prompt: 'Look' } }),
      line('tool_result', { tool_use_id: 'c2', content: 'Seen' }),
    ]
    expect(linesOf('claude', ...lines, done)).toEqual([
      'reasoning-start processing_1',
      'reasoning-delta processing_1 "Planning: 1 tasks\\n"',
      'reasoning-delta processing_1 "Spawned scout: Look\\n"',
      'reasoning-end processing_1',
      'reasoning-start thinking_1',
      'reasoning-delta thinking_1 "Completed scout: Seen\\n"',
      'reasoning-end thinking_1',
    ])
    const { processing } = messageRow(entriesOf(eventsAs('claude', ...lines))).metadata
    expect(processing).toEqual(['Planning: 1 tasks', 'Spawned scout: Look'])
  })
})

describe('lines 495–688, from the agent to the stored row and back', () => {
  const lines = [
    line('status', { message: 'Reading' }),
    line('think', { thought: 'Hm' }),
    line('think', { thought: 'So' }),
    line('status', { message: 'Writing' }),
    line('text', { content: 'Hello' }),
    done,
  ]

  it('S0-84, S0-85, S0-86, S0-87, S0-88, S0-119: five steps open and close the blocks', () => {
    expect(linesOf('deepagents', ...lines)).toEqual([
      'reasoning-start processing_1',
      'reasoning-delta processing_1 "Reading\\n"',
      'reasoning-end processing_1',
      'reasoning-start thinking_1',
      'reasoning-delta thinking_1 "Hm\\n"',
      'reasoning-delta thinking_1 "So\\n"',
      'reasoning-end thinking_1',
      'reasoning-start processing_2',
      'reasoning-delta processing_2 "Writing\\n"',
      'reasoning-end processing_2',
      'text-start text_1',
      'text-delta text_1 "Hello"',
      'text-end text_1',
    ])
  })

  it('S0-90, S0-109: the variant is where the client looks for it', async () => {
    const { parts } = await readAiSdk(aiSdkChunks(eventsAs('deepagents', ...lines), 'mobox'))
    const variants = parts.flatMap((part) => (part.type === 'reasoning' ? [part.providerMetadata?.mobox?.variant] : []))
    expect(variants).toEqual(['processing', 'thinking', 'processing'])
  })

  it('S0-97, S0-98, S0-101, S0-102, S0-103, S0-104, S0-105: is stored by kind and loaded in the fixed order', () => {
    const row = messageRow(entriesOf(eventsAs('deepagents', ...lines)))
    expect(row).toEqual({
      content: 'Hello',
      metadata: { processing: ['Reading', 'Writing'], thinking: 'Hm\nSo\n' },
    })
    expect(partsOfRow(row)).toEqual([
      { type: 'reasoning', text: 'Reading\nWriting', providerMetadata: { mobox: { variant: 'processing' } } },
      { type: 'reasoning', text: 'Hm\nSo\n', providerMetadata: { mobox: { variant: 'thinking' } } },
      { type: 'text', text: 'Hello' },
    ])
  })

  it('S0-7, S0-34: the chat ends in error with the message of the error that ended the run', async () => {
    const lines = [line('text', { content: 'Half' }), line('error', { message: 'No' })]
    const chat = await chatAiSdk(aiSdkChunks(eventsAs('claude', ...lines), 'mobox'))
    expect([chat.status, chat.error]).toEqual(['error', 'No'])
    expect(chat.messages[1]?.parts[0]).toMatchObject({ type: 'text', text: 'Half' })
  })
})
