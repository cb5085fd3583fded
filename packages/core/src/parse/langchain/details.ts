import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type EmittedMessage, eventScopeOf } from './emitted-message.ts'
import { type LangMessage, wordOf } from './message.ts'

/** Fields beside the content that repeat what other events hold. */
const MAPPED_ELSEWHERE: ReadonlySet<string> = new Set([
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

/** The name of the model, in the field of any integration. */
export function modelOf({ responseMetadata, additionalKwargs }: LangMessage): string | undefined {
  return wordOf(responseMetadata.model_name) ?? wordOf(responseMetadata.model) ?? wordOf(additionalKwargs.model)
}

/** Records why the model stopped, and emits the details of a message that are new. */
export function detailEvents(
  emitted: EmittedMessage,
  { responseMetadata, additionalKwargs }: LangMessage,
): StreamEvent[] {
  emitted.reason = reasonOf(responseMetadata) ?? reasonOf(additionalKwargs) ?? emitted.reason
  const metadata: { [name: string]: Json } = {}
  addNew(metadata, emitted, additionalKwargs)
  addNew(metadata, emitted, responseMetadata)
  return metadataEvents(emitted, metadata)
}

/** Metadata of a message. */
export function metadataEvents(emitted: EmittedMessage, metadata: JsonObject): StreamEvent[] {
  if (Object.keys(metadata).length === 0) return []
  return [{ type: 'metadata', metadata, ...eventScopeOf(emitted) }]
}

function reasonOf(fields: JsonObject): string | undefined {
  return wordOf(fields.finish_reason) ?? wordOf(fields.stop_reason) ?? wordOf(fields.done_reason)
}

function addNew(metadata: { [name: string]: Json }, emitted: EmittedMessage, fields: JsonObject): void {
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || value === null || emitted.details.has(name) || MAPPED_ELSEWHERE.has(name)) continue
    emitted.details.add(name)
    metadata[name] = value
  }
}
