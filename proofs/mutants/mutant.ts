/** A planted bug: one piece of one file, replaced, and the promise that it breaks. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string
  /** MUST occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  readonly promise: string
  /** What must notice; tests, unless the types alone can. */
  readonly by?: 'types'
}

/** The planted bugs of one stage, and the tests that must find them. */
export interface Stage {
  readonly name: string
  readonly tests: readonly string[]
  /** Of those tests, the ones whose name matches. */
  readonly only?: string
  /** How long they may take, in milliseconds. */
  readonly timeout?: number
  readonly mutants: readonly Mutant[]
}
