import { rememberOne } from '../../data/remember.ts'
import type { TodoItem } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import { chunkOf, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Chunk } from '../wire.ts'
import { metadataOf, scopeOf } from './chunk.ts'
import type { Messages } from './messages.ts'
import type { Stream } from './stream.ts'

/** Todo lists, statuses and data, as messages of the client. A later message with the same id replaces the earlier one. */
export function activityRows(stream: Stream, messages: Messages): Pick<Rows, 'todos' | 'status' | 'data'> {
  const { emit, idOf } = stream
  const lists = new Map<string, readonly TodoItem[]>()
  /** The data that the client holds. */
  const keptIds = new Set<string>()
  let statuses = 0

  return {
    todos(event) {
      const { listId, callId } = event
      const list = todosAfter(lists.get(listId) ?? [], event)
      lists.set(listId, list)
      const extra = { is: 'todos', listId, callId: callId === undefined ? undefined : idOf(callId) }
      const todos = list.map((item) => ({ ...item }))
      emit(activity(event, 'TODOS', idOf(`todos/${listId}`), { todos }, extra))
    },
    // One message per status: a single message of all statuses would have to be sent again for each.
    status(event) {
      const { message, level } = event
      emit(activity(event, 'STATUS', idOf(`status/${++statuses}`), { message, level }, { is: 'status' }))
    },
    data(event) {
      if (messages.roleOf(event) === undefined) return
      const { name, id, data, transient } = event
      const messageId = idOf(`data/${name}/${id}`)
      const isKept = id !== undefined && transient !== true
      if (isKept && isJsonObject(data)) {
        rememberOne(keptIds, messageId)
        emit(activity(event, name, messageId, data, { is: 'data', id }))
        // The content of a message is an object: another value replaces it inside one.
      } else if (isKept && keptIds.has(messageId))
        emit(activity(event, name, messageId, { value: data }, { is: 'data', id, isValue: true }))
      else emit(dataChunk(event))
    },
  }
}

function activity(
  event: StreamEvent,
  activityType: string,
  messageId: string,
  content: JsonObject,
  extra: Fields,
): Chunk {
  const metadata = metadataOf({ ...extra, messageId: event.messageId }, event.meta)
  return chunkOf('ACTIVITY_SNAPSHOT', { ...scopeOf(event), messageId, activityType, content, metadata })
}

/** Data that is not an object, or that is not kept, is passed on under its own name. */
function dataChunk(event: EventOf<'data'>): Chunk {
  const { name, id, data: value, transient, messageId, meta } = event
  const metadata = metadataOf({ id, transient, messageId }, meta)
  return chunkOf('CUSTOM', { ...scopeOf(event), name, value, metadata })
}
