import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { type Pane, type RoutedItem, routeOf } from '../meaning/pane-routes.ts'
import { panesOf } from './panes.ts'
import type { ChatEvent, Segment, SubagentSegment, ToolSegment } from './shapes.ts'

const folded = { startedAt: 1, endedAt: 2, seqs: [1, 2] } as const

function tool(callId: string, name: string, more: Partial<ToolSegment> = {}): ToolSegment {
  return { type: 'tool', callId, name, runBy: 'agent', state: 'done', ...folded, ...more }
}

function message(...segments: readonly Segment[]): ChatEvent {
  return { id: 'run/m1', runId: 'run', role: 'assistant', state: 'done', segments, ...folded }
}

function panes(...segments: readonly Segment[]) {
  return panesOf([message(...segments)])
}

const fenced = '```python\nprint(1)\n```'

describe('routeOf', () => {
  it.each<[RoutedItem, Pane]>([
    [{ kind: 'message' }, 'chat'],
    [{ kind: 'planning' }, 'chat'],
    [{ kind: 'thought' }, 'chat'],
    [{ kind: 'thought', toolName: 'python_interpreter', content: fenced }, 'chat'],
    [{ kind: 'final-answer' }, 'chat'],
    [{ kind: 'tool-call', toolName: 'search' }, 'chat'],
    [{ kind: 'tool-call', toolName: 'python_interpreter' }, 'chat'],
    [{ kind: 'tool-invocation', toolName: 'search', content: 'rain' }, 'chat'],
    [{ kind: 'run-error', toolName: 'python_interpreter', content: fenced }, 'chat'],
  ])('S2-23, S2-26: routes %o to the %s', (routed, pane) => {
    expect(routeOf(routed)).toBe(pane)
  })

  it.each<[RoutedItem, Pane]>([
    [{ kind: 'tool-invocation', toolName: 'python_interpreter', content: fenced }, 'webide'],
    [{ kind: 'tool-invocation', toolName: 'python_interpreter', content: 'print(1)' }, 'webide'],
    [{ kind: 'tool-call', toolName: 'python_interpreter', content: fenced }, 'webide'],
    [{ kind: 'tool-invocation', toolName: 'execute-python' }, 'webide'],
    [{ kind: 'tool-invocation', toolName: 'Code_Interpreter' }, 'webide'],
    [{ kind: 'tool-invocation', toolName: 'search', content: fenced }, 'chat'],
    [{ kind: 'tool-invocation', content: fenced }, 'chat'],
  ])('S2-24, S2-26: routes %o to the %s', (routed, pane) => {
    expect(routeOf(routed)).toBe(pane)
  })

  it.each<[RoutedItem, Pane]>([
    [{ kind: 'observation', toolName: 'search' }, 'terminal'],
    [{ kind: 'observation', toolName: 'python_interpreter', content: fenced }, 'terminal'],
    [{ kind: 'log', toolName: 'python_interpreter' }, 'terminal'],
    [{ kind: 'log' }, 'terminal'],
    [{ kind: 'tool-error', toolName: 'search' }, 'terminal'],
    [{ kind: 'tool-error', toolName: 'python_interpreter', content: fenced }, 'terminal'],
  ])('S2-25, S2-26: routes %o to the %s', (routed, pane) => {
    expect(routeOf(routed)).toBe(pane)
  })
})

