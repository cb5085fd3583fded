import { isJsonObject, type JsonObject } from '../../json.ts'
import type { EventName } from './raw.ts'

export interface Named {
  readonly name: EventName | 'failure' | 'response'
  readonly body: unknown
  /** The name of a failure. */
  readonly failure?: string
  /** Where the body stood under its name: other fields may stand beside it. */
  readonly envelope?: JsonObject
}

const names: ReadonlySet<string> = new Set<EventName>([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
])

const FAILURE = /^[a-z]\w*(Exception|Error)$/i

/**
 * Takes a record out of its envelope. SDKs put the event under its name; some hosts put that under `event`; others
 * write the name as `type` or as the name of the server-sent event, or leave it out, as the wire itself does.
 */
export function open(value: unknown, sseName: string | undefined): Named | undefined {
  if (!isJsonObject(value)) return undefined
  const under = underItsName(value)
  if (under !== undefined) return under
  if (isJsonObject(value.event)) return underItsName(value.event)
  const isTyped = typeof value.type === 'string'
  const said = isTyped ? (value.type as string) : sseName
  return (said === undefined ? undefined : named(said, value)) ?? (isTyped ? undefined : byItsFields(value))
}

/** A union's other members may be there as `null`. */
function underItsName(value: JsonObject): Named | undefined {
  for (const key in value) {
    const body = value[key]
    if (!isJsonObject(body)) continue
    if (names.has(key)) {
      return { name: key as EventName, body, envelope: value }
    }
    if (FAILURE.test(key) && isFailure(body)) return { name: 'failure', body, failure: key }
  }
  return isJsonObject(value.output) && isJsonObject(value.output.message) && Array.isArray(value.output.message.content)
    ? { name: 'response', body: value }
    : undefined
}

function named(name: string, body: JsonObject): Named | undefined {
  if (names.has(name)) return { name: name as EventName, body }
  return FAILURE.test(name) && isFailure(body) ? { name: 'failure', body, failure: name } : undefined
}

function isFailure(body: JsonObject): boolean {
  return typeof (body.message ?? body.Message ?? body.originalMessage) === 'string'
}

/** The wire names an event in its header: where that is gone, its fields tell. */
function byItsFields(value: JsonObject): Named | undefined {
  if (typeof value.contentBlockIndex === 'number') {
    if (isJsonObject(value.delta)) return { name: 'contentBlockDelta', body: value }
    return { name: isJsonObject(value.start) ? 'contentBlockStart' : 'contentBlockStop', body: value }
  }
  if (typeof value.stopReason === 'string') return { name: 'messageStop', body: value }
  if (isJsonObject(value.usage) && isJsonObject(value.metrics)) return { name: 'metadata', body: value }
  return value.role === 'assistant' && typeof value.p === 'string' ? { name: 'messageStart', body: value } : undefined
}
