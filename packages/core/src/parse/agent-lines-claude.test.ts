import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { agentLines } from './agent-lines.ts'

type Given = readonly [type: string, data?: object]

/** The events of these lines, including those of the end. */
const read = (...lines: readonly Given[]) =>
  through(parserOf(agentLines), recordsOf(lines.map(([type, data = {}]) => ({ type, data }))))

describe('the simplified lines of Claude agents', () => {
  it('S0-49: keeps the beginning of the prompt', () => {
    expect(read(['start', { prompt_preview: 'Count' }])).toEqual([
      { type: 'run-start' },
      { type: 'metadata', metadata: { promptPreview: 'Count' } },
    ])
  })

  it('S0-50: maps each status line to one status', () => {
    expect(read(['status', { message: 'One' }], ['warning', { message: 'Two' }])).toEqual([
      { type: 'status', message: 'One', level: 'info' },
      { type: 'status', message: 'Two', level: 'warn' },
    ])
  })

  it('S0-51: joins consecutive text lines in one text block', () => {
    expect(read(['text', { content: 'Hello ' }], ['text', { content: '' }], ['text', { content: 'world' }])).toEqual([
      { type: 'block-start', blockId: 'b1', kind: 'text' },
      { type: 'block-delta', blockId: 'b1', text: 'Hello ' },
      { type: 'block-delta', blockId: 'b1', text: 'world' },
    ])
  })

  it('S0-52: maps a thinking line to a thinking block and adds the missing newline', () => {
    expect(read(['thinking', { content: 'Hm' }], ['thinking', { content: 'So\n' }])).toEqual([
      { type: 'block-start', blockId: 'b1', kind: 'reasoning', variant: 'thinking' },
      { type: 'block-delta', blockId: 'b1', text: 'Hm\n' },
      { type: 'block-delta', blockId: 'b1', text: 'So\n' },
    ])
  })

  it('S0-53: joins two thoughts of the think tool in one block, one line each', () => {
    expect(read(['think', { thought: 'One' }], ['think', { id: 't2', thought: 'Two' }])).toEqual([
      { type: 'block-start', blockId: 'b1', kind: 'reasoning', variant: 'think-tool' },
      { type: 'block-delta', blockId: 'b1', text: 'One\n' },
      { type: 'block-delta', blockId: 'b1', text: 'Two\n' },
    ])
  })

  it('S0-54: starts a call and gives its input, even if it is empty', () => {
    expect(
      read(['tool_use', { id: 'a', name: 'look', input: { at: 'sky' } }], ['tool_use', { id: 'b', name: 'rest' }]),
    ).toEqual([
      { type: 'tool-start', callId: 'a', name: 'look', runBy: 'agent' },
      { type: 'tool-input', callId: 'a', input: { at: 'sky' } },
      { type: 'tool-start', callId: 'b', name: 'rest', runBy: 'agent' },
      { type: 'tool-input', callId: 'b', input: {} },
    ])
  })

  it('S0-55: gives the content of a result as its output, and its error', () => {
    const events = read(
      ['tool_use', { id: 'a', name: 'look', input: {} }],
      ['tool_use', { id: 'b', name: 'look', input: {} }],
      ['tool_result', { tool_use_id: 'a', content: [{ type: 'text', text: 'blue' }] }],
      ['tool_result', { tool_use_id: 'b', content: 'too dark', is_error: true }],
    )
    expect(events.slice(4)).toEqual([
      { type: 'tool-output', callId: 'a', status: 'ok', output: [{ type: 'text', text: 'blue' }] },
      { type: 'tool-output', callId: 'b', status: 'error', output: 'too dark', error: 'too dark' },
    ])
  })

  it('S0-56: maps todo_create and todo_update to todo lists', () => {
    const items = [{ content: 'Dig', status: 'completed' }]
    expect(read(['todo_create', { items }], ['todo_update', { items }])).toMatchObject([
      { type: 'todos', op: 'set', items: [{ id: '1', content: 'Dig', status: 'completed' }] },
      { type: 'todos', op: 'set', items: [{ id: '1', content: 'Dig', status: 'completed' }] },
    ])
  })

  it('S0-57: starts a subagent at subagent_spawn, which ends with the run', () => {
    const spawn = { subagent_type: 'scout', description: 'Find water' }
    expect(read(['subagent_spawn', spawn], ['subagent_spawn', { ...spawn, subagent_id: 'SCOUT-2' }], ['done'])).toEqual(
      [
        {
          type: 'subagent-start',
          agentId: 'agent-1',
          name: 'scout',
          task: 'Find water',
          meta: { millrace: { subagentOp: 'spawn' } },
        },
        {
          type: 'subagent-start',
          agentId: 'SCOUT-2',
          name: 'scout',
          task: 'Find water',
          meta: { millrace: { subagentOp: 'spawn' } },
        },
        { type: 'subagent-end', agentId: 'agent-1', status: 'done' },
        { type: 'subagent-end', agentId: 'SCOUT-2', status: 'done' },
        { type: 'run-end', outcome: 'success' },
      ],
    )
  })

  it('S0-57: links a spawned subagent to the Task call that spawned it, and ends it with that call', () => {
    const events = read(
      ['tool_use', { id: 'a', name: 'Task', input: { subagent_type: 'scout' } }],
      ['tool_use', { id: 'b', name: 'Task', input: { subagent_type: 'scout' } }],
      ['subagent_spawn', { subagent_type: 'scout', description: 'Find water' }],
      ['subagent_spawn', { subagent_type: 'scout', description: 'Find wood' }],
      ['tool_result', { tool_use_id: 'b', content: 'No wood', is_error: true }],
      ['tool_result', { tool_use_id: 'a', content: 'A well' }],
    )
    expect(events.slice(4)).toMatchObject([
      { type: 'subagent-start', agentId: 'agent-1', callId: 'a', task: 'Find water' },
      { type: 'subagent-start', agentId: 'agent-2', callId: 'b', task: 'Find wood' },
      { type: 'tool-output', callId: 'b' },
      { type: 'subagent-end', agentId: 'agent-2', status: 'failed', summary: 'No wood' },
      { type: 'tool-output', callId: 'a' },
      { type: 'subagent-end', agentId: 'agent-1', status: 'done', summary: 'A well' },
    ])
  })

  it('S0-58: counts the tokens of a result as those of the whole run', () => {
    const usage = { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 }
    expect(read(['result', { session_id: 's', duration_ms: 9, num_turns: 1, total_cost_usd: 0.1, usage }])).toEqual([
      {
        type: 'usage',
        scope: 'run',
        mode: 'snapshot',
        inputTokens: 7,
        outputTokens: 3,
        cacheReadTokens: 2,
        cacheWriteTokens: 1,
        durationMs: 9,
        turns: 1,
        costUsd: 0.1,
      },
      { type: 'metadata', metadata: { sessionId: 's' } },
    ])
  })

  it('S0-59: closes the open block before it ends the run at done', () => {
    expect(read(['text', { content: 'Bye' }], ['done']).slice(2)).toEqual([
      { type: 'block-end', blockId: 'b1' },
      { type: 'run-end', outcome: 'success' },
    ])
  })

  it('leaves the TodoWrite and Task tools to the passes that handle them', () => {
    const todos = [{ content: 'Dig', status: 'pending' }]
    expect(read(['tool_use', { id: 'a', name: 'TodoWrite', input: { todos } }])).toEqual([
      { type: 'tool-start', callId: 'a', name: 'TodoWrite', runBy: 'agent' },
      { type: 'tool-input', callId: 'a', input: { todos } },
    ])
  })
})

