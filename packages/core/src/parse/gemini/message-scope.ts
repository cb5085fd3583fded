import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'

/** The message of one candidate: the ids of its parts and the calls of its stream. */
export interface MessageScope {
  readonly messageId: string
  /** The prefix of the ids of everything in it. */
  readonly prefix: string
  readonly unanswered: Unanswered
}

export interface CandidateScope extends MessageScope {
  /** The number of the response in the stream. */
  readonly response: number
}

/** Returns a new id for something of this kind in a message. */
export type Mint = (kind: string) => string

export function createMint(prefix: string): Mint {
  let count = 0
  return (kind) => `${prefix}:${kind}-${++count}`
}

export const NOTHING: readonly StreamEvent[] = []

export interface UnansweredCall {
  readonly name: string
  /** The number of the response whose caller must run it. */
  readonly awaitedBy?: number | undefined
}

/** The calls without a result. A result names its call by id, or only by the name of the tool, in order. */
export interface Unanswered {
  add(callId: string, call: UnansweredCall): void
  /** Returns the id of the call that a result belongs to, and removes the call. */
  take(id: string | null | undefined, name: string): string | undefined
  /** Whether a response has a call that its caller must run. */
  awaitsClient(response: number): boolean
}

export function createUnanswered(): Unanswered {
  const calls = new Map<string, UnansweredCall>()

  function find(id: string | null | undefined, name: string): string | undefined {
    if (id !== null && id !== undefined) return calls.has(id) ? id : undefined
    for (const [callId, call] of calls) if (call.name === name) return callId
    return undefined
  }

  return {
    add: (callId, call) => remember(calls, callId, call),
    take(id, name) {
      const callId = find(id, name)
      if (callId !== undefined) calls.delete(callId)
      return callId
    },
    awaitsClient(response) {
      for (const call of calls.values()) if (call.awaitedBy === response) return true
      return false
    },
  }
}
