import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'
import { todoTools } from './todo-tools.ts'

describe('todo tools', () => {
  it('S0-60: add the list of a TodoWrite call after its input, and remove nothing', () => {
    const todos = [{ content: 'Grind', status: 'completed' }, { activeForm: 'Baking' }]
    const events: StreamEvent[] = [...call('TodoWrite', { todos }), output('ok', 'x')]
    expect(runPass(todoTools, events)).toEqual([
      events[0],
      events[1],
      {
        type: 'todos',
        listId: 'todos',
        op: 'set',
        items: [
          { id: '1', content: 'Grind', status: 'completed' },
          { id: '2', content: 'Baking', status: 'pending' },
        ],
        callId: 'c',
        meta: { millrace: { todoOp: 'create' } },
      },
      events[2],
    ])
  })

  it.each([
    ['todo_write', { items: [{ text: 'Grind' }] }],
    ['todowrite', { todos: [{ title: 'Grind', description: 'more' }] }],
    ['write_todos', { todos: [{ content: 'Grind', activeForm: 'Grinding' }] }],
    ['update_todos', { todos: ['Grind'] }],
    ['update_plan', { plan: [{ step: 'Grind', status: 'pending' }], explanation: 'why' }],
    ['set_plan', { steps: [{ description: 'Grind' }] }],
    ['write_plan', { plan: ['Grind'] }],
    ['mcp__mill__TodoWrite', { todos: [{ content: 'Grind' }] }],
    ['functions.update_plan', { plan: [{ step: 'Grind' }] }],
  ])('read the list of %s', (name, input) => {
    expect(added(call(name, input))).toMatchObject([
      { op: 'set', items: [{ id: '1', content: 'Grind', status: 'pending' }] },
    ])
  })

  it.each([
    ['done', 'completed'],
    ['Complete', 'completed'],
    ['finished', 'completed'],
    ['in-progress', 'in_progress'],
    ['In Progress', 'in_progress'],
    ['doing', 'in_progress'],
    ['active', 'in_progress'],
    ['deleted', 'cancelled'],
    ['canceled', 'cancelled'],
    ['not_started', 'pending'],
    [7, 'pending'],
  ])('read the status %j as %s', (status, expected) => {
    expect(itemsOf(call('TodoWrite', { todos: [{ content: 'a', status }] }))).toMatchObject([[{ status: expected }]])
  })

  it('keep the ids of a list if all items have one, and number the items otherwise', () => {
    const ids = (...given: Json[]) =>
      itemsOf(call('TodoWrite', { todos: given.map((id) => ({ id, content: 'a' })) }))[0]?.map(({ id }) => id)
    expect(ids('x', 7)).toEqual(['x', '7'])
    expect(ids('2', null)).toEqual(['1', '2'])
    expect(ids('x', 'x')).toEqual(['1', '2'])
  })

  it('X1: clear the list with an empty one', () => {
    expect(itemsOf(call('TodoWrite', { todos: [] }))).toEqual([[]])
  })

  it('mark whether a list is new, for each agent separately', () => {
    const list = call('TodoWrite', { todos: [] })
    const sub = list.map((event) => ({ ...event, agentId: 'g', messageId: 'm', sentAt: 4 }))
    const create = { meta: { millrace: { todoOp: 'create' } } }
    const update = { meta: { millrace: { todoOp: 'update' } } }
    expect(added([...list, ...list, ...sub, ...sub])).toMatchObject([
      { listId: 'todos', ...create },
      { listId: 'todos', ...update },
      { listId: 'todos:g', agentId: 'g', messageId: 'm', sentAt: 4, ...create },
      { listId: 'todos:g', ...update },
    ])
    const own = { type: 'todos', listId: 'todos', op: 'set', items: [] } as const
    expect(added([own, ...list])).toMatchObject([own, update])
  })

  it('find the agent in the start of a call whose input does not name it', () => {
    const [start, input] = call('TodoWrite', { todos: [] }) as [StreamEvent, StreamEvent]
    expect(added([{ ...start, agentId: 'g' }, input])).toMatchObject([{ listId: 'todos:g', agentId: 'g' }])
  })

  it('add nothing for other tools, other inputs, and calls for which the stream has a list', () => {
    const own = { type: 'todos', listId: 'x', op: 'set', items: [], callId: 'c' } as const
    const [start, input] = call('TodoWrite', { todos: [] }) as [StreamEvent, StreamEvent]
    expect(added(call('Bash', { todos: [] }))).toEqual([])
    expect(added(call('TodoWrite', { todos: 'none' }))).toEqual([])
    expect(added(call('TodoWrite', ['a']))).toEqual([])
    expect(added([input])).toEqual([])
    expect(added([start, { type: 'tool-input', callId: 'c', text: '{', error: 'cut' }])).toEqual([])
    expect(added([start, own, input])).toEqual([own])
  })

  it('add a list once for a call', () => {
    const [start, input] = call('TodoWrite', { todos: [] }) as [StreamEvent, StreamEvent]
    expect(added([start, input, input])).toHaveLength(1)
    expect(added([start, output('ok', ''), input])).toHaveLength(0)
  })
})

