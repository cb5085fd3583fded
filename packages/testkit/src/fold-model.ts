import type { EventOf, EventType, StreamEvent } from '@millrace/core/events'
import { modelSteps } from './fold-model/steps.ts'
import { modelTool } from './fold-model/tools.ts'
import { modelUsage } from './fold-model/usage.ts'

type Stream = readonly StreamEvent[]
type Shape = { readonly [field: string]: unknown }

/**
 * What a well-formed run shows, without times, positions and metadata of providers. Written independently of the fold:
 * it looks up in the whole stream what each segment must say, where the fold changes drafts entry by entry.
 */
export function modelOf(events: Stream): Shape {
  const ids = mainMessages(events).map(({ messageId }) => messageId)
  const last = mainMessages(events).findLast(({ role }) => role === 'assistant')?.messageId
  const end = events.findLast((event) => event.type === 'run-end')
  const shown = events.flatMap((event, at) => {
    const segment = segmentOf(events, event, at)
    return segment === undefined ? [] : [{ owner: ownerOf(events, event, at), segment }]
  })
  const isShown = shown.findLast(({ owner }) => owner === `message ${last}`)?.segment
  if (end?.error !== undefined && !(isShown?.type === 'error' && isShown.message === end.error.message)) {
    shown.push({ owner: `message ${last}`, segment: { type: 'error', ...end.error } })
  }
  const under = (owner: string): readonly Shape[] =>
    joinedStatuses(shown.filter((each) => each.owner === owner).map(({ segment }) => segment)).map((segment) =>
      segment.type === 'subagent' ? { ...segment, segments: under(`agent ${segment.agentId}`) } : segment,
    )
  return {
    messages: ids.map((id) => ({ ...messageOf(events, id), segments: under(`message ${id}`) })),
    usage: modelUsage(events),
  }
}

const contentOf = ({ messageId: _m, agentId: _a, sentAt: _s, meta: _n, ...content }: StreamEvent): Shape => content

const mainMessages = (events: Stream) =>
  events.filter(
    (event): event is EventOf<'message-start'> => event.type === 'message-start' && event.agentId === undefined,
  )

function messageOf(events: Stream, messageId: string): Shape {
  const start = events.findIndex((event) => event.type === 'message-start' && event.messageId === messageId)
  const end = events.findIndex((event) => event.type === 'message-end' && event.messageId === messageId)
  const { role, model } = events[start] as EventOf<'message-start'>
  const inside = events.slice(start, end)
  const later = inside.findLast(
    (event) => event.type === 'metadata' && event.agentId === undefined && typeof event.metadata.model === 'string',
  )
  const isRetracted = events.some((event) => event.type === 'message-retract' && event.messageIds.includes(messageId))
  const { interrupted } = events[end] as EventOf<'message-end'>
  return {
    id: `run/${messageId}`,
    role,
    model: later?.type === 'metadata' ? later.metadata.model : model,
    state: isRetracted ? 'retracted' : interrupted ? 'interrupted' : 'done',
    usage: modelUsage(
      inside.filter((event) => event.agentId === undefined && !(event.type === 'usage' && event.scope === 'run')),
    ),
    steps: modelSteps(events, messageId),
  }
}

/** The message or the subagent in which an event is drawn. */
function ownerOf(events: Stream, event: StreamEvent, at: number): string {
  if (event.type === 'subagent-start') {
    if (event.parentAgentId !== undefined) return `agent ${event.parentAgentId}`
  } else if (event.agentId !== undefined) return `agent ${event.agentId}`
  const before = events.slice(0, at)
  const open = mainMessages(before).findLast(({ messageId }) => {
    return !before.some((other) => other.type === 'message-end' && other.messageId === messageId)
  })
  return `message ${event.messageId ?? open?.messageId}`
}

type Segments = {
  readonly [Type in EventType]?: (events: Stream, event: EventOf<Type>, at: number) => Shape | undefined
}

