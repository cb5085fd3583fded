import { isStreamEvent } from '../../event-shape.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { definedIn } from '../kit/fields.ts'
import { namesIn } from '../kit/rows.ts'
import { scopeOf, splitMetadata } from './metadata.ts'
import type { DataPart } from './raw.ts'

/** The state of the stream around a part, for the rows. */
export interface PartContext {
  blockIdOf(id: string): string
  /** Called with the provider's stop reason of a step, which comes with its usage. */
  stepEnded(reason: string | undefined): void
}

type Fields = { readonly [field: string]: Json | undefined }
type Row = (fields: Fields, id: string | undefined, context: PartContext) => Fields | undefined

/** A row for a part that has the fields of its event. */
const fieldsOf =
  (type: StreamEvent['type'], names: string): Row =>
  (fields) => ({ type, ...Object.fromEntries(names.split(' ').map((name) => [name, fields[name]])) })

const COUNTS = namesIn(
  'inputTokens outputTokens reasoningTokens cacheReadTokens cacheWriteTokens costUsd durationMs turns',
)

/**
 * The parts that Millrace writes for events without a part in this protocol, each with its event. Applications may use
 * the same names: a part that does not give a well-shaped event is theirs.
 */
const rows: { readonly [name: string]: Row } = {
  todos: ({ items, callId }, listId) => ({ type: 'todos', listId, op: 'set', items, callId }),
  usage({ stopReason, ...counts }, id, context) {
    const isFromMillrace = id === 'usage' && Object.keys(counts).every((count) => COUNTS.has(count))
    if (!isFromMillrace || (stopReason !== undefined && typeof stopReason !== 'string')) return undefined
    context.stepEnded(stopReason)
    return { type: 'usage', scope: 'run', mode: 'snapshot', ...counts }
  },
  status: ({ message, level }, id) => (id?.startsWith('status_') ? { type: 'status', message, level } : undefined),
  subagent({ state, name, task, callId, parentAgentId, summary }, agentId) {
    if (state === 'live') return { type: 'subagent-start', agentId, name, task, callId, parentAgentId }
    return { type: 'subagent-end', agentId, status: state, summary }
  },
  approval: fieldsOf('approval', 'approvalId state message request answer reason remember input callId'),
  state: fieldsOf('state', 'channel op value'),
  error: fieldsOf('error', 'message code name'),
  retract: fieldsOf('message-retract', 'messageIds'),
  file: fieldsOf('file', 'fileId mediaType filename callId'),
  'block-patch': ({ blockId, signature, encrypted, citations, answer }, _id, context) => ({
    type: 'block-patch',
    blockId: typeof blockId === 'string' ? context.blockIdOf(blockId) : undefined,
    signature,
    encrypted,
    citations,
    answer,
  }),
}

const SCOPE_KEYS = namesIn('agentId')

export function dataEvent(raw: DataPart, context: PartContext): StreamEvent {
  const { type, data, id, transient } = raw
  if (data === undefined) throw new TypeError('A part has no data.')
  const name = type.slice('data-'.length)
  const event = isJsonObject(data) ? millraceEvent(name, data, id ?? undefined, context) : undefined
  if (event !== undefined) return event
  return {
    ...scopeOf(splitMetadata(raw.providerMetadata, SCOPE_KEYS)),
    type: 'data',
    name,
    data,
    ...(typeof id === 'string' && { id }),
    ...(typeof transient === 'boolean' && { transient }),
  }
}

function millraceEvent(
  name: string,
  { agentId, meta, ...fields }: JsonObject,
  id: string | undefined,
  context: PartContext,
): StreamEvent | undefined {
  const mapped = Object.hasOwn(rows, name) ? rows[name]?.(fields, id, context) : undefined
  if (mapped === undefined) return undefined
  const isOfSubagent = mapped.type === 'subagent-start' || mapped.type === 'subagent-end'
  const event = definedIn({ ...mapped, ...(!isOfSubagent && { agentId }), ...(isJsonObject(meta) && { meta }) })
  return isStreamEvent(event) ? event : undefined
}