describe('task tools', () => {
  const create = (subject: string, result: Json) => [
    ...call('TaskCreate', { subject, description: 'more', activeForm: 'doing' }),
    output('ok', result),
  ]

  it('S0-60: add a created task under the id that the output gives', () => {
    expect(added(create('Grind', 'Task #4 created successfully: Grind'))).toEqual([
      {
        type: 'todos',
        listId: 'todos',
        op: 'update',
        items: [{ id: '4', content: 'Grind', status: 'pending' }],
        callId: 'c',
        meta: { millrace: { todoOp: 'create' } },
      },
    ])
    const text = [{ type: 'text', text: 'Task #5 created' }]
    const results = [text, { task: { id: '6' } }, { task: { id: 7 } }, { id: '8' }]
    const ids = results.map((result) => itemsOf(create('a', result))[0]?.[0]?.id)
    expect(ids).toEqual(['5', '6', '7', '8'])
  })

  it('number a task whose output gives no id', () => {
    const events = [...create('a', 'ok'), ...create('b', 'ok'), ...create('c', 'Task #9 created'), ...create('d', null)]
    expect(itemsOf(events).map(([item]) => item?.id)).toEqual(['1', '2', '9', '10'])
  })

  it('give a task no number that an earlier one has, also if a lower number was given in between', () => {
    const events = [...create('a', 'Task #9 created'), ...create('b', 'Task #2 created'), ...create('c', 'ok')]
    expect(itemsOf(events).map(([item]) => item?.id)).toEqual(['9', '2', '11'])
  })

  it('add no task that was refused or has no text', () => {
    expect(added([...call('TaskCreate', { subject: 'a' }), output('error', 'Task #1 failed')])).toEqual([])
    expect(added([...call('TaskCreate', { subject: '' }), output('ok', 'Task #1')])).toEqual([])
  })

  it('update a task by its id and keep the fields that the update omits', () => {
    const events = [
      ...create('Grind', 'Task #1 created'),
      ...call('TaskUpdate', { taskId: '1', status: 'in_progress' }),
      ...call('TaskUpdate', { taskId: '1', subject: 'Grind more' }),
      ...call('TaskUpdate', { taskId: 1, status: 'deleted' }),
    ]
    expect(itemsOf(events).slice(1)).toEqual([
      [{ id: '1', content: 'Grind', status: 'in_progress' }],
      [{ id: '1', content: 'Grind more', status: 'in_progress' }],
      [{ id: '1', content: 'Grind more', status: 'cancelled' }],
    ])
    expect(added(events)[1]).toMatchObject({ op: 'update', meta: { millrace: { todoOp: 'update' } } })
  })

  it('update a task that was never created', () => {
    expect(itemsOf(call('TaskUpdate', { taskId: '3' }))).toEqual([[{ id: '3', content: 'Task 3', status: 'pending' }]])
    expect(added(call('TaskUpdate', { status: 'completed' }))).toEqual([])
  })
})

function call(name: string, input: Json): StreamEvent[] {
  return [
    { type: 'tool-start', callId: 'c', name, runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input },
  ]
}

function output(status: EventOf<'tool-output'>['status'], value: Json): StreamEvent {
  return { type: 'tool-output', callId: 'c', status, output: value }
}

function added(events: readonly StreamEvent[]): EventOf<'todos'>[] {
  return runPass(todoTools, events).filter((event) => event.type === 'todos')
}

function itemsOf(events: readonly StreamEvent[]) {
  return added(events).map(({ items }) => items)
}
