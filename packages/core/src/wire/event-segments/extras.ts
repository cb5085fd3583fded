import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { todosAfter } from '../../meaning/activity-lines.ts'
import { underMillrace } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { SegmentSlot } from './drafts.ts'
import type { CarriedFields, Stream } from './stream.ts'

type ExtraRows = Pick<
  Rows,
  'source' | 'file' | 'status' | 'error' | 'data' | 'todos' | 'approval' | 'subagent-start' | 'subagent-end'
>

interface KeptSegment {
  readonly slot: SegmentSlot
  readonly segment: JsonObject
}

/** The type and scope of an event. */
const SCOPE_FIELDS: ReadonlySet<string> = new Set(['type', 'messageId', 'agentId', 'sentAt', 'meta'])

/**
 * Segments of types that the protocol does not have: an event's own fields under our names. Its clients skip segments of
 * unknown types.
 */
export function extraRows(stream: Stream): ExtraRows {
  const { drafts } = stream
  /** The segments that may change, by type and id. */
  const keptSegments = new Map<string, KeptSegment>()
  const lists = new Map<string, EventOf<'todos'>['items']>()

  function add(event: StreamEvent, fields: JsonObject): KeptSegment {
    // The segment of a subagent already has the subagent's id.
    const extra = 'agentId' in fields ? {} : underMillrace({ agentId: event.agentId })
    const segment = { type: typeOf(event), ...fields, ...extra }
    const slot = drafts.add(drafts.of(event))
    drafts.put(slot, segment)
    stream.emitSegment(event, carriedBy(fields), slot, segment)
    return { slot, segment }
  }

  /** Adds a segment, or replaces the fields of the segment with this key. */
  function upsert(key: string, event: StreamEvent, fields: JsonObject): void {
    const before = keptSegments.get(key)
    if (before === undefined) {
      remember(keptSegments, key, add(event, fields))
      return
    }
    const segment = { ...before.segment, ...fields }
    remember(keptSegments, key, { slot: before.slot, segment })
    drafts.put(before.slot, segment)
    stream.emitSegment(event, carriedBy(fields), before.slot, segment)
  }

  const append = (event: StreamEvent): void => void add(event, payloadOf(event))

  return {
    // A source that is reported again is still one source.
    source(event) {
      const key = `source\n${event.sourceId}`
      if (keptSegments.has(key)) stream.emitMillrace(event)
      else upsert(key, event, payloadOf(event))
    },
    file: append,
    status: append,
    error: append,
    data(event) {
      if (event.transient) stream.emitMillrace(event)
      else if (event.id === undefined) append(event)
      else upsert(`data\n${event.name}\n${event.id}`, event, payloadOf(event))
    },
    todos(event) {
      const items = todosAfter(lists.get(event.listId) ?? [], event)
      remember(lists, event.listId, items)
      const whole: EventOf<'todos'> = { ...event, op: 'set', items }
      upsert(`todos\n${event.listId}`, whole, payloadOf(whole))
    },
    approval: (event) => upsert(`approval\n${event.approvalId}`, event, payloadOf(event)),
    'subagent-start'(event) {
      const { agentId, parentAgentId, messageId } = event
      const parent = parentAgentId === undefined ? {} : { agentId: parentAgentId }
      const draft = drafts.of({ ...parent, ...(messageId !== undefined && { messageId }) })
      drafts.assignAgent(agentId, draft)
      drafts.expect(draft, 1)
      upsert(`agent\n${agentId}`, event, { ...payloadOf(event), agentId })
    },
    'subagent-end'(event) {
      const { agentId } = event
      upsert(`agent\n${agentId}`, event, { ...payloadOf(event), agentId })
      drafts.expect(drafts.of({ agentId }), -1)
    },
  }
}

const typeOf = ({ type }: StreamEvent): string => (type === 'subagent-start' ? 'subagent' : type)

function payloadOf(event: StreamEvent): JsonObject {
  const payload: Record<string, Json> = {}
  for (const [field, value] of Object.entries(event)) {
    if (!SCOPE_FIELDS.has(field) && value !== undefined) payload[field] = value as Json
  }
  return payload
}

const carriedBy = (fields: JsonObject): CarriedFields => new Set(Object.keys(fields))
