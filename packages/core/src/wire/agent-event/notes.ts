import { remember } from '../../data/remember.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import type { Rows } from '../rows.ts'
import type { Emitter } from './emitter.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'

const BOXES: { readonly [Status in TodoStatus]: string } = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
}

/** Events that the protocol has no type for but that a person should see: they are shown as thoughts. */
export function noteRows(stream: Stream, emitter: Emitter, roles: Roles): Pick<Rows, 'status' | 'todos' | 'error'> {
  const lists = new Map<string, readonly TodoItem[]>()

  function emitNote(event: StreamEvent, content: string): void {
    const isVisible = event.agentId !== undefined || roles.of(event) === 'assistant'
    if (isVisible && content !== '') emitter.emitForDisplay(event, { type: 'thought', content })
    else stream.riders.add(event)
  }

  return {
    status: (event) => emitNote(event, event.message),
    // A list that a call has written is visible in the call.
    todos(event) {
      const list = todosAfter(lists.get(event.listId) ?? [], event)
      remember(lists, event.listId, list)
      emitNote(event, event.callId === undefined ? linesOf(event, list) : '')
    },
    error: (event) => emitNote(event, event.message),
  }
}

/** The items that the event sets, as they are after it: an update may leave out what an item says. */
function linesOf({ items }: EventOf<'todos'>, list: readonly TodoItem[]): string {
  const ids = new Set(items.map(({ id }) => id))
  const changed = list.filter(({ id }) => ids.has(id))
  return changed.map(({ content, status }) => `${BOXES[status]} ${content}`).join('\n')
}
