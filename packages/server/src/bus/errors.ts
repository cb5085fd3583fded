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
