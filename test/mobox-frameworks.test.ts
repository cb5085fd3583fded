import { describe, expect, it } from 'vitest'
import { sseFrame } from '../packages/core/src/wire/sse-frames.ts'
import { aiSdkBody, aiSdkChunks, readAiSdk } from '../proofs/wires/readers/ai-sdk.ts'
import { eventsAs, line, linesOf, mapped } from './mobox-lines.ts'

const done = line('done')
const item = { content: 'Dig' }

describe('lines 192–260, lines of DeepAgents', () => {
  it.each([
    ['S0-65: status', [line('status', { message: 'On' })], ['reasoning-delta processing_1 "On\\n"']],
    ['S0-66: text', [line('text', { content: '# Report' })], ['text-delta text_1 "# Report"']],
    [
      'S0-67: thinking, think',
      [line('thinking', { content: 'Hm' }), line('think', { id: 't', thought: 'So' })],
      ['reasoning-delta thinking_1 "Hm\\n"', 'reasoning-delta thinking_1 "So\\n"'],
    ],
    ['S0-68: todos', [line('todos', { items: [item] })], ['reasoning-delta processing_1 "Planning: 1 tasks\\n"']],
    [
      'S0-68, S0-69, S0-70: todo_create, todo_update, todo_done',
      [
        line('todo_create', { items: [item, item] }),
        line('todo_update', { items: [item] }),
        line('todo_done', { item: 'Dig', index: 0 }),
      ],
      ['Planning: 2 tasks', 'Updated: 1 tasks', 'Completed: Dig'].map(
        (words) => `reasoning-delta processing_1 "${words}\\n"`,
      ),
    ],
    [
      'S0-71, S0-72: subagent_start, subagent_complete',
      [
        line('subagent_start', { agent: 'scout', task: 'Look' }),
        line('subagent_complete', { agent: 'scout', summary: 'Seen' }),
      ],
      ['reasoning-delta thinking_1 "Started scout: Look\\n"', 'reasoning-delta thinking_1 "Completed scout: Seen\\n"'],
    ],
    [
      'S0-73, S0-74: search, search_result',
      [line('search', { id: 's', query: 'sea' }), line('search_result', { count: 0, results: [] })],
      [
        'tool-input-start s internet_search',
        'tool-input-available s internet_search {"query":"sea","topic":"general"}',
        'tool-output-available s {"count":0,"results":[]}',
      ],
    ],
    [
      'S0-75, S0-81: tool_call_start, tool_use, tool_result',
      [
        line('tool_call_start', { id: 'c', name: 'look' }),
        line('tool_use', { id: 'c', name: 'look', input: {} }),
        line('tool_result', { tool_use_id: 'c', content: 'x' }),
      ],
      ['tool-input-start c look', 'tool-input-available c look {}', 'tool-output-available c "x"'],
    ],
    [
      'S0-76, S0-77, S0-78: usage, usage_total, result',
      [
        line('usage', { input_tokens: 10, output_tokens: 5 }),
        line('usage_total', { input_tokens: 50, output_tokens: 25 }),
        line('result', { duration_ms: 45, num_turns: 12 }),
      ],
      [
        'data-usage {"inputTokens":10,"outputTokens":5}',
        'data-usage {"inputTokens":50,"outputTokens":25,"isTotal":true}',
        'data-usage {"durationMs":45,"numTurns":12}',
      ],
    ],
  ])('%s', (_row, lines, expected) => {
    expect(mapped('deepagents', line('start'), ...lines, done)).toEqual(expected)
  })

  it('S0-64, S0-79, S0-80: start, error, done frame the run', () => {
    const start = line('start', { prompt_preview: 'Hi', architecture: 'orchestrator_subagent' })
    const types = (...lines: readonly object[]) =>
      aiSdkChunks(eventsAs('deepagents', start, ...lines), 'mobox').flatMap(({ type }) =>
        type === 'message-metadata' ? [] : [type],
      )
    expect(types(done)).toEqual(['start', 'finish'])
    expect(types(line('error', { message: 'No' }))).toEqual(['start', 'data-error', 'finish', 'error'])
  })

  it('S0-82, S0-83: subagents and reflections are one thinking block, and text comes after all reasoning', () => {
    const lines = [
      line('status', { message: 'On' }),
      line('todo_create', { items: [item] }),
      line('subagent_start', { agent: 'scout', task: 'Look' }),
      line('think', { thought: 'So' }),
      line('subagent_complete', { agent: 'scout', summary: 'Seen' }),
      line('text', { content: 'Answer' }),
      done,
    ]
    const boundaries = linesOf('deepagents', ...lines).filter((chunk) => !chunk.includes('delta'))
    expect(boundaries).toEqual([
      'reasoning-start processing_1',
      'reasoning-end processing_1',
      'reasoning-start thinking_1',
      'reasoning-end thinking_1',
      'text-start text_1',
      'text-end text_1',
    ])
  })
})

