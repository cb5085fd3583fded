import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { definedIn, objectIn, objectsIn } from '../kit/fields.ts'
import { type ParserState, SILENT, understood, unmapped } from '../parser.ts'

type Fields = { readonly [field: string]: Json | undefined }

/** The fields of the events that a chunk stands for, given its own fields and its marks under `metadata.millrace`. */
type Row = (raw: Fields, marks: Fields) => readonly Fields[]

/** Whether Millrace wrote the stream that begins with this value: its marks hold what the protocol cannot express. */
export function isMillraceStream(value: unknown): boolean {
  const raw = objectIn(value)
  return raw.type === 'RUN_STARTED' && marksOf(raw).version === 1
}

const marksOf = ({ metadata }: Fields): Fields => objectIn(objectIn(metadata).millrace)

/** Restores the events that Millrace wrote: each as it was, and only the run that the stream is about. */
export function createMillraceParser(): ParserState {
  let end: StreamEvent | undefined
  /** The prefix of the ids of blocks and calls: a client requires ids that differ from run to run. */
  let prefix = ''

  const ending: Row = ({ result }, { outcome, reason, error, result: markedResult, again }) => {
    const fields = { type: 'run-end', outcome: again === true ? 'awaiting-input' : outcome, reason, error }
    return [{ ...fields, result: result ?? markedResult }]
  }

  function push(value: unknown): readonly StreamEvent[] {
    const raw = value as Fields
    const type = String(raw.type)
    const marks = marksOf(raw)
    if (type === 'RUN_ERROR' && !isMarked(raw, marks)) throw new TypeError('The marks do not hold the error.')
    if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') {
      end = completeEvents(ending(raw, marks), raw, marks, prefix)[0]
      return SILENT
    }
    if (type === 'RUN_STARTED') end = undefined
    if (marks.version !== undefined) prefix = `${raw.runId}/`
    // An end or a beginning that the writer added for a pause is not one of the run.
    if (marks.again === true) return SILENT
    const row = Object.hasOwn(rows, type) ? rows[type] : undefined
    return row === undefined ? unmapped(value) : understood(completeEvents(row(raw, marks), raw, marks, prefix))
  }

  return { push, end: () => (end === undefined ? [] : [end]) }
}

/** What the writer says of a run that failed without an error or a reason. */
const DEFAULT_MESSAGES: readonly unknown[] = ['The run failed.', 'The run was interrupted.']

/** Whether the marks of a failed run hold its message. */
function isMarked({ message }: Fields, { outcome, reason, error }: Fields): boolean {
  return outcome !== undefined && [objectIn(error).message, reason, ...DEFAULT_MESSAGES].includes(message)
}

const ID_FIELDS = ['blockId', 'callId', 'parentCallId'] as const

function completeEvents(events: readonly Fields[], raw: Fields, { meta }: Fields, prefix: string): StreamEvent[] {
  return events.map((fields) => {
    const ids: { [field: string]: string } = {}
    for (const name of ID_FIELDS) {
      const id = fields[name]
      if (typeof id === 'string' && id.startsWith(prefix)) ids[name] = id.slice(prefix.length)
    }
    const whole = { agentId: raw.subagentRunId, sentAt: raw.timestamp, meta, ...fields, ...ids }
    return definedIn(whole) as unknown as StreamEvent
  })
}

const NO_EVENTS: Row = () => []

const blockStart: Row = ({ type, messageId }, { variant }) => {
  const kind = type === 'TEXT_MESSAGE_START' ? 'text' : 'reasoning'
  return [{ type: 'block-start', blockId: messageId, kind, variant }]
}

const blockDelta: Row = ({ messageId, delta }) => [{ type: 'block-delta', blockId: messageId, text: delta }]

const blockEnd: Row = ({ messageId: blockId }, { citations, answer, interrupted }) => [
  ...((citations ?? answer) === undefined ? [] : [{ type: 'block-patch', blockId, citations, answer }]),
  { type: 'block-end', blockId, interrupted },
]

const subagentEnd: Row = ({ subagentRunId: agentId, result }, { status = 'done', summary }) => [
  { type: 'subagent-end', agentId, status, summary: summary ?? result },
]

