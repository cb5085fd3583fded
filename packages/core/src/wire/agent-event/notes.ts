import type { TodoStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
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
  function emitNote(event: StreamEvent, content: string): void {
    const isVisible = event.agentId !== undefined || roles.of(event) === 'assistant'
    if (isVisible && content !== '') emitter.emitForDisplay(event, { type: 'thought', content })
    else stream.riders.add(event)
  }

  return {
    status: (event) => emitNote(event, event.message),
    // A list that a call has written is visible in the call.
    todos: (event) => emitNote(event, event.callId === undefined ? listOf(event) : ''),
    error: (event) => emitNote(event, event.message),
  }
}

function listOf({ items }: EventOf<'todos'>): string {
  return items.map(({ content, status }) => `${BOXES[status]} ${content}`).join('\n')
}
