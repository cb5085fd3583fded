import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Finish } from './raw.ts'
import { wordsOf } from './words.ts'

type RunEnd = EventOf<'run-end'>

/** Stands for an error that nobody has told yet. */
const UNTOLD = 'The run failed.'

/** How the stream ends: said by `finish`, by an error, or by nobody. */
export interface Ending {
  /** Another response begins: what was said of the end held for the one before. */
  begin(): void
  /** What the metadata of a finished message says beside the end. */
  finish(raw: Finish, isAwaiting: boolean, stepReason: string | undefined): JsonObject
  /** An error that the end has not told yet is one of the stream's own events. */
  fail(error: Json | undefined): StreamEvent[]
  abort(reason: Json | undefined): void
  events(): readonly StreamEvent[]
}

export function createEnding(): Ending {
  let end: RunEnd | undefined

  return {
    begin() {
      end = undefined
    },
    finish(raw, isAwaiting, stepReason) {
      const { messageMetadata } = raw
      const said: JsonObject = isJsonObject(messageMetadata) ? messageMetadata : {}
      const { word, reason } = reasonOf(raw)
      if (word === 'error') {
        const { rest, ...told } = toldOf(said)
        end = { type: 'run-end', outcome: 'error', error: end?.error ?? { message: UNTOLD }, ...told }
        return rest
      }
      if (word === 'interrupted') {
        const { rest, ...told } = toldOf(said)
        const { aborted: _aborted, outcome, ...others } = rest
        end = { type: 'run-end', outcome: outcome === 'cancelled' ? 'cancelled' : 'interrupted', ...told }
        return others
      }
      const { outcome: told, ...rest } = said
      const outcome = isAwaiting || told === 'awaiting-input' ? ('awaiting-input' as const) : ('success' as const)
      end = { type: 'run-end', outcome, ...present({ reason: stepReason ?? reason }) }
      return told === 'awaiting-input' ? rest : said
    },
    fail(error) {
      const message = wordsOf(error)
      const told = end?.outcome === 'error' ? end.error?.message : undefined
      const isTold = told === message || told === UNTOLD
      // A finished message's reason may come after it, for clients read nothing after an error.
      end =
        end?.outcome === 'error' && told === message ? end : { type: 'run-end', outcome: 'error', error: { message } }
      return isTold ? [] : [{ type: 'error', message }]
    },
    abort(reason) {
      end = { type: 'run-end', outcome: 'cancelled', ...(typeof reason === 'string' && { reason }) }
    },
    events: () => (end === undefined ? [] : [end]),
  }
}

/** The common word for why a message ended, and the provider's own where it is told. */
export function reasonOf({ finishReason, rawFinishReason }: Finish): {
  readonly word?: string
  readonly reason?: string
} {
  if (typeof finishReason === 'object' && finishReason !== null) {
    const { unified, raw } = finishReason
    return present({ word: unified, reason: raw ?? unified })
  }
  return present({ word: finishReason, reason: rawFinishReason ?? finishReason })
}

/** The error that a finished message tells of, with what a provider said beside it, and the rest of its metadata. */
function toldOf(said: JsonObject): Pick<RunEnd, 'error' | 'meta'> & { readonly rest: JsonObject } {
  const { error, meta, ...others } = said
  if (!isJsonObject(error) || typeof error.message !== 'string') return { rest: said }
  const { message, code, name } = error
  const known = { message, ...(typeof code === 'string' && { code }), ...(typeof name === 'string' && { name }) }
  if (!isJsonObject(meta)) return { error: known, rest: meta === undefined ? others : { ...others, meta } }
  return { error: known, meta: meta as Meta, rest: others }
}