/** By the mark `is`: the events of an activity. */
const activities: { readonly [is: string]: Row } = {
  todos: ({ content }, { listId, callId }) => [
    { type: 'todos', listId, op: 'set', items: (content as JsonObject).todos, callId },
  ],
  status: ({ content }) => [{ ...(content as JsonObject), type: 'status' }],
  data: ({ activityType, content }, { id, isValue }) => [
    { type: 'data', name: activityType, id, data: isValue === true ? (content as JsonObject).value : content },
  ],
  progress: (raw, { callId }) => [{ ...newestProgress(raw), type: 'tool-progress', callId }],
}

/** The newest progress of a tool: the only entry of a snapshot, or the entry that a patch adds. */
function newestProgress({ content, patch }: Fields): Fields {
  const [first] = objectsIn(isJsonObject(content) ? content.pieces : patch)
  return objectIn(content === undefined ? first?.value : first)
}

const activity: Row = (raw, marks) => {
  const row = Object.hasOwn(activities, String(marks.is)) ? activities[String(marks.is)] : undefined
  return row?.(raw, marks) ?? [{ type: 'raw', value: raw as Json, reason: 'unmapped' }]
}

const rows: { readonly [type: string]: Row } = {
  RUN_STARTED: (_raw, { agent, model }) => [{ type: 'run-start', agent, model }],
  STEP_STARTED: (_raw, { kind, name, number }) => [{ type: 'step-start', kind, name, number }],
  STEP_FINISHED: (_raw, { reason }) => [{ type: 'step-end', reason }],
  TEXT_MESSAGE_START: blockStart,
  TEXT_MESSAGE_CONTENT: blockDelta,
  TEXT_MESSAGE_END: blockEnd,
  REASONING_START: NO_EVENTS,
  REASONING_MESSAGE_START: blockStart,
  REASONING_MESSAGE_CONTENT: blockDelta,
  REASONING_MESSAGE_END: blockEnd,
  REASONING_END: NO_EVENTS,
  REASONING_ENCRYPTED_VALUE({ subtype, entityId: blockId, encryptedValue }, { is }) {
    if (subtype === 'tool-call') return []
    return [{ type: 'block-patch', blockId, [is === 'signature' ? 'signature' : 'encrypted']: encryptedValue }]
  },
  TOOL_CALL_START: ({ toolCallId: callId, toolCallName: name }, { runBy, title, server, parentCallId }) => [
    { type: 'tool-start', callId, name, runBy, title, server, parentCallId },
  ],
  TOOL_CALL_ARGS: ({ toolCallId: callId, delta }) => [{ type: 'tool-input-delta', callId, text: delta }],
  TOOL_CALL_END: ({ toolCallId: callId }, { input, inputText, error }) => [
    { type: 'tool-input', callId, input, text: inputText, error },
  ],
  TOOL_CALL_RESULT({ toolCallId: callId, content }, { status = 'ok', error, json, output: markedOutput }) {
    const value = json === true ? (JSON.parse(String(content)) as Json) : content
    return [{ type: 'tool-output', callId, status, output: markedOutput === undefined ? value : markedOutput, error }]
  },
  STATE_SNAPSHOT: ({ snapshot }, { channel }) => [{ type: 'state', channel, op: 'snapshot', value: snapshot }],
  STATE_DELTA: ({ delta }, { channel }) => [{ type: 'state', channel, op: 'patch', value: delta }],
  ACTIVITY_SNAPSHOT: activity,
  ACTIVITY_DELTA: activity,
  SUBAGENT_STARTED({ subagentRunId: agentId, name, description, parentSubagentRunId, parentToolCallId }, marks) {
    const parentAgentId = parentSubagentRunId ?? marks.parentAgentId
    return [{ type: 'subagent-start', agentId, name, task: description, callId: parentToolCallId, parentAgentId }]
  },
  SUBAGENT_FINISHED: subagentEnd,
  SUBAGENT_ERROR: subagentEnd,
  RAW: ({ event }, { reason }) => [{ type: 'raw', value: event, reason }],
  CUSTOM({ name, value }, { id, transient }) {
    const type = /^millrace\.(.*)$/s.exec(String(name))?.[1]
    if (type === undefined) return [{ type: 'data', name, id, data: value, transient }]
    return [type === 'metadata' ? { type, metadata: value } : { ...(value as JsonObject), type }]
  },
}
