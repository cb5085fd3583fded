/** One sentence per code: the code is for the program, the sentence for the person. */
const sentences = {
  'unknown-format': (name: string) => `No parser is registered for "${name}".`,
  'unknown-wire': (name: string) => `No wire is registered for "${name}".`,
  'unknown-framing': (name: string) => `No framing is called "${name}".`,
  'record-not-json': (start: string) => `A record is not JSON; it begins with ${JSON.stringify(start)}.`,
  'record-too-large': (limit: string) => `A record is larger than ${limit} characters; its beginning was kept.`,
} as const

export type ErrorCode = keyof typeof sentences

/** A mistake in the stream, carried by a raw record. Not an `Error`: a stack trace per line of noise costs too much. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
}

export const problemOf = (code: ErrorCode, detail: string): Problem => ({ code, message: sentences[code](detail) })

/** Thrown for a caller's mistake. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(sentences[code](detail), options)
    this.code = code
  }
}
