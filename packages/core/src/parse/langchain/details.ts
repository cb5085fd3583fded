import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type LangMessage, wordOf } from './message.ts'
import { placeOf, type Told } from './told.ts'

/** Fields beside the content that say again what is told otherwise. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'refusal',
  'usage',
  'token_usage',
  'role',
  'type',
])

/** Which model speaks, in the words of whichever integration. */
export function modelOf({ responseMetadata, additionalKwargs }: LangMessage): string | undefined {
  return wordOf(responseMetadata.model_name) ?? wordOf(responseMetadata.model) ?? wordOf(additionalKwargs.model)
}

/** Why the model stopped, and whatever else is said of a message for the first time. */
export function detailEvents(told: Told, { responseMetadata, additionalKwargs }: LangMessage): StreamEvent[] {
  told.reason = reasonOf(responseMetadata) ?? reasonOf(additionalKwargs) ?? told.reason
  const metadata: { [name: string]: Json } = {}
  addNew(metadata, told, additionalKwargs)
  addNew(metadata, told, responseMetadata)
  return metadataEvents(told, metadata)
}

/** Fields that stand beside a message in its record, told once for each message. */
export function metadataEvents(told: Told, metadata: JsonObject): StreamEvent[] {
  if (Object.keys(metadata).length === 0) return []
  return [{ type: 'metadata', metadata, ...placeOf(told) }]
}

function reasonOf(fields: JsonObject): string | undefined {
  return wordOf(fields.finish_reason) ?? wordOf(fields.stop_reason) ?? wordOf(fields.done_reason)
}

function addNew(metadata: { [name: string]: Json }, told: Told, fields: JsonObject): void {
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || value === null || told.details.has(name) || TOLD_OTHERWISE.has(name)) continue
    told.details.add(name)
    metadata[name] = value
  }
}