describe('panesOf', () => {
  it('S2-23: keeps every segment in the chat, tools as badges', () => {
    const text: Segment = { type: 'text', id: 't', text: 'Hello', state: 'done', ...folded }
    const error: Segment = { type: 'error', message: 'Drenched', ...folded }
    const { chat, webide, terminal } = panes(text, tool('c1', 'search', { input: { query: 'rain' } }), error)
    expect(chat).toMatchObject([
      { kind: 'segment', chatEventId: 'run/m1', role: 'assistant', segment: text },
      { kind: 'badge', segment: { callId: 'c1', input: { query: 'rain' } }, hasError: false },
      { kind: 'segment', segment: error },
    ])
    expect([webide, terminal]).toEqual([[], []])
  })

  it('S2-24, X26: shows code in the web IDE and its printed output in the terminal, linked by callId', () => {
    const call = tool('c1', 'python_interpreter', {
      input: fenced,
      progress: [
        { channel: 'stdout', text: '1\n' },
        { channel: 'stderr', text: 'slow' },
        { channel: 'data', percent: 50 },
      ],
      output: 'done',
    })
    expect(panes(call)).toMatchObject({
      chat: [{ kind: 'badge', segment: { callId: 'c1' } }],
      webide: [{ callId: 'c1', toolName: 'python_interpreter', code: 'print(1)', language: 'python', state: 'done' }],
      terminal: [
        { callId: 'c1', hasCell: true, channel: 'stdout', text: '1\n', isError: false },
        { callId: 'c1', hasCell: true, channel: 'stderr', text: 'slow', isError: false },
        { callId: 'c1', hasCell: true, channel: 'output', text: 'done', isError: false },
      ],
    })
  })

  it.each<[string, Pick<ToolSegment, 'input' | 'inputText'>, string]>([
    ['a string', { input: 'print(1)' }, 'print(1)'],
    ['a field named code', { input: { code: fenced, timeout: 5 } }, 'print(1)'],
    ['the only field', { input: { body: 'print(1)' } }, 'print(1)'],
    ['no field that is code', { input: { a: 1 } }, '{\n  "a": 1\n}'],
    ['a fence that is still open', { input: { code: '```python\nprint(' } }, 'print('],
    ['text that is no JSON', { inputText: 'print(1' }, 'print(1'],
    ['nothing yet', {}, ''],
  ])('S2-24: finds the code in %s', (_case, input, code) => {
    expect(panes(tool('c1', 'python', input)).webide).toMatchObject([{ code }])
  })

  it.each<[string, Json, string]>([
    ['text', 'rain', 'rain'],
    [
      'text parts',
      [
        { type: 'text', text: 'rain' },
        { type: 'text', text: 'wind' },
      ],
      'rain\nwind',
    ],
    ['other parts', [{ type: 'image' }], '[\n  {\n    "type": "image"\n  }\n]'],
    ['an object', { rain: true }, '{\n  "rain": true\n}'],
  ])('S2-25: shows the output of any other tool in the terminal: %s', (_case, output, text) => {
    expect(panes(tool('c1', 'search', { output })).terminal).toEqual([
      { callId: 'c1', toolName: 'search', hasCell: false, channel: 'output', text, isError: false },
    ])
  })

  it('S2-25: does not show text twice that is streamed and then repeated as output', () => {
    const call = tool('c1', 'bash', { progress: [{ channel: 'stdout', text: 'a\nb\n' }], output: 'a\nb' })
    expect(panes(call).terminal).toMatchObject([{ channel: 'stdout', text: 'a\nb\n' }])
  })

  it.each<[string, Partial<ToolSegment>, readonly string[]]>([
    ['its error', { output: null, error: 'No such file' }, ['No such file']],
    ['its output', { output: 'exit 1' }, ['exit 1']],
    ['both', { output: 'exit 1', error: 'No such file' }, ['exit 1', 'No such file']],
    ['both, when they are the same', { output: 'exit 1', error: 'exit 1' }, ['exit 1']],
    ['output that was streamed', { output: 'exit 1', progress: [{ channel: 'stdout', text: 'exit 1' }] }, ['exit 1']],
  ])('X27: shows a tool that failed in the terminal, by %s, and marks its badge', (_case, more, errors) => {
    const { chat, terminal } = panes(tool('c1', 'bash', { state: 'failed', ...more }))
    expect(chat).toMatchObject([{ kind: 'badge', hasError: true }])
    expect(terminal.filter((line) => line.isError).map(({ text }) => text)).toEqual(errors)
  })

  it('X27: does not mark a call that was denied or cancelled as failed', () => {
    const { chat, terminal } = panes(
      tool('c1', 'bash', { state: 'denied', error: 'No' }),
      tool('c2', 'bash', { state: 'cancelled' }),
    )
    expect(chat).toMatchObject([{ hasError: false }, { hasError: false }])
    expect(terminal).toEqual([])
  })

  it('shows the tools of subagents in the other panes, and in the chat only inside their subagent', () => {
    const inner = tool('c1', 'python', { input: 'print(1)', output: '1' })
    const subagent: SubagentSegment = {
      type: 'subagent',
      agentId: 'a',
      name: 'scout',
      state: 'done',
      segments: [inner],
      ...folded,
    }
    const { chat, webide, terminal } = panes(subagent)
    expect(chat).toMatchObject([{ kind: 'segment', segment: { type: 'subagent' } }])
    expect([webide.length, terminal.length]).toEqual([1, 1])
  })

  it('leaves out retracted messages and tools that are shown as something else', () => {
    const hidden = tool('c1', 'python', { output: 'ok', shownAs: 'todos' })
    const nothing = { chat: [], webide: [], terminal: [] }
    expect(panes(hidden)).toEqual(nothing)
    expect(panesOf([{ ...message(tool('c2', 'python', { output: 'ok' })), state: 'retracted' }])).toEqual(nothing)
  })
})
