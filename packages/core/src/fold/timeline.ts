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

interface TextItem<Type extends string> {
  readonly type: Type
  readonly content: string
  /** Milliseconds since 1970, a number, because a `Date` does not survive JSON. */
  readonly timestamp: number
  readonly id: string
}

export interface SystemMessage extends TextItem<'system_message'> {
  /** The type of its event, or the role of a message that neither the user nor the assistant wrote. */
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

/** Text that is still being written. It has no id: the message that replaces it has one. */
export interface EphemeralMessage {
  readonly type: 'ephemeral_message'
  readonly messageType: Speaker
  readonly content: string
  readonly timestamp: number
}

export type TimelineItem =
  | TextItem<'thinking'>
  | TextItem<'agent_message'>
  | TextItem<'user_message'>
  | SystemMessage
  | ToolExecution
  | EphemeralMessage

type Speaker = Role | 'subagent'

/** The chat event and the speaker of segments. */
interface SegmentScope {
  readonly chatEventId: string
  readonly speaker: Speaker
}

/** All items in one flat list, in the order of arrival. Retracted chat events are left out. */
export function timelineOf(chatEvents: readonly ChatEvent[]): readonly TimelineItem[] {
  return chatEvents
    .filter((chatEvent) => chatEvent.state !== 'retracted')
    .flatMap(({ id, role, segments }) => itemsOf(segments, { chatEventId: id, speaker: role }))
}

function itemsOf(segments: readonly Segment[], scope: SegmentScope): readonly TimelineItem[] {
  return segments.flatMap((segment) => {
    const row = rows[segment.type] as (segment: Segment, scope: SegmentScope) => readonly TimelineItem[]
    return row(segment, scope)
  })
}

const rows: {
  readonly [Type in SegmentType]: (segment: SegmentOf<Type>, scope: SegmentScope) => readonly TimelineItem[]
} = {
  text(segment, scope) {
    const { text: content, startedAt: timestamp, state } = segment
    if (content.trim() === '') return []
    const { speaker } = scope
    if (state === 'live') return [{ type: 'ephemeral_message', messageType: speaker, content, timestamp }]
    const id = idOf(scope, segment.id)
    if (speaker === 'assistant') return [{ type: 'agent_message', content, timestamp, id }]
    if (speaker === 'user') return [{ type: 'user_message', content, timestamp, id }]
    const originalEventType = speaker === 'subagent' ? 'block-start' : speaker
    return [{ type: 'system_message', content, timestamp, id, originalEventType }]
  },
  reasoning({ id, text: content, startedAt: timestamp }, scope) {
    return content.trim() === '' ? [] : [{ type: 'thinking', content, timestamp, id: idOf(scope, id) }]
  },
  tool: (segment) => (segment.shownAs === undefined ? [toolExecution(segment)] : []),
  status({ lines, seqs: [first] }, scope) {
    return lines.map(({ message, at }, index) =>
      systemMessage('status', scope, `status-${first}-${index + 1}`, message, at),
    )
  },
  todos({ listId, items, startedAt }, scope) {
    const lines = items.map(({ status, content }) => `[${todoMarks[status]}] ${content}`)
    return lines.length === 0 ? [] : [systemMessage('todos', scope, listId, lines.join('\n'), startedAt)]
  },
  subagent(segment, scope) {
    const { agentId, name, state, summary, segments, startedAt, endedAt } = segment
    const start = systemMessage('subagent-start', scope, agentId, subagentStartLine(segment), startedAt)
    const inside = itemsOf(segments, { ...scope, speaker: 'subagent' })
    if (state === 'live') return [start, ...inside]
    const line = subagentEndLine(name, state, summary)
    return [start, ...inside, systemMessage('subagent-end', scope, `${agentId}-end`, line, endedAt ?? startedAt)]
  },
  approval({ approvalId, state, message, startedAt }, scope) {
    const content = message === undefined ? `Approval ${state}` : `Approval ${state}: ${message}`
    return [systemMessage('approval', scope, approvalId, content, startedAt)]
  },
  source({ sourceId, title, url, startedAt }, scope) {
    const named = [title, url].filter((part) => part !== undefined).join(' ')
    return [systemMessage('source', scope, sourceId, named === '' ? sourceId : named, startedAt)]
  },
  file: ({ fileId, filename, mediaType, startedAt }, scope) => [
    systemMessage('file', scope, fileId, filename ?? mediaType, startedAt),
  ],
  data: ({ name, data, startedAt, seqs: [first] }, scope) => [
    systemMessage('data', scope, `data-${first}`, `${name}: ${JSON.stringify(data)}`, startedAt),
  ],
  error: ({ message, startedAt, seqs: [first] }, scope) => [
    systemMessage('error', scope, `error-${first}`, message, startedAt),
  ],
}

const todoMarks: { readonly [Status in TodoStatus]: string } = {
  pending: ' ',
  in_progress: '~',
  completed: 'x',
  cancelled: '-',
}

function systemMessage(
  originalEventType: EventType,
  scope: SegmentScope,
  segmentId: string,
  content: string,
  timestamp: number,
): SystemMessage {
  return { type: 'system_message', content, timestamp, id: idOf(scope, segmentId), originalEventType }
}

function toolExecution(segment: ToolSegment): ToolExecution {
  const { callId, name, input, inputText, startedAt } = segment
  const callInput = input ?? inputText
  const result = resultOf(segment)
  return {
    type: 'tool_execution',
    callId,
    call: { id: callId, name, ...(callInput !== undefined && { arguments: callInput }) },
    ...(result !== undefined && { result }),
    timestamp: startedAt,
  }
}

/** Undefined until the call has ended, whatever its outcome. */
function resultOf({ callId, state, output, error, endedAt }: ToolSegment): TimelineResult | undefined {
  if (endedAt === undefined) return undefined
  return {
    id: callId,
    ...(output !== undefined && { content: output }),
    isError: state !== 'done',
    ...(error !== undefined && { error }),
  }
}

function idOf({ chatEventId }: SegmentScope, segmentId: string): string {
  return `${chatEventId}:${segmentId}`
}
