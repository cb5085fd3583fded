import { LogError, type LogErrorCode } from '../errors.ts'

/** SQLite's result codes that have a code of their own here: https://sqlite.org/rescode.html */
const codes: { readonly [result: number]: LogErrorCode } = {
  11: 'log-corrupt',
  13: 'log-full',
  26: 'log-corrupt',
}

const BUSY = 5

/** Whether another connection holds the lock. */
export const isBusy = (error: unknown): boolean =>
  ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === BUSY

/** The `LogError` for an error of SQLite. The lowest byte of an extended code is the primary code. */
export function troubleOf(error: unknown): LogError {
  if (error instanceof LogError) return error
  const { errcode } = error as { readonly errcode?: unknown }
  const code = typeof errcode === 'number' ? codes[errcode & 0xff] : undefined
  return new LogError(code ?? 'log-failed', error instanceof Error ? error.message : String(error), { cause: error })
}
