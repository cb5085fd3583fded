/** What a person would read out of a stream by hand. */
export interface Extract {
  /** Each piece of the answer in the order in which it starts; empty ones are left out. */
  readonly text: readonly string[]
  readonly reasoning: readonly string[]
  /** An input that is not JSON is given as its text. */
  readonly tools: readonly { readonly name: string; readonly input: unknown }[]
}

/**
 * Reads the values of one stream. Written from the format's documentation alone, apart from the parser, so that the two
 * can be compared: `test/extract/NAME.ts` exports one as `extract`.
 */
export type ExtractFrom = (values: readonly unknown[]) => Extract

/** Recordings of what no documentation describes, each with the reason: their golden files alone say what they mean. */
export type Unread = { readonly [recording: string]: string }
