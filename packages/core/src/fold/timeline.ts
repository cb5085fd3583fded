import type { Role, TodoStatus } from '../event-fields.ts'
import type { EventType } from '../events.ts'
import type { Json } from '../json.ts'
import { subagentEndLine, subagentStartLine } from '../meaning/activity-lines.ts'
import type { ChatEvent, Segment, SegmentOf, SegmentType, ToolSegment } from './shapes.ts'

export interface TimelineCall {
  readonly id: string
  readonly name: string
  readonly arguments?: Json
}

export interface TimelineResult {
  readonly id: string
  readonly content?: Json
  readonly isError: boolean
  readonly error?: string
}

interface Said<Type extends string> {
  readonly type: Type
  readonly content: string
  /** Milliseconds since 1970, a number, because a `Date` does not survive JSON. */
  readonly timestamp: number
  readonly id: string
}

export interface SystemMessage extends Said<'system_message'> {
  /** The event that it comes from, or the role of a message that neither the person nor the agent wrote. */
  readonly originalEventType: EventType | Role
}

export interface ToolExecution {
  readonly type: 'tool_execution'
  readonly callId: string
  readonly call: TimelineCall
  /** Absent while the call is pending. */
  readonly result?: TimelineResult
  readonly timestamp: number
}

/** Text that is still being written: it has no id, because the message that takes its place has one. */
export interface EphemeralMessage {
  readonly type: 'ephemeral_message'
  readonly messageType: Speaker
  readonly content: string
  readonly timestamp: number
}

export type TimelineItem =
  | Said<'thinking'>
  | Said<'agent_message'>
  | Said<'user_message'>
  | SystemMessage
  | ToolExecution
  | EphemeralMessage

type Speaker = Role | 'subagent'

/** Whose segments these are. */
interface Place {
  readonly chatEventId: string
  readonly speaker: Speaker
}

/** Everything that happened, flat, in the order of arrival. What was retracted is left out. */
export function timelineOf(chatEvents: readonly ChatEvent[]): readonly TimelineItem[] {
  return chatEvents
    .filter((chatEvent) => chatEvent.state !== 'retracted')
    .flatMap(({ id, role, segments }) => itemsOf(segments, { chatEventId: id, speaker: role }))
}

function itemsOf(segments: readonly Segment[], place: Place): readonly TimelineItem[] {
  return segments.flatMap((segment) => {
    const row = rows[segment.type] as (segment: Segment, place: Place) => readonly TimelineItem[]
    return row(segment, place)
  })
}

const rows: { readonly [Type in SegmentType]: (segment: SegmentOf<Type>, place: Place) => readonly TimelineItem[] } = {
  text(segment, place) {
    const { text: content, startedAt: timestamp, state } = segment
    if (content.trim() === '') return []
    const { speaker } = place
    if (state === 'live') return [{ type: 'ephemeral_message', messageType: speaker, content, timestamp }]
    const id = idOf(place, segment.id)
    if (speaker === 'assistant') return [{ type: 'agent_message', content, timestamp, id }]
    if (speaker === 'user') return [{ type: 'user_message', content, timestamp, id }]
    const originalEventType = speaker === 'subagent' ? 'block-start' : speaker
    return [{ type: 'system_message', content, timestamp, id, originalEventType }]
  },
  reasoning({ id, text: content, startedAt: timestamp }, place) {
    return content.trim() === '' ? [] : [{ type: 'thinking', content, timestamp, id: idOf(place, id) }]
  },
  tool: (segment) => (segment.shownAs === undefined ? [toolExecution(segment)] : []),
  status({ lines, seqs: [first] }, place) {
    return lines.map(({ message, at }, index) => system('status', place, `status-${first}-${index + 1}`, message, at))
  },
  todos({ listId, items, startedAt }, place) {
    const lines = items.map(({ status, content }) => `[${todoMarks[status]}] ${content}`)
    return lines.length === 0 ? [] : [system('todos', place, listId, lines.join('\n'), startedAt)]
  },
  subagent(segment, place) {
    const { agentId, name, state, summary, segments, startedAt, endedAt } = segment
    const start = system('subagent-start', place, agentId, subagentStartLine(segment), startedAt)
    const inside = itemsOf(segments, { ...place, speaker: 'subagent' })
    if (state === 'live') return [start, ...inside]
    const line = subagentEndLine(name, state, summary)
    return [start, ...inside, system('subagent-end', place, `${agentId}-end`, line, endedAt ?? startedAt)]
  },
  approval({ approvalId, state, message, startedAt }, place) {
    const content = message === undefined ? `Approval ${state}` : `Approval ${state}: ${message}`
    return [system('approval', place, approvalId, content, startedAt)]
  },
  source({ sourceId, title, url, startedAt }, place) {
    const named = [title, url].filter((part) => part !== undefined).join(' ')
    return [system('source', place, sourceId, named === '' ? sourceId : named, startedAt)]
  },
  file: ({ fileId, filename, mediaType, startedAt }, place) => [
    system('file', place, fileId, filename ?? mediaType, startedAt),
  ],
  data: ({ name, data, startedAt, seqs: [first] }, place) => [
    system('data', place, `data-${first}`, `${name}: ${JSON.stringify(data)}`, startedAt),
  ],
  error: ({ message, startedAt, seqs: [first] }, place) => [
    system('error', place, `error-${first}`, message, startedAt),
  ],
}

const todoMarks: { readonly [Status in TodoStatus]: string } = {
  pending: ' ',
  in_progress: '~',
  completed: 'x',
  cancelled: '-',
}

function system(
  originalEventType: EventType,
  place: Place,
  segmentId: string,
  content: string,
  timestamp: number,
): SystemMessage {
  return { type: 'system_message', content, timestamp, id: idOf(place, segmentId), originalEventType }
}

function toolExecution(segment: ToolSegment): ToolExecution {
  const { callId, name, input, inputText, startedAt } = segment
  const given = input ?? inputText
  const result = resultOf(segment)
  return {
    type: 'tool_execution',
    callId,
    call: { id: callId, name, ...(given !== undefined && { arguments: given }) },
    ...(result !== undefined && { result }),
    timestamp: startedAt,
  }
}

/** A call has its result once it ended, whichever way. */
function resultOf({ callId, state, output, error, endedAt }: ToolSegment): TimelineResult | undefined {
  if (endedAt === undefined) return undefined
  return {
    id: callId,
    ...(output !== undefined && { content: output }),
    isError: state !== 'done',
    ...(error !== undefined && { error }),
  }
}

function idOf({ chatEventId }: Place, segmentId: string): string {
  return `${chatEventId}:${segmentId}`
}
