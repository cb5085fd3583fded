/** What a client holds, in the order in which it shows it. Marks between steps, statuses and data of applications are left out. */
export type Piece =
  | { readonly type: 'user' | 'text' | 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool'
      readonly name: string
      readonly state: PieceState
      readonly input?: unknown
      /** Of a call that is done, or the sentence of one that has failed. */
      readonly output?: unknown
    }

/** `open` is a call without an end, whatever the client calls it. */
export type PieceState = 'open' | 'asked' | 'done' | 'failed' | 'denied'

export interface Held {
  /** Whether the client expects more. */
  readonly isBusy: boolean
  readonly error?: string
  readonly pieces: readonly Piece[]
  /** The open questions, in order; only those that the client itself could answer. */
  readonly questions: readonly string[]
  /** The outputs that the page has given as the client's tool, one a call that it was asked to run. */
  readonly outputs: number
}

/** What each page offers to the program that drives it, as `globalThis.client`. */
export interface PageClient {
  send(text: string): void
  stop(): void
  regenerate(): void
  /** Answers open questions, by their ids. */
  answer(answers: { readonly [question: string]: boolean }): void
  held(): Held
}

/** The tool that the pages run. */
export const CLIENT_TOOL = 'look'

/** What the tool sees. */
export const SEEN = { sees: 'the wheel' }
