import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

const hasId = ({ id }: JsonObject) => isText(id)
const hasCall = ({ toolCallId, id }: JsonObject) => isText(toolCallId) || isText(id)
const has = (field: string) => (value: JsonObject) => field in value

interface Sign {
  readonly certainty: number
  readonly fits: (value: JsonObject) => boolean
}

const sign = (certainty: number, fits: (value: JsonObject) => boolean = () => true): Sign => ({ certainty, fits })

/** The certainty of each type, and the fields that it needs: other formats use `start`, `error` and `raw` too. */
const signs: { readonly [type: string]: Sign } = {
  start: sign(0.7, (value) =>
    Object.keys(value).every((key) => ['type', 'messageId', 'messageMetadata'].includes(key)),
  ),
  finish: sign(
    0.8,
    (value) => ['finishReason', 'messageMetadata', 'totalUsage'].some((key) => key in value) || isBare(value),
  ),
  abort: sign(0.5, (value) => isBare(value) || isText(value.reason)),
  error: sign(0.8, ({ errorText }) => isText(errorText)),
  'message-metadata': sign(0.95, has('messageMetadata')),
  'start-step': sign(0.95),
  'finish-step': sign(0.95),
  'reset-step': sign(0.95),
  'text-start': sign(0.95, hasId),
  'text-delta': sign(0.95, (value) => hasId(value) && (isText(value.delta) || isText(value.text))),
  'text-end': sign(0.95, hasId),
  'reasoning-start': sign(0.95, hasId),
  'reasoning-delta': sign(0.95, (value) => hasId(value) && (isText(value.delta) || isText(value.text))),
  'reasoning-end': sign(0.95, hasId),
  'tool-input-start': sign(0.95, hasCall),
  'tool-input-delta': sign(0.95, hasCall),
  'tool-input-end': sign(0.95, hasCall),
  'tool-input-available': sign(0.95, hasCall),
  'tool-input-error': sign(0.95, hasCall),
  'tool-output-available': sign(0.95, hasCall),
  'tool-output-error': sign(0.95, hasCall),
  'tool-output-denied': sign(0.95, hasCall),
  'tool-approval-request': sign(0.95, has('approvalId')),
  'tool-approval-response': sign(0.95, has('approvalId')),
  'tool-call': sign(0.85, (value) => isText(value.toolCallId) && isText(value.toolName)),
  'tool-result': sign(0.85, (value) => isText(value.toolCallId)),
  'tool-error': sign(0.85, (value) => isText(value.toolCallId)),
  'source-url': sign(0.95, has('url')),
  'source-document': sign(0.95, has('mediaType')),
  source: sign(0.8, has('sourceType')),
  file: sign(0.7, (value) => isText(value.mediaType) || 'file' in value),
  'reasoning-file': sign(0.95),
  custom: sign(0.6, ({ kind }) => isText(kind)),
  'steering-message': sign(0.9),
  'stream-start': sign(0.85, has('warnings')),
  'response-metadata': sign(0.85),
  raw: sign(0.5, has('rawValue')),
  ping: sign(0.3),
}

const isBare = (value: JsonObject) => Object.keys(value).length === 1

const data = sign(0.8, has('data'))

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value) || 'payload' in value) return undefined
  const { type } = value
  if (typeof type !== 'string') return undefined
  const matchingSign = type.startsWith('data-') ? data : Object.hasOwn(signs, type) ? signs[type] : undefined
  // The `error` part of `fullStream` looks like that of many other formats.
  if (type === 'error' && 'error' in value) return { certainty: 0.3, reason: 'a record is an error' }
  return matchingSign?.fits(value)
    ? { certainty: matchingSign.certainty, reason: `a record is an AI SDK ${type}` }
    : undefined
}
