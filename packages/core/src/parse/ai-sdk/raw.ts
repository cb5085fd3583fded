import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { byNames, namesIn } from '../kit/rows.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

/** Fields of one type, each of which may be absent or null. */
type Fields<Names extends string, Value> = { readonly [Name in Names]?: Value | null }
type Texts<Names extends string> = Fields<Names, string>
type Flags<Names extends string> = Fields<Names, boolean>
type Values<Names extends string> = Fields<Names, Json>
type Objects<Names extends string> = Fields<Names, JsonObject>

type Part<Type extends string, Fields = object> = Type extends string
  ? { readonly type: Type; readonly providerMetadata?: ProviderMetadata | null } & Fields
  : never

/** Provider → key → value; the marks of Millrace are under `millrace`. */
export type ProviderMetadata = { readonly [provider: string]: Json }

/**
 * Three streams that share their types: chunks of a UI message, parts of `fullStream`, and the parts of a provider. A
 * field with different names is read from the one that is present.
 */
export type RawPart =
  | Part<'start', Texts<'messageId'> & Values<'messageMetadata'>>
  | Part<'finish' | 'finish-step', Finish>
  | Part<'abort', Values<'reason'>>
  | Part<'error', Texts<'errorText'> & Values<'error'>>
  | Part<'message-metadata', Values<'messageMetadata'>>
  | Part<'start-step' | 'stream-start', Objects<'request'> & Fields<'warnings', readonly Json[]>>
  | Part<'text-start' | 'text-delta' | 'text-end', BlockFields>
  | Part<'reasoning-start' | 'reasoning-delta' | 'reasoning-end', BlockFields>
  | Part<'tool-input-start' | 'tool-input-delta' | 'tool-input-available' | 'tool-input-error', CallFields>
  | Part<'tool-output-available' | 'tool-output-error' | 'tool-output-denied', CallFields>
  | Part<'tool-call' | 'tool-result' | 'tool-error', CallFields>
  | Part<'tool-approval-request' | 'tool-approval-response', ApprovalFields>
  | Part<'source-url' | 'source-document' | 'source', SourceFields>
  | Part<'file' | 'reasoning-file', FileFields>
  | Part<'custom', { readonly kind: string }>
  | Part<'steering-message', Steering>
  | Part<'response-metadata', Texts<'id' | 'modelId'>>
  | Part<'reset-step' | 'tool-input-end' | 'raw' | 'ping'>

type Marked = Fields<'providerMetadata', ProviderMetadata>

/** A delta is `delta` in a UI message and from a provider, `text` in `fullStream`. */
export type BlockFields = Marked & { readonly id: string } & Texts<'delta' | 'text'> &
  Fields<'citations', readonly Json[]>

/**
 * A call's id is `id` while its input streams in `fullStream`. Hand-written servers send `name` instead of `toolName`.
 */
export type CallFields = Marked &
  Texts<'toolCallId' | 'id' | 'toolName' | 'name' | 'title' | 'inputTextDelta' | 'delta' | 'errorText'> &
  Flags<'providerExecuted' | 'invalid' | 'preliminary' | 'isError'> &
  Values<'input' | 'rawInput' | 'output' | 'result' | 'error'> &
  Objects<'toolMetadata'>

export type ApprovalFields = Marked & { readonly approvalId: string } & Fields<'toolCall', CallFields> &
  Texts<'toolCallId' | 'reason' | 'signature'> &
  Flags<'approved' | 'isAutomatic'> &
  Values<'approvalDescriptor' | 'inputSchemaInput'>

export type SourceFields = Marked & { readonly type: string } & Texts<
    'sourceId' | 'id' | 'sourceType' | 'url' | 'title' | 'mediaType' | 'filename'
  >

/** A provider gives the content itself, as `data`. */
export type FileFields = Marked & { readonly type: string } & Texts<'url' | 'mediaType'> &
  Values<'data'> &
  Fields<'file', Texts<'mediaType' | 'base64' | 'base64Data'>>

