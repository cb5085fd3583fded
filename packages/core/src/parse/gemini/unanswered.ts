import { remember } from '../../data/remember.ts'

export interface Asked {
  readonly name: string
  /** Whether it is the caller of the model who must run it. */
  readonly isForClient: boolean
  /** Counts the responses of the stream. */
  readonly response: number
}

/** The calls that have no result yet. Results name their call by its id, or only by the name of the tool, in order. */
export interface Unanswered {
  add(callId: string, asked: Asked): void
  /** The call that a result belongs to; it has its answer now. */
  take(id: string | null | undefined, name: string): string | undefined
  /** Whether a response has asked its caller for something. */
  awaitsClient(response: number): boolean
}

export function createUnanswered(): Unanswered {
  const calls = new Map<string, Asked>()

  function find(id: string | null | undefined, name: string): string | undefined {
    if (id !== null && id !== undefined) return calls.has(id) ? id : undefined
    for (const [callId, asked] of calls) if (asked.name === name) return callId
    return undefined
  }

  return {
    add: (callId, asked) => remember(calls, callId, asked),
    take(id, name) {
      const callId = find(id, name)
      if (callId !== undefined) calls.delete(callId)
      return callId
    },
    awaitsClient(response) {
      for (const asked of calls.values()) if (asked.isForClient && asked.response === response) return true
      return false
    },
  }
}
