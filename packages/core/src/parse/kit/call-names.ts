import { remember } from '../../data/remember.ts'
import { createUniqueIds } from './unique-ids.ts'

/** The ids of the calls of one run: a gateway may use one again before the first call has its result. */
export interface CallNames {
  /** The id of a call that begins. */
  start(id: string): string
  /** The id of the call that a result answers: the first one of this id without a result. */
  answer(id: string): string
}

export function createCallNames(): CallNames {
  const ids = createUniqueIds()
  const unanswered = new Map<string, readonly string[]>()
  return {
    start(id) {
      const callId = ids.claim(id)
      remember(unanswered, id, [...(unanswered.get(id) ?? []), callId].slice(-MAX_UNANSWERED))
      return callId
    },
    answer(id) {
      const [callId = id, ...later] = unanswered.get(id) ?? []
      unanswered.set(id, later)
      return callId
    },
  }
}

/** How many calls of one id are remembered: the results of a client's tools are not in the stream. */
const MAX_UNANSWERED = 64

const asGiven = (id: string) => id

/** The ids as they are, for a stream that also holds the results of the client's tools. */
export const givenNames: CallNames = { start: asGiven, answer: asGiven }
