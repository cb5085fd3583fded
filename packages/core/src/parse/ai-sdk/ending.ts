import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { textField } from './metadata.ts'
import type { Finish } from './raw.ts'

type RunEnd = EventOf<'run-end'>

/** The message of an error whose own message has not come yet. */
const UNKNOWN_FAILURE = 'The run failed.'

/** The end of the stream, by `finish`, by an error, or by neither. */
export interface Ending {
  /** Called when another response begins: an earlier end belongs to the response before. Returns an error that it held. */
  begin(): StreamEvent[]
  /** Returns the metadata of a finished message without what describes the end. */
  finish(raw: Finish, isAwaiting: boolean, stepReason: string | undefined): JsonObject
  /** Returns an error event unless the end already holds the error. */
  fail(error: Json | undefined): StreamEvent[]
  abort(reason: Json | undefined): void
  events(): readonly StreamEvent[]
}

export function createEnding(): Ending {
  let end: RunEnd | undefined
  /** The last message that an event has shown. */
  let shown: string | undefined

  return {
    begin() {
      const { error } = end ?? {}
      end = undefined
      return error === undefined || error.message === shown ? [] : [{ type: 'error', ...error }]
    },
    finish(raw, isAwaiting, stepReason) {
      const { messageMetadata } = raw
      const metadata: JsonObject = isJsonObject(messageMetadata) ? messageMetadata : {}
      const { commonReason, reason } = reasonOf(raw)
      if (commonReason === 'error') {
        const { remaining, ...failure } = splitFailure(metadata)
        end = { type: 'run-end', outcome: 'error', error: end?.error ?? { message: UNKNOWN_FAILURE }, ...failure }
        return remaining
      }
      if (commonReason === 'interrupted') {
        const { remaining, ...failure } = splitFailure(metadata)
        const { aborted: _aborted, outcome, ...others } = remaining
        end = { type: 'run-end', outcome: outcome === 'cancelled' ? 'cancelled' : 'interrupted', ...failure }
        return others
      }
      const { outcome: statedOutcome, ...remaining } = metadata
      const outcome =
        isAwaiting || statedOutcome === 'awaiting-input' ? ('awaiting-input' as const) : ('success' as const)
      end = { type: 'run-end', outcome, ...present({ reason: stepReason ?? reason }) }
      return statedOutcome === 'awaiting-input' ? remaining : metadata
    },
    fail(error) {
      const message = errorMessageOf(error)
      const reportedMessage = end?.outcome === 'error' ? end.error?.message : undefined
      const isReported = reportedMessage === message || reportedMessage === UNKNOWN_FAILURE
      // The reason may come after `finish`, because clients read nothing after an error.
      end =
        end?.outcome === 'error' && reportedMessage === message
          ? end
          : { type: 'run-end', outcome: 'error', error: { message } }
      if (isReported) return []
      shown = message
      return [{ type: 'error', message }]
    },
    abort(reason) {
      end = { type: 'run-end', outcome: 'cancelled', ...textField({ reason }, 'reason') }
    },
    events: () => (end === undefined ? [] : [end]),
  }
}

/** The common finish reason of a message, and the provider's own, if it is sent. */
export function reasonOf({ finishReason, rawFinishReason }: Finish): {
  readonly commonReason?: string
  readonly reason?: string
} {
  if (typeof finishReason === 'object' && finishReason !== null) {
    const { unified, raw } = finishReason
    return present({ commonReason: unified, reason: raw ?? unified })
  }
  return present({ commonReason: finishReason, reason: rawFinishReason ?? finishReason })
}

/** Splits the metadata of a finished message into its error, the provider's metadata of it, and the remaining fields. */
function splitFailure(metadata: JsonObject): Pick<RunEnd, 'error' | 'meta'> & { readonly remaining: JsonObject } {
  const { error, meta, ...others } = metadata
  if (!isJsonObject(error) || typeof error.message !== 'string') return { remaining: metadata }
  const runError = { message: error.message, ...textField(error, 'code'), ...textField(error, 'name') }
  if (!isJsonObject(meta)) return { error: runError, remaining: meta === undefined ? others : { ...others, meta } }
  return { error: runError, meta: meta as Meta, remaining: others }
}

/** The message of an error, which loses its class on the wire, and sometimes its message. */
export function errorMessageOf(error: Json | undefined): string {
  if (typeof error === 'string') return error === '' ? 'An error occurred.' : error
  if (error === undefined || error === null) return 'An error occurred.'
  if (!isJsonObject(error)) return JSON.stringify(error)
  if (typeof error.message === 'string' && error.message !== '') return error.message
  return Object.keys(error).length === 0 ? 'An error occurred.' : JSON.stringify(error)
}