/** The segment that begins with an event, as it is at the end. */
const segments: Segments = {
  'block-start': block,
  'tool-start': modelTool,
  approval(events, event, at) {
    const { approvalId, callId } = event
    const same = events.filter((other) => other.type === 'approval' && other.approvalId === approvalId)
    return callId === undefined && isFirst(events, at, (other) => same.includes(other)) ? merged(same) : undefined
  },
  source: (events, event, at) =>
    isFirst(events, at, (other) => other.type === 'source' && other.sourceId === event.sourceId)
      ? contentOf(event)
      : undefined,
  file: (_events, event) => contentOf(event),
  error: (_events, event) => contentOf(event),
  status: (_events, { message, level }) => ({ type: 'status', lines: [{ message, level }] }),
  data(events, event, at) {
    const isSame = (other: StreamEvent) =>
      other === event ||
      (other.type === 'data' &&
        !other.transient &&
        other.id !== undefined &&
        other.id === event.id &&
        other.name === event.name)
    if (event.transient || !isFirst(events, at, isSame)) return undefined
    return { ...contentOf(event), data: (events.findLast(isSame) as EventOf<'data'>).data }
  },
  todos(events, event, at) {
    const isSame = (other: StreamEvent) => other.type === 'todos' && other.listId === event.listId
    return isFirst(events, at, isSame)
      ? { type: 'todos', listId: event.listId, items: itemsOf(events.filter(isSame) as EventOf<'todos'>[]) }
      : undefined
  },
  'subagent-start'(events, { agentId, name, task, callId }) {
    const end = events.find((event) => event.type === 'subagent-end' && event.agentId === agentId)
    const { status, summary } = end as EventOf<'subagent-end'>
    return { type: 'subagent', agentId, name, task, callId, state: status, summary }
  },
}

function segmentOf(events: Stream, event: StreamEvent, at: number): Shape | undefined {
  const row = segments[event.type] as
    | ((events: Stream, event: StreamEvent, at: number) => Shape | undefined)
    | undefined
  return row?.(events, event, at)
}

const isFirst = (events: Stream, at: number, isSame: (event: StreamEvent) => boolean) => events.findIndex(isSame) === at

const merged = (events: Stream): Shape => Object.assign({}, ...events.map(contentOf))

function block(events: Stream, { blockId, kind, variant }: EventOf<'block-start'>): Shape {
  const own = events.filter((event) => 'blockId' in event && event.blockId === blockId && event.type !== 'source')
  const patches = own.filter((event) => event.type === 'block-patch')
  const rewritten = own.findLastIndex((event) => event.type === 'block-patch' && event.text !== undefined)
  const added = own.slice(rewritten + 1).flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
  const { type: _type, blockId: _blockId, text = '', answer: _answer, ...assigned } = merged(patches)
  // An answer is made of the text before it.
  const { answer } = merged(own.slice(Math.max(0, rewritten)).filter((event) => event.type === 'block-patch'))
  const end = own.find((event) => event.type === 'block-end')
  const state = end?.interrupted ? 'interrupted' : 'done'
  return { type: kind, id: blockId, text: `${text}${added.join('')}`, variant, state, ...assigned, answer }
}

/** The items of a list: those of the last `set`, each with its later updates. */
function itemsOf(changes: readonly EventOf<'todos'>[]): readonly Shape[] {
  const since = changes.slice(
    Math.max(
      0,
      changes.findLastIndex(({ op }) => op === 'set'),
    ),
  )
  const all = since.flatMap(({ items }) => items)
  const ids = [...new Set(all.map(({ id }) => id))]
  return ids.map((id) => {
    const states = all.filter((item) => item.id === id)
    const content = states.findLast((item) => item.content !== '')?.content ?? ''
    return { id, content, status: states.at(-1)?.status }
  })
}

/** Statuses that follow each other are one segment. */
function joinedStatuses(shown: readonly Shape[]): readonly Shape[] {
  const joined: Shape[] = []
  for (const segment of shown) {
    const last = joined.at(-1)
    const isMore = segment.type === 'status' && last?.type === 'status'
    if (isMore) joined.pop()
    const lines = [last, segment].flatMap((each) => (each?.lines ?? []) as readonly unknown[])
    joined.push(isMore ? { ...segment, lines } : segment)
  }
  return joined
}
