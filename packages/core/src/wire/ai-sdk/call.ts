import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { Fields } from '../chunk-fields.ts'
import { providerMetadata } from './chunk.ts'
import type { Progress } from './progress.ts'

/** A call that has no output yet. */
export interface OpenCall {
  readonly callId: string
  /** Whether its beginning was said here; else the client has it. */
  readonly isTold: boolean
  /** What every chunk of the call says alike. `dynamic` must not change within a call, or it becomes two parts. */
  readonly fields: Fields
  readonly name: string
  readonly title: string | undefined
  readonly own: Fields
  meta: Meta | undefined
  progress: Progress | undefined
  /** The approval that the client's part shows; it knows only the last one. */
  approvalId: string | undefined
  isAwaitingAnswer: boolean
}

/**
 * What runs on our side is `providerExecuted`: otherwise the client runs it itself, and asks again on its own once it
 * has its output. Who truly runs it is told beside, for whoever reads the stream back.
 */
export function callOf(event: EventOf<'tool-start'>, isTold: boolean): OpenCall {
  const { callId, name, title, runBy, server, parentCallId, agentId, meta } = event
  return {
    callId,
    isTold,
    fields: { toolCallId: callId, dynamic: true, providerExecuted: runBy === 'client' ? undefined : true },
    name,
    title,
    own: { runBy, server, parentCallId, agentId },
    meta,
    progress: undefined,
    approvalId: undefined,
    isAwaitingAnswer: false,
  }
}

export function metadataOf(call: OpenCall, more: Fields = {}): JsonObject | undefined {
  return providerMetadata({ ...call.own, ...more }, call.meta)
}
