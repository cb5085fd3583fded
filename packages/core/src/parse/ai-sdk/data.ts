import type { Meta, UsageCounts } from '../../event-fields.ts'
import { isStreamEvent } from '../../event-shape.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
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

/**
 * The parts that Millrace writes for events without a part in this protocol, each with its event. Applications may use
 * the same names: a part that does not give a well-shaped event is theirs.
 */
const rows: { readonly [name: string]: Row } = {
  todos: ({ items, callId }, listId) => ({ type: 'todos', listId, op: 'set', items, callId }),
  usage(fields, id, context) {
    const { stopReason, ...counts } = fields
    const isFromMillrace = id === 'usage' && Object.keys(counts).every((count) => count in COUNTS)
    if (!isFromMillrace || (stopReason !== undefined && typeof stopReason !== 'string')) return undefined
    context.stepEnded(stopReason)
    return { type: 'usage', scope: 'run', mode: 'snapshot', ...counts }
  },
  status: ({ message, level }, id) => (id?.startsWith('status_') ? { type: 'status', message, level } : undefined),
  subagent({ state, name, task, callId, parentAgentId, summary }, agentId) {
    if (state === 'live') return { type: 'subagent-start', agentId, name, task, callId, parentAgentId }
    return { type: 'subagent-end', agentId, status: state, summary }
  },
  approval: ({ approvalId, state, message, request, answer, callId }) => ({
    type: 'approval',
    approvalId,
    state,
    message,
    request,
    answer,
    callId,
  }),
  state: ({ channel, op, value }) => ({ type: 'state', channel, op, value }),
  error: ({ message, code, name }) => ({ type: 'error', message, code, name }),
  retract: ({ messageIds }) => ({ type: 'message-retract', messageIds }),
  file: ({ fileId, mediaType, filename, callId }) => ({ type: 'file', fileId, mediaType, filename, callId }),
  'block-patch': ({ blockId, signature, encrypted, citations }, _id, context) => ({
    type: 'block-patch',
    blockId: typeof blockId === 'string' ? context.blockIdOf(blockId) : undefined,
    signature,
    encrypted,
    citations,
  }),
}

const COUNTS: { readonly [Count in keyof UsageCounts]-?: true } = {
  inputTokens: true,
  outputTokens: true,
  reasoningTokens: true,
  cacheReadTokens: true,
  cacheWriteTokens: true,
  costUsd: true,
  durationMs: true,
  turns: true,
}

const SCOPE_KEYS: ReadonlySet<string> = new Set(['agentId'])

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
  data: JsonObject,
  id: string | undefined,
  context: PartContext,
): StreamEvent | undefined {
  const { agentId, meta, ...fields } = data
  const mapped = Object.hasOwn(rows, name) ? rows[name]?.(fields, id, context) : undefined
  if (mapped === undefined) return undefined
  const event = withoutUndefined({
    ...mapped,
    ...(mapped.type !== 'subagent-start' && mapped.type !== 'subagent-end' && { agentId }),
  })
  const withMeta = isJsonObject(meta) ? { ...event, meta: meta as Meta } : event
  return isStreamEvent(withMeta) ? withMeta : undefined
}

function withoutUndefined(fields: Fields): JsonObject {
  const result: Record<string, Json> = {}
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) result[field] = value
  return result
}
