import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { OwnState } from './own.ts'

type Fields = { readonly [field: string]: Json | undefined }
type Told = (record: JsonObject, segment: JsonObject, state: OwnState) => Fields

const eventOf = ({ event }: JsonObject): JsonObject => (isJsonObject(event) ? event : {})
const modelIn = (details: Json | undefined) => (isJsonObject(details) ? details.model : undefined)

/** The text of a segment; reasoning has it in parts. */
function textOf({ text, parts }: JsonObject): string {
  if (typeof text === 'string') return text
  const said = Array.isArray(parts) ? parts.map((part: Json) => (isJsonObject(part) ? part.text : '')) : []
  return said.filter((part) => typeof part === 'string').join('')
}

/** The tool of a record or segment like `web_search_call_searching`. */
const toolIn = (type: Json | undefined) => /^(web_search|code_interpreter)_call/.exec(String(type))?.[1]

const idIn = (record: JsonObject, segment: JsonObject) => segment.id ?? record.tool_id ?? record.item_id

/** Whether an input is no JSON: the arguments are then none. */
const isUnreadable = ({ millrace }: JsonObject) => isJsonObject(millrace) && millrace.error !== undefined

/** What the protocol's own fields tell of an event. An event without a row is told elsewhere, whole. */
const rows: { readonly [type: string]: Told } = {
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

const fieldsOf: Told = (_record, { type: _type, millrace: _own, ...fields }) => fields

export function toldBy(type: string, record: JsonObject, state: OwnState): Fields {
  const segment = isJsonObject(record.segment) ? record.segment : {}
  const row = Object.hasOwn(rows, type) ? (rows[type] as Told) : fieldsOf
  const told = row(record, segment, state)
  return { ...told, type }
}
