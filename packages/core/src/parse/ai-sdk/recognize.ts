import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { byNames } from '../kit/rows.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

const has = (field: string) => (value: JsonObject) => field in value
const isBare = (value: JsonObject) => Object.keys(value).length === 1
const isOfCall = ({ toolCallId, id }: JsonObject) => isText(toolCallId) || isText(id)
const START_FIELDS: ReadonlySet<string> = new Set(['type', 'messageId', 'messageMetadata'])
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
