/** How much of a fault is tried. */
export interface Size {
  readonly count: number
  /** The size of the streams that must not fill the memory. */
  readonly megabytes: number
  /** Whether promises about time are held, too: a machine that does other work breaks them. */
  readonly isTimed?: boolean
}

export interface Trial {
  /** How often it was tried, for the report. */
  readonly tried: string
  /** What was broken, each with what is needed to reproduce it. */
  readonly broken: readonly string[]
  readonly figures: readonly string[]
}

/** Something that goes wrong around the server, and what must hold nevertheless. */
export interface Fault {
  readonly name: string
  readonly promise: string
  /** `small` is part of every test run. */
  readonly sizes: { readonly full: Size; readonly small: Size }
  /** Absent if the fault is not a number of rounds. */
  readonly rounds?: Rounds
  /** The same seed tries the same again, as far as two processes and a clock allow. */
  run(size: Size, seed: number): Promise<Trial>
}

/** What rounds have counted: sums, and samples in the order in which they came. */
export interface Tally {
  readonly [name: string]: number | readonly number[]
}

/** Rounds that have ended. */
export interface Played {
  readonly broken: readonly string[]
  readonly tally: Tally
}

/**
 * A fault that is tried in rounds. Round n of a seed is the first round of the seed n higher: one round can be tried alone,
 * and many can be tried in parts, which are added.
 */
export interface Rounds {
  /** How many share a store at most: what is stored grows with them. */
  readonly perStore: number
  play(size: Size, seed: number): Promise<Played>
  summary(count: number, tally: Tally): Pick<Trial, 'tried' | 'figures'>
}
