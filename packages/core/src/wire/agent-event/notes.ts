import type { TodoStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Rows } from '../rows.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'
import type { Voice } from './voice.ts'

const BOXES: { readonly [Status in TodoStatus]: string } = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
}

/** News that the protocol has no word for, though a person should see them: they are shown as thoughts. */
export function noteRows(stream: Stream, voice: Voice, roles: Roles): Pick<Rows, 'status' | 'todos' | 'error'> {
  function note(event: StreamEvent, content: string): void {
    const isSaid = event.agentId !== undefined || roles.of(event) === 'assistant'
    if (isSaid && content !== '') voice.show(event, { type: 'thought', content })
    else stream.riders.add(event)
  }

  return {
    status: (event) => note(event, event.message),
    // A list that a call has written is seen in the call.
    todos: (event) => note(event, event.callId === undefined ? listOf(event) : ''),
    error: (event) => note(event, event.message),
  }
}

function listOf({ items }: EventOf<'todos'>): string {
  return items.map(({ content, status }) => `${BOXES[status]} ${content}`).join('\n')
}
