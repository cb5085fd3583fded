import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { codexExec } from './codex-exec.ts'

const thread = { type: 'thread.started', thread_id: 't' }
const turn = { type: 'turn.started' }
const item = (event: string, type: string, fields: object, id = 'item_0') => ({
  type: `item.${event}`,
  item: { id, type, ...fields },
})
const completed = (input_tokens: number, output_tokens: number) => ({
  type: 'turn.completed',
  usage: { input_tokens, output_tokens },
})

const read = (...values: readonly unknown[]) => through(createReader(codexExec), recordsOf(values))

describe('items', () => {
  const shell = (aggregated_output: string, status: string, exit_code: number | null = null) => ({
    command: 'ls',
    aggregated_output,
    exit_code,
    status,
  })

  it('that grow emit only what is new', () => {
    const events = read(
      item('started', 'command_execution', shell('', 'in_progress')),
      item('updated', 'command_execution', shell('a\n', 'in_progress')),
      item('updated', 'command_execution', shell('a\nb\n', 'in_progress')),
      item('completed', 'command_execution', shell('a\nb\n', 'completed', 0)),
    )
    expect(ofType(events, 'tool-progress').map(({ text }) => text)).toEqual(['a\n', 'b\n'])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: 'a\nb\n' }])
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { command: 'ls' } }])
  })

  it.each([
    ['completed', 'ok'],
    ['failed', 'error'],
    ['declined', 'denied'],
  ])('that are %s end as %s', (status, expected) => {
    const events = read(item('completed', 'command_execution', shell('', status)))
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: expected }])
  })

  it('that complete without having started are whole', () => {
    const events = read(item('completed', 'mcp_tool_call', { server: 's', tool: 'look', arguments: { a: 1 } }))
    expect(ofType(events, 'tool-start')).toMatchObject([{ name: 'look', server: 's' }])
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { a: 1 } }])
  })

  it('of an unknown type are kept', () => {
    expect(ofType(read(item('completed', 'hologram', {})), 'raw')).toHaveLength(1)
    expect(ofType(read(item('completed', 'constructor', {})), 'raw')).toHaveLength(1)
  })

  it('that repeat the list of todos add nothing', () => {
    const list = { items: [{ text: 'a', completed: true }, { text: 'b' }, { text: 'c' }] }
    const events = read(item('started', 'todo_list', list), item('completed', 'todo_list', list))
    expect(ofType(events, 'todos').map(({ items }) => items.map(({ status }) => status))).toEqual([
      ['completed', 'in_progress', 'pending'],
    ])
  })

  it('of one id in two threads are two', () => {
    const agentMessage = (text: string) => item('completed', 'agent_message', { text })
    const events = read(thread, turn, agentMessage('one'), thread, turn, agentMessage('two'))
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['one', 'two'])
  })
})

describe('subagents', () => {
  const call = (tool: string, states: object) => ({
    tool,
    prompt: 'Look',
    receiver_thread_ids: ['w'],
    agents_states: states,
    status: 'completed',
  })

  it('start when they are spawned and end when a state says so, once', () => {
    const done = { w: { status: 'completed', message: 'Seen' } }
    const events = read(
      item('completed', 'collab_tool_call', call('spawn_agent', { w: { status: 'running' } })),
      item('completed', 'collab_tool_call', call('wait', done), 'item_1'),
      item('completed', 'collab_tool_call', call('wait', done), 'item_2'),
    )
    expect(ofType(events, 'subagent-start')).toMatchObject([{ agentId: 'w', task: 'Look', callId: 'item_0' }])
    expect(ofType(events, 'subagent-end')).toMatchObject([{ agentId: 'w', status: 'done', summary: 'Seen' }])
  })
})

describe('usage', () => {
  it('is that of the turn, though the stream has that of the thread', () => {
    const events = read(thread, turn, completed(100, 10), turn, completed(250, 30))
    expect(ofType(events, 'usage').map(({ inputTokens }) => inputTokens)).toEqual([100, 150])
  })

  it('starts from zero with another thread, and if a count falls', () => {
    const other = { type: 'thread.started', thread_id: 'u' }
    const events = read(thread, turn, completed(100, 10), other, turn, completed(150, 10), turn, completed(20, 10))
    expect(ofType(events, 'usage').map(({ inputTokens }) => inputTokens)).toEqual([100, 150, 20])
  })
})

describe('the end', () => {
  it.each([
    ['success', [turn, completed(1, 1)]],
    ['interrupted', [turn]],
    ['error', [turn, { type: 'error', message: 'Broken' }]],
    ['success', [turn, { type: 'error', message: 'Broken' }, completed(1, 1)]],
    ['error', [turn, { type: 'turn.failed', error: { message: 'Broken' } }]],
    ['success', [turn, { type: 'turn.failed', error: { message: 'Broken' } }, turn, completed(1, 1)]],
    ['interrupted', [turn, { type: 'error', message: 'Reconnecting... 1/5' }]],
    ['awaiting-input', [turn, { type: 'request_user_input', call_id: 'c', questions: [{ question: 'Now?' }] }]],
  ])('is %s', (outcome, values) => {
    expect(read(thread, ...values).at(-1)).toMatchObject({ type: 'run-end', outcome })
  })

  it('takes the message of a failure that is JSON text', () => {
    const message = JSON.stringify({ status: 400, error: { type: 'bad_request', message: 'Too old' } })
    expect(read(turn, { type: 'turn.failed', error: { message } }).at(-1)).toMatchObject({
      error: { message: 'Too old', code: 'bad_request' },
    })
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(codexExec, value)

  it("recognises Codex's records and no others", () => {
    expect(certainty(thread)).toBe(1)
    expect(certainty(item('completed', 'agent_message', {}))).toBe(1)
    expect(certainty({ type: 'item.completed', item: 'x' })).toBe(0)
    expect(certainty({ type: 'response.output_item.done', item: { type: 'message' } })).toBe(0)
    expect(certainty({ type: 'turn.started', data: {} })).toBe(0)
  })
})
