import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import type { Rows } from '../rows.ts'
import type { Place } from './drafts.ts'
import { besides, type Stream } from './stream.ts'

type ExtraRows = Pick<
  Rows,
  'source' | 'file' | 'status' | 'error' | 'data' | 'todos' | 'approval' | 'subagent-start' | 'subagent-end'
>

interface Kept {
  readonly place: Place
  readonly segment: JsonObject
}

/** The fields that only place an event. */
const PLACES: ReadonlySet<string> = new Set(['type', 'messageId', 'agentId', 'sentAt', 'meta'])

/**
 * Segments of types that the protocol does not have: an event's own fields, under our names. Its clients pass over
 * segments that they do not know.
 */
export function extraRows(stream: Stream): ExtraRows {
  const { drafts } = stream
  /** Those that may change, by what they are. */
  const kept = new Map<string, Kept>()
  const lists = new Map<string, EventOf<'todos'>['items']>()

  function add(event: StreamEvent, fields: JsonObject): Kept {
    // A subagent tells its own id, and its parent's if it has one.
    const own = 'agentId' in fields ? {} : besides({ agentId: event.agentId })
    const segment = { type: typeOf(event), ...fields, ...own }
    const place = drafts.add(drafts.of(event))
    drafts.put(place, segment)
    stream.saySegment(event, toldBy(fields), place, segment)
    return { place, segment }
  }

  /** A segment that there is one of: what it says now takes the place of what it said. */
  function upsert(key: string, event: StreamEvent, fields: JsonObject): void {
    const before = kept.get(key)
    if (before === undefined) {
      remember(kept, key, add(event, fields))
      return
    }
    const segment = { ...before.segment, ...fields }
    remember(kept, key, { place: before.place, segment })
    drafts.put(before.place, segment)
    stream.saySegment(event, toldBy(fields), before.place, segment)
  }

  const append = (event: StreamEvent): void => void add(event, ownFields(event))

  return {
    source: append,
    file: append,
    status: append,
    error: append,
    data(event) {
      if (event.transient) stream.sayOwn(event)
      else if (event.id === undefined) append(event)
      else upsert(`data\n${event.name}\n${event.id}`, event, ownFields(event))
    },
    todos(event) {
      const items = todosAfter(lists.get(event.listId) ?? [], event)
      remember(lists, event.listId, items)
      const whole: EventOf<'todos'> = { ...event, op: 'set', items }
      upsert(`todos\n${event.listId}`, whole, ownFields(whole))
    },
    approval: (event) => upsert(`approval\n${event.approvalId}`, event, ownFields(event)),
    'subagent-start'(event) {
      const { agentId, parentAgentId, messageId } = event
      const parent = parentAgentId === undefined ? {} : { agentId: parentAgentId }
      const draft = drafts.of({ ...parent, ...(messageId !== undefined && { messageId }) })
      drafts.placeAgent(agentId, draft)
      upsert(`agent\n${agentId}`, event, { ...ownFields(event), agentId })
    },
    'subagent-end': (event) =>
      upsert(`agent\n${event.agentId}`, event, { ...ownFields(event), agentId: event.agentId }),
  }
}

const typeOf = ({ type }: StreamEvent): string => (type === 'subagent-start' ? 'subagent' : type)

function ownFields(event: StreamEvent): JsonObject {
  const own: Record<string, Json> = {}
  for (const [field, value] of Object.entries(event)) {
    if (!PLACES.has(field) && value !== undefined) own[field] = value as Json
  }
  return own
}

const toldBy = (fields: JsonObject): ReadonlySet<string> => new Set(Object.keys(fields))
