import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

const chunks = (...events: readonly StreamEvent[]) => chunksOfEach(events, 'mobox').flat()
const status = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })
const end: StreamEvent = { type: 'run-end', outcome: 'success' }
let blocks = 0
const block = (kind: 'text' | 'reasoning', text: string): StreamEvent[] => {
  const blockId = `b${++blocks}`
  return [
    { type: 'block-start', blockId, kind },
    { type: 'block-delta', blockId, text },
    { type: 'block-end', blockId },
  ]
}
const think = (text: string) => block('reasoning', text)
const order = (...events: readonly StreamEvent[]) =>
  chunks(...events)
    .filter(({ type }) => /-(start|end)$/.test(String(type)))
    .map(({ type, id }) => (String(type).startsWith('text') ? type : `${id} ${String(type).split('-')[1]}`))
const deltas = (...events: readonly StreamEvent[]) => chunks(...events).flatMap(({ delta }) => delta ?? [])
const idsOf = (type: string, ...events: readonly StreamEvent[]) =>
  chunks(...events).flatMap((chunk) => (chunk.type === type ? [chunk.id] : []))
const mobox = (key: string, value: string) => ({ meta: { millrace: { [key]: value } } })

describe('the finish', () => {
  it('has the reason of the main agent, whichever agent ends a step last', () => {
    const step = (reason: string, agentId?: string): StreamEvent[] => {
      const agent = agentId === undefined ? {} : { agentId }
      return [
        { type: 'step-start', kind: 'model', ...agent },
        { type: 'step-end', reason, ...agent },
      ]
    }
    expect(chunks(...step('end_turn'), ...step('max_tokens', 'a'), end).at(-1)).toMatchObject({ finishReason: 'stop' })
    expect(chunks(...step('end_turn', 'a'), ...step('max_tokens'), end).at(-1)).toMatchObject({
      finishReason: 'length',
    })
  })
})

