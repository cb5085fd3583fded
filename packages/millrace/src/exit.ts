/** What the command's exit codes mean. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notRecognised: 3,
  damaged: 4,
  interrupted: 130,
} as const

export type Exit = keyof typeof exitCodes

/** Ends the command: a code for programs, one or more sentences for people, and a hint on what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: Exit
  readonly code: string
  readonly sentences: readonly string[]
  readonly hint: string | undefined

  constructor(exit: Exit, code: string, text: string | readonly string[], hint?: string, options?: ErrorOptions) {
    const sentences = [text].flat()
    super(sentences.join('\n'), options)
    this.sentences = sentences
    this.exit = exit
    this.code = code
    this.hint = hint
  }
}

export function usageError(sentence: string, hint?: string): Failure {
  return new Failure('usage', 'usage', sentence, hint)
}

/** The code of an operating system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
