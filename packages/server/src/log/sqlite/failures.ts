import { LogError, type LogErrorCode } from '../errors.ts'

/** SQLite's result codes that mean something to us: https://sqlite.org/rescode.html */
const codes: { readonly [result: number]: LogErrorCode } = {
  11: 'log-corrupt',
  13: 'log-full',
  26: 'log-corrupt',
}

const BUSY = 5

/** Whether another connection holds what this one wants. */
export const isBusy = (error: unknown): boolean =>
  ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === BUSY

/** The trouble that an error of SQLite stands for. Its extended codes have the plain one in their lowest byte. */
export function troubleOf(error: unknown): LogError {
  if (error instanceof LogError) return error
  const { errcode } = error as { readonly errcode?: unknown }
  const code = typeof errcode === 'number' ? codes[errcode & 0xff] : undefined
  return new LogError(code ?? 'log-failed', error instanceof Error ? error.message : String(error), { cause: error })
}