/** A provider gives its own reason beside the common one. */
export type Finish = Marked &
  Fields<'finishReason', string | Texts<'unified' | 'raw'>> &
  Texts<'rawFinishReason'> &
  Values<'messageMetadata'> &
  Objects<'totalUsage' | 'usage'> &
  Fields<'response', JsonObject & { readonly modelId?: string }>

export type Steering = Texts<'id'> & Fields<'parts', readonly Json[]> & Objects<'message'>

/** A part of an application: its name is the rest of its type. */
export type DataPart = Marked & { readonly type: `data-${string}`; readonly data: Json } & Texts<'id'> &
  Flags<'transient'>

const has = (field: string) => (value: JsonObject) => field in value
const isBare = (value: JsonObject) => Object.keys(value).length === 1
const isOfCall = ({ toolCallId, id }: JsonObject) => isText(toolCallId) || isText(id)
const START_FIELDS = namesIn('type messageId messageMetadata')
const FINISH_FIELDS = ['finishReason', 'messageMetadata', 'totalUsage']

/** The certainty of each type, and the fields that it needs: other formats use `start`, `error` and `raw` too. */
const signs = byNames([
  [sign(0.7, (value) => Object.keys(value).every((key) => START_FIELDS.has(key))), 'start'],
  [sign(0.8, (value) => FINISH_FIELDS.some((key) => key in value) || isBare(value)), 'finish'],
  [sign(0.5, (value) => isBare(value) || isText(value.reason)), 'abort'],
  [sign(0.8, ({ errorText }) => isText(errorText)), 'error'],
  [sign(0.95, has('messageMetadata')), 'message-metadata'],
  [sign(0.95), 'start-step finish-step reset-step reasoning-file'],
  [sign(0.95, ({ id }) => isText(id)), 'text-start text-end reasoning-start reasoning-end'],
  [
    sign(0.95, ({ id, ...value }) => isText(id) && (isText(value.delta) || isText(value.text))),
    'text-delta reasoning-delta',
  ],
  [sign(0.95, isOfCall), 'tool-input-start tool-input-delta tool-input-end tool-input-available tool-input-error'],
  [sign(0.95, isOfCall), 'tool-output-available tool-output-error tool-output-denied'],
  [sign(0.95, has('approvalId')), 'tool-approval-request tool-approval-response'],
  [sign(0.85, ({ toolCallId, toolName }) => isText(toolCallId) && isText(toolName)), 'tool-call'],
  [sign(0.85, ({ toolCallId }) => isText(toolCallId)), 'tool-result tool-error'],
  [sign(0.95, has('url')), 'source-url'],
  [sign(0.95, has('mediaType')), 'source-document'],
  [sign(0.8, has('sourceType')), 'source'],
  [sign(0.7, (value) => isText(value.mediaType) || 'file' in value), 'file'],
  [sign(0.6, ({ kind }) => isText(kind)), 'custom'],
  [sign(0.9), 'steering-message'],
  [sign(0.85, has('warnings')), 'stream-start'],
  [sign(0.85), 'response-metadata'],
  [sign(0.5, has('rawValue')), 'raw'],
  [sign(0.3), 'ping'],
])

const recognizePart = bySigns(Object.fromEntries(signs), (type) => `a record is an AI SDK ${type}`)

export function recognize(record: RawRecord): Recognition | undefined {
  const { value } = record
  if (!isJsonObject(value) || 'payload' in value) return undefined
  const { type } = value
  // The `error` part of `fullStream` looks like that of many other formats.
  if (type === 'error' && 'error' in value) return { certainty: 0.3, reason: 'a record is an error' }
  if (!String(type).startsWith('data-')) return recognizePart(record)
  return 'data' in value ? { certainty: 0.8, reason: `a record is an AI SDK ${type}` } : undefined
}
