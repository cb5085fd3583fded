/** The name of an exception as most languages write it. */
const EXCEPTION = /\b[A-Z]\w*(?:Error|Exception)\b/

/** The exception that a sentence names; every error has a type there, be it the most general one. */
export function errorTypeIn(sentence: string): string {
  return EXCEPTION.exec(sentence)?.[0] ?? 'Error'
}
