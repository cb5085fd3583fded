import { describe, expect, it } from 'vitest'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import {
  actionEnd,
  actionHeader,
  actionThought,
  observed,
  summaryOf,
  type ToolCall,
  toolCall,
  toolInvocation,
} from './action-step.ts'
import type { Step } from './message.ts'

const step: Step = { kind: 'action', number: 2 }
const python: ToolCall = { callId: 'p', name: 'python_interpreter', extra: {} }
const search: ToolCall = { callId: 's', name: 'search', extra: {} }
const spent = { usage: { inputTokens: 1_234_567, outputTokens: 89 }, duration: 0.5, extra: {} }
const input = (value: Json): EventOf<'tool-input'> => ({ type: 'tool-input', callId: 'c', input: value })

describe('an action step', () => {
  it.each([
    [python, input('import math\nprint(1)'), 'webide'],
    [search, input({ query: 'tide' }), 'chat'],
  ] as const)('S2-31: is seven messages, each in its pane: %o', (call, input, pane) => {
    const drafts = [
      actionHeader(step, {}),
      actionThought(step).whole('I look.', false),
      toolCall(step, call, 'x', false),
      toolInvocation(step, call, input),
      observed(step, call, { status: 'ok' }, 0.25).whole('1', false),
      ...actionEnd(step, spent),
    ]
    expect(drafts.map(({ metadata }) => [metadata.message_type, metadata.component])).toEqual([
      ['action_header', 'chat'],
      ['action_thought', 'chat'],
      ['tool_call', 'chat'],
      ['tool_invocation', pane],
      ['observation', 'terminal'],
      ['action_footer', 'chat'],
      ['separator', 'chat'],
    ])
    for (const { metadata } of drafts) expect(metadata).toMatchObject({ step_type: 'action', step_number: 2 })
  })

  it('S2-39: has a header with its number', () => {
    expect(actionHeader(step, {}).content).toBe('Step 2')
  })

  it.each([
    ['a thought of sixty', 'x'.repeat(60), 'x'.repeat(60)],
    ['a thought of sixty-one', 'x'.repeat(61), 'x'.repeat(60)],
    ['a thought of characters that take two units', '😀'.repeat(61), '😀'.repeat(60)],
  ])('S2-18, S2-40: shows sixty characters and keeps the whole of %s', (_case, text, shown) => {
    const { content, metadata } = actionThought(step).whole(text, true)
    expect(content).toBe(text)
    expect(metadata).toMatchObject({ thoughts_content: shown, full_thought_length: text.length })
  })

  it('S2-17: names the tool on its badge, its invocation and its observation', () => {
    const observation = observed(step, search, { status: 'ok' }, undefined).whole('1', false)
    for (const { metadata } of [
      toolCall(step, search, '', false),
      toolInvocation(step, search, input({})),
      observation,
    ]) {
      expect(metadata).toMatchObject({ tool_name: 'search', tool_id: 's' })
    }
  })

  it('S2-24: sends code to the web IDE, fenced and bare', () => {
    expect(toolInvocation(step, python, input({ code: '```python\nimport math\nprint(1)\n```' }))).toMatchObject({
      content: '```python\nimport math\nprint(1)\n```',
      metadata: { code: 'import math\nprint(1)', language: 'python', code_lines: 2, has_imports: true },
    })
  })

  it('S2-42: sends the input of any other tool in full', () => {
    const { content, metadata } = toolInvocation(step, search, input({ query: 'tide', days: 2 }))
    expect(JSON.parse(content)).toEqual({ query: 'tide', days: 2 })
    expect(metadata).toMatchObject({ tool_args_summary: 'query=tide, days=2' })
  })

  it('marks an input that is not JSON', () => {
    const event = { type: 'tool-input', callId: 'c', text: '{"que', error: 'Not JSON.' } as const
    const { content, metadata } = toolInvocation(step, search, event)
    expect(content).toBe('{"que')
    expect(metadata).toMatchObject({ error: true, error_type: 'ToolInputError', error_message: 'Not JSON.' })
  })

  it('S2-43: counts the lines and the seconds of a tool’s output', () => {
    const { content, metadata } = observed(step, search, { status: 'ok' }, 0.25).whole('a\nb', false)
    expect(content).toBe('a\nb')
    expect(metadata).toMatchObject({ output_lines: 2, execution_duration: 0.25, has_error: false, error: false })
  })

  it('S2-25: shows the error of a tool in the terminal, and marks its badge', () => {
    const failure = { status: 'error', error: 'OSError: The gauge is offline.' } as const
    const { metadata } = observed(step, search, failure, undefined).whole('OSError: The gauge is offline.', false)
    expect(metadata).toMatchObject({
      component: 'terminal',
      error: true,
      has_error: true,
      error_type: 'OSError',
      error_message: 'OSError: The gauge is offline.',
    })
    expect(toolCall(step, search, '', true).metadata).toMatchObject({ component: 'chat', error: true, has_error: true })
    expect(toolCall(step, search, '', false).metadata).not.toHaveProperty('error')
  })

  it('S2-38: ends with tokens and time as data', () => {
    const [footer] = actionEnd(step, spent)
    expect(footer).toMatchObject({
      content: 'Step 2 | Input tokens: 1,234,567 | Output tokens: 89 | Duration: 0.5s',
      metadata: { token_usage: { total_tokens: 1_234_656 }, timing: { duration: 0.5 } },
    })
  })

  it.each<[Json | undefined, string]>([
    [{ a: 1, b: 'two', c: [3] }, 'a=1, b=two, c=[3]'],
    [{ a: 1, b: 2, c: 3, d: 4 }, 'a=1, b=2, c=3 … (4 in all)'],
    ['x'.repeat(200), 'x'.repeat(100)],
    [{}, ''],
    [undefined, ''],
  ])('summarises %o in one line', (value, line) => {
    expect(summaryOf(value)).toBe(line)
  })
})