describe('lines 264–266, one wire', () => {
  it('S0-5: makes the same frames of the same lines, for every framework', () => {
    const lines = [
      line('start', { prompt_preview: 'Hi' }),
      line('status', { message: 'On' }),
      line('think', { thought: 'So' }),
      line('tool_use', { id: 'c', name: 'look', input: {} }),
      line('tool_result', { tool_use_id: 'c', content: 'x' }),
      line('todo_update', { items: [item] }),
      line('text', { content: 'Answer' }),
      done,
    ]
    const bodyAs = (format: string) => aiSdkBody(aiSdkChunks(eventsAs(format, ...lines), 'mobox'))
    expect(bodyAs('deepagents')).toBe(bodyAs('claude'))
    expect(bodyAs('langchain')).toBe(bodyAs('claude'))
    expect(bodyAs('claude')).toContain('Updated: 1 tasks')
  })
})

describe('lines 329–373, the planned dialects', () => {
  it('S0-128: OpenAI', () => {
    const lines = [
      line('start', { model: 'm' }),
      line('delta', { content: 'Hello' }),
      line('tool_call', { id: 'c', name: 'look', arguments: '{"at":1}' }),
      line('tool_result', { id: 'c', content: 'x' }),
      line('done', { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    ]
    expect(mapped('agent-lines', ...lines)).toEqual([
      'text-delta text_1 "Hello"',
      'tool-input-start c look',
      'tool-input-available c look {"at":1}',
      'tool-output-available c "x"',
      'data-usage {"inputTokens":1,"outputTokens":2,"isTotal":true}',
    ])
  })

  it('S0-129: Gemini', () => {
    const lines = [
      line('start', { model: 'm' }),
      line('content', { text: 'Hello' }),
      line('function_call', { name: 'look', args: { at: 1 } }),
      line('function_response', { name: 'look', response: { x: 1 } }),
      line('done', { usage: { promptTokenCount: 1, candidatesTokenCount: 2 } }),
    ]
    expect(mapped('agent-lines', ...lines)).toEqual([
      'text-delta text_1 "Hello"',
      'tool-input-start call-1 look',
      'tool-input-available call-1 look {"at":1}',
      'tool-output-available call-1 {"x":1}',
      'data-usage {"inputTokens":1,"outputTokens":2,"isTotal":true}',
    ])
  })
})

describe('lines 431–491, the frames', () => {
  const lines = [
    line('thinking', { content: 'Hm' }),
    line('tool_use', { id: 'call_1', name: 'look', input: { at: 1 } }),
    line('tool_result', { tool_use_id: 'call_1', content: 'x' }),
    line('text', { content: 'Hello ' }),
    line('text', { content: 'world!' }),
    line('usage', { input_tokens: 100, output_tokens: 50 }),
    done,
  ]
  const chunks = aiSdkChunks(eventsAs('claude', line('start'), ...lines), 'mobox')
  const has = (frame: object) => expect(chunks).toContainEqual(expect.objectContaining(frame))

  it('S0-26, S0-27, S0-28, S0-32: start, text, reasoning and usage as they are printed', () => {
    has({ type: 'start', messageId: 'run' })
    has({ type: 'text-start', id: 'text_1' })
    has({ type: 'text-delta', id: 'text_1', delta: 'Hello ' })
    has({ type: 'text-delta', id: 'text_1', delta: 'world!' })
    has({ type: 'text-end', id: 'text_1' })
    has({ type: 'reasoning-start', id: 'thinking_1', providerMetadata: { mobox: { variant: 'thinking' } } })
    has({ type: 'reasoning-end', id: 'thinking_1' })
    has({ type: 'data-usage', data: { inputTokens: 100, outputTokens: 50 } })
  })

  it('S0-29, S0-30, S0-31: tool frames under the names that the client reads', () => {
    has({ type: 'tool-input-start', toolCallId: 'call_1', toolName: 'look' })
    has({ type: 'tool-input-available', toolCallId: 'call_1', toolName: 'look', input: { at: 1 } })
    has({ type: 'tool-output-available', toolCallId: 'call_1', output: 'x' })
  })

  it('S0-33, S0-35: every frame is one data line, and the last two are finish and the terminator', () => {
    const frames = aiSdkBody(chunks).split('\n\n').slice(0, -1)
    for (const frame of frames) expect(frame).toMatch(/^data: ./)
    expect(frames.slice(-2)).toEqual([
      'data: {"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":100,"outputTokens":50}}}',
      'data: [DONE]',
    ])
    for (const frame of frames.slice(0, -1)) expect(() => JSON.parse(frame.slice(6))).not.toThrow()
  })

  it.each([
    ['X3', { type: 'done' }],
    ['X4', { type: 'tool-input-start', id: 'call_1', name: 'look' }],
    ['X5', { type: 'error', error: 'No' }],
    ['X6', { type: 'data-usage', usage: { inputTokens: 1 } }],
    ['X7', { type: 'heartbeat' }],
    ['X9', { type: 'tool-output-available', toolCallId: 'unknown', output: 1 }],
  ])('S0-6: the client refuses what the profile says otherwise (%s): %j', async (_number, frame) => {
    expect(sseFrame(frame)).toContain('data: ')
    await expect(readAiSdk([{ type: 'start', messageId: 'run' }, frame])).rejects.toThrow()
  })
})
