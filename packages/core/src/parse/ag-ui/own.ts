import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type ParserState, SILENT, understood, unmapped } from '../parser.ts'

type Fields = { readonly [field: string]: Json | undefined }

/** What a chunk of ours stands for: its fields, and what it says under `millrace`. Absent fields are left out later. */
type Row = (raw: Fields, own: Fields) => readonly Fields[]

/** Whether a stream that begins so was written by Millrace, which says beside each event what the protocol cannot. */
export function isOwn(value: unknown): boolean {
  const raw = isJsonObject(value) ? value : {}
  return raw.type === 'RUN_STARTED' && ownOf(raw).version === 1
}

function ownOf({ metadata }: Fields): Fields {
  return isJsonObject(metadata) && isJsonObject(metadata.millrace) ? metadata.millrace : {}
}

/** Reads back what was written: each event as it was, and no run but the one that the stream is about. */
export function createOwn(): ParserState {
  let end: StreamEvent | undefined
  /** What the ids of blocks and calls begin with: the client's must differ from run to run. */
  let prefix = ''

  const ending: Row = ({ result }, { outcome, reason, error, result: nothing, again }) => {
    const fields = { type: 'run-end', outcome: again === true ? 'awaiting-input' : outcome, reason, error }
    return [{ ...fields, result: result ?? nothing }]
  }

  function push(value: unknown): readonly StreamEvent[] {
    const raw = value as Fields
    const type = String(raw.type)
    const own = ownOf(raw)
    if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') {
      end = placed(ending(raw, own), raw, own, prefix)[0]
      return SILENT
    }
    if (type === 'RUN_STARTED') end = undefined
    if (own.version !== undefined) prefix = `${raw.runId}/`
    // What a pause made the writer end or begin is neither over nor new.
    if (own.again === true) return SILENT
    const row = Object.hasOwn(rows, type) ? rows[type] : undefined
    return row === undefined ? unmapped(value) : understood(placed(row(raw, own), raw, own, prefix))
  }

  return { push, end: () => (end === undefined ? [] : [end]) }
}

const NAMES = ['blockId', 'callId', 'parentCallId'] as const

function placed(events: readonly Fields[], raw: Fields, { meta }: Fields, prefix: string): StreamEvent[] {
  return events.map((fields) => {
    const event: Record<string, Json> = {}
    const whole = { agentId: raw.subagentRunId, sentAt: raw.timestamp, meta, ...fields }
    for (const [field, value] of Object.entries<Json | undefined>(whole)) if (value !== undefined) event[field] = value
    for (const name of NAMES) {
      const id = event[name]
      if (typeof id === 'string' && id.startsWith(prefix)) event[name] = id.slice(prefix.length)
    }
    return event as unknown as StreamEvent
  })
}

const NOTHING: Row = () => []

const blockStart: Row = ({ type, messageId }, { variant }) => {
  const kind = type === 'TEXT_MESSAGE_START' ? 'text' : 'reasoning'
  return [{ type: 'block-start', blockId: messageId, kind, variant }]
}

const blockDelta: Row = ({ messageId, delta }) => [{ type: 'block-delta', blockId: messageId, text: delta }]

const blockEnd: Row = ({ messageId: blockId }, { citations, interrupted }) => [
  ...(citations === undefined ? [] : [{ type: 'block-patch', blockId, citations }]),
  { type: 'block-end', blockId, interrupted },
]

const subagentEnd: Row = ({ subagentRunId: agentId, result }, { status = 'done', summary }) => [
  { type: 'subagent-end', agentId, status, summary: summary ?? result },
]

/** What an activity is, in our words. */
const activities: { readonly [is: string]: Row } = {
  todos: ({ content }, { listId, callId }) => [
    { type: 'todos', listId, op: 'set', items: isJsonObject(content) ? content.todos : undefined, callId },
  ],
  status: ({ content }) => [{ ...(content as JsonObject), type: 'status' }],
  data: ({ activityType, content }, { id }) => [{ type: 'data', name: activityType, id, data: content }],
  progress: (raw, { callId }) => [{ ...pieceOf(raw), type: 'tool-progress', callId }],
}

/** The newest piece of a tool's progress: the only one of a snapshot, or what a change adds. */
function pieceOf({ content, patch }: Fields): Fields {
  const list = isJsonObject(content) ? content.pieces : patch
  const [first] = Array.isArray(list) ? (list as readonly Json[]) : []
  const piece = content === undefined && isJsonObject(first) ? first.value : first
  return isJsonObject(piece) ? piece : {}
}

const activity: Row = (raw, own) => {
  const row = Object.hasOwn(activities, String(own.is)) ? activities[String(own.is)] : undefined
  return row?.(raw, own) ?? [{ type: 'raw', value: raw as Json, reason: 'unmapped' }]
}

const rows: { readonly [type: string]: Row } = {
  RUN_STARTED: (_raw, { agent, model }) => [{ type: 'run-start', agent, model }],
  STEP_STARTED: (_raw, { kind, name, number }) => [{ type: 'step-start', kind, name, number }],
  STEP_FINISHED: (_raw, { reason }) => [{ type: 'step-end', reason }],
  TEXT_MESSAGE_START: blockStart,
  TEXT_MESSAGE_CONTENT: blockDelta,
  TEXT_MESSAGE_END: blockEnd,
  REASONING_START: NOTHING,
  REASONING_MESSAGE_START: blockStart,
  REASONING_MESSAGE_CONTENT: blockDelta,
  REASONING_MESSAGE_END: blockEnd,
  REASONING_END: NOTHING,
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
  TOOL_CALL_RESULT({ toolCallId: callId, content }, { status = 'ok', error, json, output: silent }) {
    const said = json === true ? (JSON.parse(String(content)) as Json) : content
    return [{ type: 'tool-output', callId, status, output: silent === undefined ? said : silent, error }]
  },
  STATE_SNAPSHOT: ({ snapshot }, { channel }) => [{ type: 'state', channel, op: 'snapshot', value: snapshot }],
  STATE_DELTA: ({ delta }, { channel }) => [{ type: 'state', channel, op: 'patch', value: delta }],
  ACTIVITY_SNAPSHOT: activity,
  ACTIVITY_DELTA: activity,
  SUBAGENT_STARTED({ subagentRunId: agentId, name, description, parentSubagentRunId, parentToolCallId }, own) {
    const parentAgentId = parentSubagentRunId ?? own.parentAgentId
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
