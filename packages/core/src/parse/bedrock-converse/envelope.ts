import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { objectIn } from '../kit/fields.ts'
import { namesIn } from '../kit/rows.ts'
import { type Sign, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'
import type { EventName } from './raw.ts'

export interface NamedRecord {
  readonly name: EventName | 'failure' | 'response'
  readonly body: unknown
  /** The name of a failure. */
  readonly failure?: string
  /** The object that holds the body under its name, possibly with other fields. */
  readonly envelope?: JsonObject
}

const names = namesIn('messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop metadata')

const FAILURE = /^[a-z]\w*(Exception|Error)$/i

/**
 * Takes a record out of its envelope. SDKs put the event under its name; some hosts put that under `event`; others send
 * the name as `type` or as the name of the server-sent event, or omit it, as Bedrock's own event stream does.
 */
export function unwrap(value: unknown, sseName: string | undefined): NamedRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const byName = recordByName(value)
  if (byName !== undefined) return byName
  if (isJsonObject(value.event)) return recordByName(value.event)
  if (typeof value.type === 'string') return recordNamed(value.type, value)
  return recordNamed(sseName ?? '', value) ?? recordByFields(value)
}

/** Other members of a union may be present as `null`. */
function recordByName(value: JsonObject): NamedRecord | undefined {
  for (const key in value) {
    const body = value[key]
    if (!isJsonObject(body)) continue
    const named = recordNamed(key, body)
    if (named !== undefined) return { ...named, envelope: value }
  }
  const { content } = objectIn(objectIn(value.output).message)
  return Array.isArray(content) ? { name: 'response', body: value } : undefined
}

function recordNamed(name: string, body: JsonObject): NamedRecord | undefined {
  if (names.has(name)) return { name: name as EventName, body }
  const isFailure = FAILURE.test(name) && typeof (body.message ?? body.Message ?? body.originalMessage) === 'string'
  return isFailure ? { name: 'failure', body, failure: name } : undefined
}

/** Bedrock names an event in its header: without the header its fields identify it. */
function recordByFields(value: JsonObject): NamedRecord | undefined {
  if (typeof value.contentBlockIndex === 'number') {
    if (isJsonObject(value.delta)) return { name: 'contentBlockDelta', body: value }
    return { name: isJsonObject(value.start) ? 'contentBlockStart' : 'contentBlockStop', body: value }
  }
  if (typeof value.stopReason === 'string') return { name: 'messageStop', body: value }
  if (isJsonObject(value.usage) && isJsonObject(value.metrics)) return { name: 'metadata', body: value }
  return value.role === 'assistant' && typeof value.p === 'string' ? { name: 'messageStart', body: value } : undefined
}

const hasIndex: Sign['fits'] = ({ contentBlockIndex }) => typeof contentBlockIndex === 'number'

const signs: { readonly [Name in NamedRecord['name']]: Sign } = {
  messageStart: sign(0.95, ({ role }) => typeof role === 'string'),
  contentBlockStart: sign(1, hasIndex),
  contentBlockDelta: sign(1, (body) => hasIndex(body) && isJsonObject(body.delta)),
  contentBlockStop: sign(1, hasIndex),
  messageStop: sign(0.9, ({ stopReason }) => typeof stopReason === 'string'),
  metadata: sign(0.7, ({ usage }) => isJsonObject(usage) && typeof usage.inputTokens === 'number'),
  failure: sign(0.6),
  response: sign(0.9, ({ stopReason, usage }) => typeof stopReason === 'string' && isJsonObject(usage)),
}

export function recognize({ value, name }: RawRecord): Recognition | undefined {
  const record = unwrap(value, name)
  if (record === undefined) return undefined
  const { certainty, fits } = signs[record.name]
  if (!isJsonObject(record.body) || !fits(record.body)) return undefined
  return { certainty, reason: `a record is a Bedrock ${record.failure ?? record.name}` }
}
