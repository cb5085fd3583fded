/** One sentence per code: the code is for the program, the sentence for the person. */
const sentences = {
  'unknown-format': (name: string) => `No parser is registered for "${name}".`,
  'unknown-wire': (name: string) => `No format is registered for "${name}".`,
  'unknown-framing': (name: string) => `No framing is called "${name}".`,
  'record-not-json': (start: string) => `A record is not JSON; it begins with ${JSON.stringify(start)}.`,
  'record-too-large': (limit: string) => `A record is larger than ${limit} characters; its beginning was kept.`,
} as const

export type ErrorCode = keyof typeof sentences

/** Thrown for a caller's mistake; carried by a raw record for the stream's. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(sentences[code](detail), options)
    this.code = code
  }
}
