import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { countsOf, type UsageFields, usageEvents } from '../kit/counts.ts'
import { objectIn } from '../kit/fields.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { NO_MARKS, pushMetadata, splitMetadata, textFields } from './metadata.ts'
import type { Finish } from './raw.ts'

type RunEnd = EventOf<'run-end'>

/** The message of an error whose own message has not come yet. */
const UNKNOWN_FAILURE = 'The run failed.'

/** The end of the stream, by `finish`, by an error, or by neither. */
export function createEnding() {
  let end: RunEnd | undefined
  /** The last message that an event has shown. */
  let shown: string | undefined

  return {
    /** Called when another response begins: an earlier end belongs to the response before. Shows an error that it held. */
    begin(out: Out): void {
      const { error } = end ?? {}
      end = undefined
      if (error !== undefined && error.message !== shown) out.push({ type: 'error', ...error })
    },
    /** Returns the metadata of a finished message without what describes the end. */
    finish(raw: Finish, isAwaiting: boolean, stepReason: string | undefined): JsonObject {
      const metadata = objectIn(raw.messageMetadata)
      const { commonReason, reason } = reasonOf(raw)
      const { remaining, ...failure } = splitFailure(metadata)
      const { outcome, ...others } = metadata
      if (commonReason === 'error') {
        end = { type: 'run-end', outcome: 'error', error: end?.error ?? { message: UNKNOWN_FAILURE }, ...failure }
        return remaining
      }
      if (commonReason === 'interrupted' || (metadata.aborted === true && typeof outcome === 'string')) {
        end = { type: 'run-end', outcome: outcome === 'cancelled' ? 'cancelled' : 'interrupted', ...failure }
        const { aborted: _aborted, outcome: _outcome, ...rest } = remaining
        return rest
      }
      const isStated = outcome === 'awaiting-input'
      const awaited = isAwaiting || isStated ? 'awaiting-input' : 'success'
      end = { type: 'run-end', outcome: awaited, ...present({ reason: stepReason ?? reason }) }
      return isStated ? others : metadata
    },
    /** Shows an error unless the end already holds it. */
    fail(out: Out, error: Json | undefined): void {
      const message = errorMessageOf(error)
      const reportedMessage = end?.outcome === 'error' ? end.error?.message : undefined
      if (reportedMessage === message) return
      // The reason may come after `finish`, because clients read nothing after an error.
      end = { type: 'run-end', outcome: 'error', error: { message } }
      if (reportedMessage === UNKNOWN_FAILURE) return
      shown = message
      out.push({ type: 'error', message })
    },
    abort(reason: Json | undefined): void {
      end = { type: 'run-end', outcome: 'cancelled', ...textFields({ reason }, 'reason') }
    },
    events: (): readonly StreamEvent[] => (end === undefined ? [] : [end]),
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
  const runError = { message: error.message, ...textFields(error, 'code', 'name') }
  if (!isJsonObject(meta)) return { error: runError, remaining: meta === undefined ? others : { ...others, meta } }
  return { error: runError, meta: meta as Meta, remaining: others }
}

/** The message of an error, which loses its class on the wire, and sometimes its message. */
export function errorMessageOf(error: Json | undefined): string {
  const message = isJsonObject(error) ? error.message : error
  if (typeof message === 'string' && message !== '') return message
  const isNothing = error === undefined || error === null || error === '' || (isJsonObject(error) && isEmpty(error))
  return isNothing ? 'An error occurred.' : JSON.stringify(error)
}

/** The usage, metadata and end of a step. A UI message marks only its end. */
export function finishStep(out: Out, raw: Finish): void {
  const { modelId: model, ...rest } = raw.response ?? {}
  const { reason } = reasonOf(raw)
  const { meta } = splitMetadata(raw.providerMetadata, NO_MARKS)
  pushUsage(out, raw.usage, { scope: 'step', model })
  pushMetadata(out, { ...(!isEmpty(rest) && { response: rest }), ...present({ model }) })
  out.push({ type: 'step-end', ...present({ reason, meta }) })
}

/** The warnings of the SDK about settings that it could not apply. */
export function pushWarnings(out: Out, warnings: readonly Json[] | null | undefined): void {
  for (const warning of warnings ?? []) {
    const { message, ...rest } = objectIn(warning)
    const text = typeof warning === 'string' ? warning : message
    const isPlain = typeof text === 'string' && Object.keys(rest).length <= 1
    out.push({ type: 'status', message: isPlain ? text : JSON.stringify(warning), level: 'warn' })
  }
}

/** The counts in the spelling of every version of the SDK. */
const SPELLINGS = {
  inputTokens: ['inputTokens', ['inputTokens', 'total'], 'promptTokens'],
  outputTokens: ['outputTokens', ['outputTokens', 'total'], 'completionTokens'],
  reasoningTokens: [['outputTokens', 'reasoning'], ['outputTokenDetails', 'reasoningTokens'], 'reasoningTokens'],
  cacheReadTokens: [['inputTokens', 'cacheRead'], ['inputTokenDetails', 'cacheReadTokens'], 'cachedInputTokens'],
  cacheWriteTokens: [
    ['inputTokens', 'cacheWrite'],
    ['inputTokenDetails', 'cacheWriteTokens'],
  ],
} as const

export function pushUsage(out: Out, usage: Json | undefined, fields: UsageFields): void {
  if (isJsonObject(usage)) out.push(...usageEvents(countsOf(usage, SPELLINGS), fields))
}
