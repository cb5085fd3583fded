import type { Work } from '../measure.ts'

/** A floor and a peer's work on the same input. */
export interface Duel {
  readonly floor: Work
  /** May give a promise; its time counts until that is settled. */
  readonly peer: Work
  /** What is wrong with the peer's result, if anything. A peer that loses its input has no speed. */
  fault(result: unknown): string | undefined
}

/** One line of the table. */
export interface Trial {
  readonly row: string
  readonly what: string
  /** Loads the peer, so it is called only in a process of its own. */
  prepare(): Promise<Duel>
}

export interface Peer {
  readonly name: string
  /** From the smallest input to the largest: one that was slow ends the list. */
  readonly trials: readonly Trial[]
}

/** Passes a result in whose JSON all of these occur. */
export function faultUnlessHolding(expected: readonly string[]): (result: unknown) => string | undefined {
  return (result) => {
    const json = JSON.stringify(result) ?? ''
    const missing = expected.filter((text) => !json.includes(text))
    return missing.length === 0 ? undefined : `${missing.length} of ${expected.length} texts are not in its result`
  }
}