describe('reasoning blocks', () => {
  it('S0-50, S0-90: a status is a line of a block whose start has the variant processing', () => {
    expect(chunks(status('Working'), end)).toEqual([
      { type: 'reasoning-start', id: 'processing_1', providerMetadata: { mobox: { variant: 'processing' } } },
      { type: 'reasoning-delta', id: 'processing_1', delta: 'Working\n' },
      { type: 'reasoning-end', id: 'processing_1' },
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  it('S0-52, S0-84: thinking closes processing', () => {
    expect(order(status('Working'), ...think('Hm'), end)).toEqual([
      'processing_1 start',
      'processing_1 end',
      'thinking_1 start',
      'thinking_1 end',
    ])
  })

  it('S0-85: a status closes thinking', () => {
    expect(order(...think('Hm'), status('Working')).slice(1)).toEqual(['thinking_1 end', 'processing_1 start'])
  })

  it('S0-83, S0-86: text closes all reasoning before it opens', () => {
    expect(order(status('Working'), ...think('Hm'), ...block('text', 'Hi')).slice(2)).toEqual([
      'thinking_1 start',
      'thinking_1 end',
      'text-start',
      'text-end',
    ])
  })

  it('S0-53, S0-87: the same kind continues the open block, each thought on its own line', () => {
    const thoughts = [...think('one'), ...think('two\n'), ...think('three')]
    expect(order(...thoughts, end)).toEqual(['thinking_1 start', 'thinking_1 end'])
    expect(deltas(...thoughts, end)).toEqual(['one', '\ntwo\n', 'three'])
  })

  it('S0-88, S0-89: a kind that comes again has a block with a new id', () => {
    const ids = idsOf('reasoning-start', status('a'), ...think('b'), status('c'), ...think('d'))
    expect(ids).toEqual(['processing_1', 'thinking_1', 'processing_2', 'thinking_2'])
  })

  it('S0-91: open blocks are closed before finish, and before a pause', () => {
    const question: StreamEvent = { type: 'approval', approvalId: 'p', state: 'requested' }
    const ends = (last: StreamEvent) => chunks(status('a'), last).map(({ type }) => type)
    expect(ends({ type: 'run-end', outcome: 'interrupted' }).slice(-2)).toEqual(['reasoning-end', 'finish'])
    expect(ends(question).slice(-2)).toEqual(['reasoning-end', 'finish'])
  })

  it('sends nothing for an empty status or thought', () => {
    expect(chunks(status(''), ...think(''))).toEqual([])
  })

  it('S0-51: text continues its own block after a thought', () => {
    const [start, delta, last] = block('text', 'Hi') as [StreamEvent, StreamEvent, StreamEvent]
    const all = chunks(start, delta, ...think('Hm'), delta, last).map(({ type }) => type)
    expect(all.slice(-3)).toEqual(['reasoning-end', 'text-delta', 'text-end'])
  })
})

describe('lines', () => {
  const todos = (fields: Partial<EventOf<'todos'>>): StreamEvent => ({
    type: 'todos',
    listId: 'l',
    op: 'set',
    items: [
      { id: '1', content: 'One', status: 'pending' },
      { id: '2', content: 'Two', status: 'pending' },
    ],
    ...fields,
  })
  const done = todos({ op: 'update', items: [{ id: '1', content: 'One', status: 'completed' }] })

  it('S0-68, S0-69, S0-70: a todo list is counted in the processing block', () => {
    const all = [
      todos(mobox('todoOp', 'create')),
      todos(mobox('todoOp', 'update')),
      { ...done, ...mobox('todoOp', 'done') },
    ]
    expect(deltas(...all)).toEqual(['Planning: 2 tasks\n', 'Updated: 2 tasks\n', 'Completed: One\n'])
    expect(idsOf('reasoning-start', ...all)).toEqual(['processing_1'])
  })

  it('a todo list is counted if the framework has no text for the change', () => {
    expect(deltas(todos({}), todos({ items: [] }), done)).toEqual([
      'Planning: 2 tasks\n',
      'Updated: 0 tasks\n',
      'Completed: One\n',
    ])
  })

  it('S0-57, S0-71, S0-72: a subagent is named with its task and its summary', () => {
    const start: StreamEvent = { type: 'subagent-start', agentId: 'a', name: 'scout', task: 'Look' }
    const complete: StreamEvent = { type: 'subagent-end', agentId: 'a', status: 'done', summary: 'Seen' }
    expect(deltas(start, complete)).toEqual(['Started scout: Look\n', 'Completed scout: Seen\n'])
    expect(idsOf('reasoning-start', start, complete)).toEqual(['thinking_1'])
    const spawn = { ...start, ...mobox('subagentOp', 'spawn') }
    expect(idsOf('reasoning-start', spawn)).toEqual(['processing_1'])
    expect(deltas(spawn)).toEqual(['Spawned scout: Look\n'])
  })

  it('replaces the data parts', () => {
    const all = chunks(status('a'), done, { type: 'subagent-start', agentId: 'a', name: 'scout' })
    expect(all.filter(({ type }) => String(type).startsWith('data-'))).toEqual([])
  })
})

describe('tools and usage', () => {
  const usage = (fields: Partial<EventOf<'usage'>>): StreamEvent => ({
    type: 'usage',
    scope: 'step',
    mode: 'add',
    ...fields,
  })
  const usageData = (...events: readonly StreamEvent[]) =>
    chunks(...events, end).flatMap(({ type, data }) => (type === 'data-usage' ? [data] : []))

  it('S0-54, S0-55: a call and its output are as on the default wire', () => {
    const events: StreamEvent[] = [
      { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: { q: 1 } },
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'x' },
    ]
    expect(chunks(...events)).toEqual(chunksOfEach(events).flat())
  })

  it('S0-76, S0-77, S0-78: steps are increments, the total is marked, statistics have this profile’s names', () => {
    const total = usage({ scope: 'run', mode: 'snapshot', inputTokens: 9, outputTokens: 4 })
    const result = usage({ scope: 'run', mode: 'snapshot', durationMs: 5, turns: 2, costUsd: 0.1 })
    expect(usageData(usage({ inputTokens: 3 }), total)).toEqual([
      { inputTokens: 3 },
      { inputTokens: 9, outputTokens: 4, isTotal: true },
    ])
    const statistics = { durationMs: 5, numTurns: 2, totalCostUSD: 0.1 }
    expect(usageData(result)).toEqual([statistics])
    expect(usageData(total, result)).toEqual([{ inputTokens: 9, outputTokens: 4, isTotal: true }, statistics])
  })

  it('S0-58: the session is sent with the statistics, whichever comes first', () => {
    const result = usage({ scope: 'run', mode: 'snapshot', durationMs: 5 })
    const session: StreamEvent = { type: 'metadata', metadata: { session_id: 's' } }
    expect(usageData(session, result)).toEqual([{ durationMs: 5, sdkSessionId: 's' }])
    expect(usageData(result, session)).toEqual([{ durationMs: 5, sdkSessionId: 's' }])
  })

  it('S0-45: a step sends its counts once, with its stop reason', () => {
    const step: StreamEvent[] = [
      { type: 'step-start', kind: 'model' },
      usage({ mode: 'snapshot', inputTokens: 5, outputTokens: 1 }),
      usage({ mode: 'snapshot', outputTokens: 7 }),
    ]
    const counts = { inputTokens: 5, outputTokens: 7 }
    expect(usageData(...step, { type: 'step-end', reason: 'end_turn' })).toEqual([
      { ...counts, stopReason: 'end_turn' },
    ])
    expect(usageData(...step, end)).toEqual([counts])
  })

  it('has no steps', () => {
    expect(chunks({ type: 'step-start', kind: 'model' }, { type: 'step-end' })).toEqual([])
  })
})
