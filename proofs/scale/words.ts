/** What the rig and its crowds, which are processes of their own, tell each other. */

export interface Address {
  readonly url: string
  readonly token: string
}

/** Viewers of runs, or producers of them. */
export type Order =
  | { readonly do: 'view'; readonly views: readonly { readonly node: Address; readonly runId: string }[] }
  | {
      readonly do: 'produce'
      readonly runs: readonly { readonly node: Address; readonly runId: string }[]
      readonly lines: number
      /** Between two lines of a run, in ms. */
      readonly pause: number
      /** How long each run stays silent before its last line, in ms. */
      readonly silence: number
    }

export type Report =
  /** All connections are open. */
  | { readonly state: 'open' }
  /** How many viewers of each run have received each content, and how many frames in all. */
  | { readonly state: 'viewed'; readonly contents: readonly Content[]; readonly frames: number }
  | { readonly state: 'produced'; readonly refused: readonly string[] }

export interface Content {
  readonly runId: string
  readonly digest: string
  readonly viewers: number
}