describe('implicit blocks', () => {
  const kinds = (events: readonly StreamEvent[]) =>
    events.map((event) => ('blockId' in event ? `${event.type} ${event.blockId}` : event.type))

  it('S0-84, S0-85, S0-86: closes a block when another kind is drawn, and gives the next one a new id', () => {
    const events = read(
      ['think', { thought: 'a' }],
      ['status', { message: 'b' }],
      ['thinking', { content: 'c' }],
      ['text', { content: 'd' }],
      ['tool_use', { id: 'x', name: 'look', input: {} }],
      ['text', { content: 'e' }],
    )
    expect(kinds(events)).toEqual([
      'block-start b1',
      'block-delta b1',
      'block-end b1',
      'status',
      'block-start b2',
      'block-delta b2',
      'block-end b2',
      'block-start b3',
      'block-delta b3',
      'block-end b3',
      'tool-start',
      'tool-input',
      'block-start b4',
      'block-delta b4',
    ])
  })

  it('S0-87: continues thinking and think in one block, which invisible events do not interrupt', () => {
    const events = read(
      ['thinking', { content: 'a' }],
      ['usage', { input_tokens: 1 }],
      ['odd_type', { a: 1 }],
      ['think', { thought: 'b' }],
    )
    expect(kinds(events)).toEqual(['block-start b1', 'block-delta b1', 'usage', 'raw', 'block-delta b1'])
  })
})
