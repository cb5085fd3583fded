const sentences = {
  'unknown-bus': (name: string) => `No bus is called "${name}".`,
  'wrong-url': (detail: string) => `The URL of the bus is not valid: ${detail}.`,
  'bus-lost': (cause: string) => `The server of the bus cannot be reached; it is tried again. ${cause}`,
  'bus-closed': (operation: string) => `The bus is closed; it cannot ${operation}.`,
} as const

export type BusErrorCode = keyof typeof sentences

/** A refused operation or a lost server: a code for the program, a sentence for the person. No URL, it may hold a password. */
export class BusError extends Error {
  override readonly name = 'BusError'
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, detail: string, options?: ErrorOptions) {
    super(sentences[code](detail), options)
    this.code = code
  }
}

/** What went wrong, without a URL. An error that holds several, one for each address of a host, has no message of its own. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Throws `wrong-url` unless it is a URL of one of these protocols which the server's client can parse. */
export function checkUrl(url: string, protocols: readonly string[], parse: (url: string) => unknown): void {
  try {
    parse(url)
    if (protocols.includes(new URL(url).protocol)) return
  } catch {
    // The error may contain the URL.
  }
  throw new BusError('wrong-url', `it must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
}
