import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { EventScope } from '../parser.ts'

interface Entry {
  readonly content: string
  readonly status?: string
}

const statuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed', 'cancelled'])

/** Each update holds the whole plan. */
export function planEvent(entries: readonly Entry[], planId: string | undefined, scope: EventScope): StreamEvent {
  return {
    ...scope,
    type: 'todos',
    listId: idOf(planId ?? 'todos', scope),
    op: 'set',
    items: entries.map(
      ({ content, status }, index): TodoItem => ({
        id: String(index + 1),
        content,
        status: statuses.has(status ?? '') ? (status as TodoStatus) : 'pending',
      }),
    ),
  }
}

/** A plan of newer versions has an id, and may be a text or a file. */
export function planUpdateEvent(plan: Json, scope: EventScope): StreamEvent {
  const { type, planId, entries } = plan as {
    readonly type?: string
    readonly planId?: string
    readonly entries?: Entry[]
  }
  if (type === 'items' && entries !== undefined) return planEvent(entries, planId, scope)
  return { ...scope, type: 'data', name: 'plan', id: idOf(planId ?? 'plan', scope), data: plan }
}

/** Each session names its plans on its own: the plan of a subagent does not replace that of the main agent. */
const idOf = (planId: string, { agentId }: EventScope) => (agentId === undefined ? planId : `${planId}:${agentId}`)
