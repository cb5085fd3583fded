import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { Fields } from '../chunk-fields.ts'
import { providerMetadata } from './chunk.ts'
import type { ProgressBuffer } from './tool-progress.ts'

/** A call that has no output yet. */
export interface OpenCall {
  readonly callId: string
  /** Whether its start was sent in this response; otherwise the client already has it. */
  readonly hasStartChunk: boolean
  /** The fields of every chunk of the call. `dynamic` MUST NOT change within a call, or the call becomes two parts. */
  readonly fields: Fields
  readonly name: string
  readonly title: string | undefined
  readonly extra: Fields
  meta: Meta | undefined
  toolProgress: ProgressBuffer | undefined
  /** The approval that the client's part shows, which is always the latest. */
  approvalId: string | undefined
  isAwaitingAnswer: boolean
}

/**
 * Every call that the client does not run is `providerExecuted`: otherwise the client runs it and sends a new request once
 * it has an output. The real `runBy` is in our own fields, for readers that read the stream back.
 */
export function callOf(event: EventOf<'tool-start'>, hasStartChunk: boolean): OpenCall {
  const { callId, name, title, runBy, server, parentCallId, agentId, meta } = event
  return {
    callId,
    hasStartChunk,
    fields: { toolCallId: callId, dynamic: true, providerExecuted: runBy === 'client' ? undefined : true },
    name,
    title,
    extra: { runBy, server, parentCallId, agentId },
    meta,
    toolProgress: undefined,
    approvalId: undefined,
    isAwaitingAnswer: false,
  }
}

export function metadataOf(call: OpenCall, more?: Fields): JsonObject | undefined {
  return providerMetadata(more === undefined ? call.extra : { ...call.extra, ...more }, call.meta)
}
