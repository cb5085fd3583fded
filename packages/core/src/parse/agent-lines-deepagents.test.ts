import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../test/parse.ts'
import { agentLines } from './agent-lines.ts'

type Given = readonly [type: string, data?: object]

/** The events of these lines, including those of the end. */
const read = (...lines: readonly Given[]) =>
  through(parserOf(agentLines), recordsOf(lines.map(([type, data = {}]) => ({ type, data }))))

const results = [
  { title: 'Lamps', url: 'https://example.org/lamps' },
  { title: 'No address', url: '' },
  { url: 'https://example.org/bare' },
]

describe('the lines of DeepAgents', () => {
  it('S0-64: keeps the architecture that a start names', () => {
    expect(read(['start', { prompt_preview: 'Lamps', architecture: 'orchestrator_subagent' }])).toEqual([
      { type: 'run-start' },
      { type: 'metadata', metadata: { promptPreview: 'Lamps', architecture: 'orchestrator_subagent' } },
    ])
  })

  it('S0-65: maps status lines and a corrected search to statuses', () => {
    expect(read(['status', { message: 'On' }], ['search_corrected', { query: 'lamps' }])).toEqual([
      { type: 'status', message: 'On', level: 'info' },
      { type: 'status', message: 'Search corrected: lamps', level: 'info' },
    ])
  })

  it('S0-66: reads a whole text in one line', () => {
    expect(read(['text', { content: '# Report\n\nAll lit.' }])[1]).toMatchObject({ text: '# Report\n\nAll lit.' })
  })

  it('S0-67: reads thinking and think as reasoning', () => {
    const events = read(['thinking', { content: 'a' }], ['status', { message: 's' }], ['think', { thought: 'b' }])
    const starts = events.filter(({ type }) => type === 'block-start')
    expect(starts).toMatchObject([
      { kind: 'reasoning', variant: 'thinking' },
      { kind: 'reasoning', variant: 'think-tool' },
    ])
  })

  it('S0-68, S0-69, S0-70: distinguishes a list that is created, updated and completed', () => {
    const items = [{ content: 'Find', status: 'pending' }]
    const events = read(
      ['todos', { items }],
      ['todo_create', { items }],
      ['todo_update', { items }],
      ['todo_done', { item: 'Find', index: 0 }],
    )
    expect(events.map(({ meta }) => meta?.millrace?.todoOp)).toEqual(['create', 'create', 'update', 'done'])
  })

  it('S0-71: starts a subagent with its name and task, and an id made from its position', () => {
    expect(read(['subagent_start', { agent: 'scout', task: 'Look' }])).toEqual([
      {
        type: 'subagent-start',
        agentId: 'agent-1',
        name: 'scout',
        task: 'Look',
        meta: { millrace: { subagentOp: 'start' } },
      },
    ])
  })

  it('S0-72: ends the oldest subagent of the name and keeps its summary', () => {
    const events = read(
      ['subagent_start', { agent: 'scout', task: 'a' }],
      ['subagent_start', { agent: 'writer', task: 'b' }],
      ['subagent_start', { agent: 'scout', task: 'c' }],
      ['subagent_complete', { agent: 'scout', summary: 'first' }],
      ['subagent_complete', { agent: 'scout', summary: 'second' }],
      ['subagent_complete', { agent: 'stranger', summary: 'third' }],
    )
    expect(events.slice(3)).toMatchObject([
      { type: 'subagent-end', agentId: 'agent-1', status: 'done', summary: 'first' },
      { type: 'subagent-end', agentId: 'agent-3', status: 'done', summary: 'second' },
      { type: 'subagent-start', agentId: 'agent-4', name: 'stranger' },
      { type: 'subagent-end', agentId: 'agent-4', status: 'done', summary: 'third' },
    ])
  })

  it('S0-73: reads a search as a call of internet_search with the general topic by default', () => {
    expect(read(['search', { id: 'a', query: 'lamps', topic: 'news' }], ['search', { id: '', query: 'sun' }])).toEqual([
      { type: 'tool-start', callId: 'a', name: 'internet_search', runBy: 'agent' },
      { type: 'tool-input', callId: 'a', input: { query: 'lamps', topic: 'news' } },
      { type: 'tool-start', callId: 'call-2', name: 'internet_search', runBy: 'agent' },
      { type: 'tool-input', callId: 'call-2', input: { query: 'sun', topic: 'general' } },
    ])
  })

  it('S0-74: gives search results to the oldest open search, with their sources', () => {
    const events = read(
      ['search', { id: 'a', query: 'lamps' }],
      ['search', { id: 'b', query: 'sun' }],
      ['search_result', { count: 3, results }],
      ['search_result', { count: 0, results: [] }],
    )
    expect(events.slice(4)).toEqual([
      { type: 'tool-output', callId: 'a', status: 'ok', output: { count: 3, results } },
      { type: 'source', sourceId: 'a/1', kind: 'url', url: 'https://example.org/lamps', title: 'Lamps', callId: 'a' },
      { type: 'source', sourceId: 'a/3', kind: 'url', url: 'https://example.org/bare', callId: 'a' },
      { type: 'tool-output', callId: 'b', status: 'ok', output: { count: 0, results: [] } },
    ])
  })

  it('S0-74: starts a call for search results without one, and finds a search by its own name', () => {
    expect(read(['search_result', { count: 0, results: [] }])).toEqual([
      { type: 'tool-start', callId: 'call-1', name: 'internet_search', runBy: 'agent' },
      { type: 'tool-output', callId: 'call-1', status: 'ok', output: { count: 0, results: [] } },
    ])
    const named = read(
      ['search', { id: 'a', query: 'lamps' }],
      ['tool_use', { id: 'b', name: 'vector_search', input: {} }],
      ['search_result', { name: 'vector_search', count: 0, results: [] }],
    )
    expect(named.at(-1)).toMatchObject({ type: 'tool-output', callId: 'b' })
  })

  it('S0-75: gives a result without an id to the oldest call of its name, or of all calls if it has no name', () => {
    const events = read(
      ['tool_use', { id: 'a', name: 'read', input: {} }],
      ['tool_use', { id: 'b', name: 'weigh', input: {} }],
      ['tool_use', { id: 'c', name: 'read', input: {} }],
      ['tool_result', { name: 'weigh', success: false, output_preview: 'locked' }],
      ['tool_result', { name: 'read', success: true, output_preview: 'York' }],
      ['tool_result', { content: 'Bath' }],
      ['tool_result', { name: 'stamp', success: true, output_preview: '' }],
      ['tool_result', { content: 'nobody asked' }],
    )
    expect(events.slice(6)).toEqual([
      { type: 'tool-output', callId: 'b', status: 'error', output: 'locked', error: 'locked' },
      { type: 'tool-output', callId: 'a', status: 'ok', output: 'York' },
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'Bath' },
      { type: 'tool-start', callId: 'call-4', name: 'stamp', runBy: 'agent' },
      { type: 'tool-output', callId: 'call-4', status: 'ok', output: '' },
      { type: 'tool-output', callId: 'call-5', status: 'ok', output: 'nobody asked' },
    ])
  })

  it('S0-75: finds a search by the name of the tool that made it', () => {
    const result = { name: 'tavily_search', success: true, output_preview: 'lit' }
    const events = read(['search', { id: 'a', query: 'lamps' }], ['tool_result', result])
    expect(events.at(-1)).toEqual({ type: 'tool-output', callId: 'a', status: 'ok', output: 'lit' })
  })

  it('S0-76, S0-77: adds the usage of turns and replaces it by the total', () => {
    const counts = { input_tokens: 10, output_tokens: 5 }
    expect(read(['usage', counts], ['usage_total', counts])).toMatchObject([
      { type: 'usage', scope: 'step', mode: 'add', inputTokens: 10, outputTokens: 5 },
      { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 10, outputTokens: 5 },
    ])
  })

  it('S0-78: keeps duration and turns of a result that has no session', () => {
    expect(read(['result', { duration_ms: 45000, num_turns: 12 }])).toEqual([
      { type: 'usage', scope: 'run', mode: 'snapshot', durationMs: 45000, turns: 12 },
    ])
  })

  it('S0-79: reads an error', () => {
    expect(read(['error', { message: 'No lamp', code: 'dark' }])[0]).toEqual({
      type: 'error',
      message: 'No lamp',
      code: 'dark',
    })
  })

  it('S0-80: ends the run at done', () => {
    expect(read(['done'])).toEqual([{ type: 'run-end', outcome: 'success' }])
  })

  it('S0-81: starts a call that is announced, once, and gives its input when it comes', () => {
    const events = read(
      ['tool_call_start', { id: 'a', name: 'write_file' }],
      ['tool_call_start', { id: 'a', name: 'write_file' }],
      ['tool_call_start', { id: '', name: 'write_file' }],
      ['file_op', { id: 'a', operation: 'write', path: '/report.md' }],
      ['tool_call_start', { id: null, name: 'weigh' }],
      ['tool_use', { id: '', name: 'weigh', input: { grams: 1 } }],
    )
    expect(events).toEqual([
      { type: 'tool-start', callId: 'a', name: 'write_file', runBy: 'agent' },
      { type: 'tool-input', callId: 'a', input: { path: '/report.md' } },
      { type: 'tool-start', callId: 'call-2', name: 'weigh', runBy: 'agent' },
      { type: 'tool-input', callId: 'call-2', input: { grams: 1 } },
    ])
  })

  it('S0-82: links todos, subagents and thoughts to the calls that announced them', () => {
    const events = read(
      ['tool_call_start', { id: 'plan', name: 'write_todos' }],
      ['todo_create', { items: [] }],
      ['tool_result', { name: 'write_todos', success: true, output_preview: 'ok' }],
      ['tool_call_start', { id: 'sub', name: 'task' }],
      ['subagent_start', { agent: 'scout', task: 'Look' }],
      ['subagent_complete', { agent: 'scout', summary: 'Seen' }],
      ['tool_call_start', { id: 'mind', name: 'think_tool' }],
      ['think', { id: 'mind', thought: 'So' }],
      ['think_result', { name: 'think_tool', acknowledged: true }],
    )
    expect(events.map((event) => [event.type, 'callId' in event ? event.callId : undefined])).toEqual([
      ['tool-start', 'plan'],
      ['todos', 'plan'],
      ['tool-output', 'plan'],
      ['tool-start', 'sub'],
      ['subagent-start', 'sub'],
      ['tool-output', 'sub'],
      ['subagent-end', undefined],
      ['tool-start', 'mind'],
      ['tool-input', 'mind'],
      ['block-start', undefined],
      ['block-delta', undefined],
      ['block-end', undefined],
      ['tool-output', 'mind'],
    ])
  })

  it('keeps results that belong to no drawn call as raw, and the model as metadata', () => {
    const thought = { type: 'think_result', data: { name: 'think_tool', acknowledged: true } }
    const saved = { type: 'tool_result', data: { name: 'write_todos', success: true, output_preview: 'ok' } }
    expect(read(['think_result', thought.data], ['tool_result', saved.data])).toEqual([
      { type: 'raw', value: thought, reason: 'unmapped' },
      { type: 'raw', value: saved, reason: 'unmapped' },
    ])
    expect(read(['model_info', { model: 'm', provider: 'p' }])).toEqual([
      { type: 'metadata', metadata: { model: 'm', provider: 'p' } },
    ])
  })
})
