import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { MillraceState } from './millrace-reader.ts'

type Fields = { readonly [field: string]: Json | undefined }
type ReadFields = (record: JsonObject, segment: JsonObject, state: MillraceState) => Fields

const eventOf = ({ event }: JsonObject): JsonObject => (isJsonObject(event) ? event : {})
const modelIn = (details: Json | undefined) => (isJsonObject(details) ? details.model : undefined)

/** The text of a segment. Reasoning has its text in parts. */
function textOf({ text, parts }: JsonObject): string {
  if (typeof text === 'string') return text
  const partTexts = Array.isArray(parts) ? parts.map((part: Json) => (isJsonObject(part) ? part.text : '')) : []
  return partTexts.filter((part) => typeof part === 'string').join('')
}

/** The tool of a record or segment like `web_search_call_searching`. */
const toolIn = (type: Json | undefined) => /^(web_search|code_interpreter)_call/.exec(String(type))?.[1]

const idIn = (record: JsonObject, segment: JsonObject) => segment.id ?? record.tool_id ?? record.item_id

/** Whether an input is not valid JSON. Its arguments are then not the input. */
const isUnreadable = ({ millrace }: JsonObject) => isJsonObject(millrace) && millrace.error !== undefined

/** The event fields that the protocol's own fields hold. An event without a row is a segment as it is. */
const rows: { readonly [type: string]: ReadFields } = {
  'run-start': ({ metadata }) => ({ model: modelIn(metadata) }),
  'run-end': (_record, _segment, { error }) => ({ error }),
  'message-start'(record) {
    const { id, role, response_metadata: details } = eventOf(record)
    return { messageId: id, role, model: modelIn(details) }
  },
  'message-end': (record) => ({ messageId: eventOf(record).id }),
  'block-start': ({ type, item_id: id }, segment) => ({
    blockId: segment.id ?? id,
    kind: segment.type ?? (type === 'reasoning_start' ? 'reasoning' : 'text'),
  }),
  'block-delta'(_record, segment, { lengths }) {
    const length = lengths.get(segment.id as string) ?? 0
    return { blockId: segment.id, text: textOf(segment).slice(length) }
  },
  'block-patch': (_record, segment) => (segment.id === undefined ? {} : { blockId: segment.id, text: textOf(segment) }),
  'tool-start': (record, segment) => ({
    callId: idIn(record, segment),
    name: segment.name ?? record.tool_name ?? toolIn(segment.type ?? record.type),
    server: segment.server_label ?? record.server_label,
    title: segment.display_name ?? record.display_name,
  }),
  'tool-input'(record, segment) {
    const { args, code } = segment.id === undefined ? record : segment
    const input = code === undefined ? args : { code }
    return { callId: idIn(record, segment), input: isUnreadable(record) ? undefined : input }
  },
  'tool-progress': (record, segment) => ({ callId: idIn(record, segment) }),
  'tool-output'(record, segment) {
    const { output, error } = segment.id === undefined ? record : segment
    return { callId: idIn(record, segment), output, error }
  },
  'subagent-end': (_record, { agentId, status, summary }) => ({ agentId, status, summary }),
}

const fieldsOf: ReadFields = (_record, { type: _type, millrace: _millrace, ...fields }) => fields

export function fieldsOfEvent(type: string, record: JsonObject, state: MillraceState): Fields {
  const segment = isJsonObject(record.segment) ? record.segment : {}
  const row = Object.hasOwn(rows, type) ? (rows[type] as ReadFields) : fieldsOf
  const eventFields = row(record, segment, state)
  return { ...eventFields, type }
}
