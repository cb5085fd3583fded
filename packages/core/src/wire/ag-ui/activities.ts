import type { TodoItem } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import { chunkOf, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Chunk } from '../wire.ts'
import { metadataOf, placeOf } from './chunk.ts'
import type { Speakers } from './speakers.ts'
import type { Stream } from './stream.ts'

/** What agents do beside speaking, as messages of the client that a later one of the same id replaces. */
export function activityRows(stream: Stream, speakers: Speakers): Pick<Rows, 'todos' | 'status' | 'data'> {
  const { emit, idOf } = stream
  const lists = new Map<string, readonly TodoItem[]>()
  let statuses = 0

  return {
    todos(event) {
      const { listId, callId } = event
      const list = todosAfter(lists.get(listId) ?? [], event)
      lists.set(listId, list)
      const own = { is: 'todos', listId, callId: callId === undefined ? undefined : idOf(callId) }
      const todos = list.map((item) => ({ ...item }))
      emit(activity(event, 'TODOS', idOf(`todos/${listId}`), { todos }, own))
    },
    // A message per line: one that holds them all would have to be sent again for each.
    status(event) {
      const { message, level } = event
      emit(activity(event, 'STATUS', idOf(`status/${++statuses}`), { message, level }, { is: 'status' }))
    },
    data(event) {
      if (speakers.roleOf(event) === undefined) return
      const { name, id, data, transient } = event
      const isKept = id !== undefined && transient !== true && isJsonObject(data)
      emit(isKept ? activity(event, name, idOf(`data/${name}/${id}`), data, { is: 'data', id }) : dataChunk(event))
    },
  }
}

function activity(
  event: StreamEvent,
  activityType: string,
  messageId: string,
  content: JsonObject,
  own: Fields,
): Chunk {
  const metadata = metadataOf({ ...own, messageId: event.messageId }, event.meta)
  return chunkOf('ACTIVITY_SNAPSHOT', { ...placeOf(event), messageId, activityType, content, metadata })
}

/** What is no object, or stands for itself, is passed on under its own name. */
function dataChunk(event: EventOf<'data'>): Chunk {
  const { name, id, data: value, transient, messageId, meta } = event
  const metadata = metadataOf({ id, transient, messageId }, meta)
  return chunkOf('CUSTOM', { ...placeOf(event), name, value, metadata })
}
