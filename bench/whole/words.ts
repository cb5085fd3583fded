/** What the processes of the row say to each other. */

export interface WholeSetup {
  readonly serving: 'floor' | 'ours'
  readonly folder: string
  /** How many lines the floor stores at once. */
  readonly linesPerCommit: number
}

export interface WholeOrder {
  readonly do: 'figures'
}

export type WholeWords =
  | { readonly url: string; readonly token: string }
  /** CPU in microseconds. */
  | { readonly cpu: number; readonly commits: number }

/** To the clients: each run has one producer. */
export interface WholeCrowd {
  readonly url: string
  readonly token: string
  readonly serving: WholeSetup['serving']
  readonly runs: number
  readonly viewersOfRun: number
  readonly lines: number
  /** Between two lines of a producer, in ms. */
  readonly pause: number
}
