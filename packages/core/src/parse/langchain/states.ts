import { remember } from '../../data/remember.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectsIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import type { Calls } from './calls.ts'
import type { GraphScope } from './emitted-message.ts'

/** How many channels, and how many lists, are remembered. Each nested graph has its own. */
const MAX_CHANNELS = 256

const STATUSES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'cancelled'])

/** The last state of each graph, so that only changes are emitted. Streams repeat states whole. */
export function createStates(calls: Calls) {
  const channels = new Map<string, Map<string, string>>()
  const lists = new Map<string, string>()

  function change(out: Out, channel: string, state: JsonObject, isWhole: boolean): void {
    const before = channels.get(channel)
    const fields = Object.keys(state)
    if (before === undefined && fields.length === 0) return
    const texts = new Map(fields.map((field) => [field, JSON.stringify(state[field])]))
    const held = before === undefined || isWhole ? texts : new Map([...before, ...texts])
    remember(channels, channel, held, MAX_CHANNELS)
    if (before === undefined) {
      out.push({ type: 'state', channel, op: 'snapshot', value: state })
      return
    }
    const patch: Json[] = []
    for (const [field, text] of texts) {
      if (before.get(field) === text) continue
      patch.push({ op: 'add', path: pathOf(field), value: state[field] as Json })
    }
    for (const field of isWhole ? before.keys() : [])
      if (!texts.has(field)) patch.push({ op: 'remove', path: pathOf(field) })
    if (patch.length > 0) out.push({ type: 'state', channel, op: 'patch', value: patch })
  }

  return {
    /** Sets the whole state of a channel, without its messages, which are emitted as messages. */
    set: (out: Out, channel: string, state: JsonObject) => change(out, channel, state, true),
    /** Sets fields of a channel. Other fields stay as they are. */
    write: (out: Out, channel: string, fields: JsonObject) => change(out, channel, fields, false),
    /** Sets the todo list in the state of a graph. */
    setTodos(out: Out, todos: Json | undefined, scope: GraphScope): void {
      const { key, agent } = scope
      // A call that writes the list already shows it.
      if (!Array.isArray(todos) || calls.wasCalled(scope, 'write_todos')) return
      const text = JSON.stringify(todos)
      if (lists.get(key) === text || (todos.length === 0 && !lists.has(key))) return
      remember(lists, key, text, MAX_CHANNELS)
      const listId = agent.agentId === undefined ? 'todos' : `todos:${agent.agentId}`
      out.push({ type: 'todos', listId, op: 'set', items: objectsIn(todos).map(itemOf), ...agent })
    },
  }
}

const pathOf = (field: string) => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`

function itemOf({ id, content, status }: JsonObject, index: number): TodoItem {
  return {
    id: typeof id === 'string' ? id : String(index + 1),
    content: String(content ?? ''),
    status: STATUSES.has(String(status)) ? (status as TodoStatus) : 'pending',
  }
}
