import { LogError, type LogErrorCode } from '../errors.ts'

/** What PostgreSQL's codes mean here: https://www.postgresql.org/docs/current/errcodes-appendix.html */

const codes: { readonly [state: string]: LogErrorCode } = {
  '53100': 'log-full',
  XX001: 'log-corrupt',
  XX002: 'log-corrupt',
}

/** The server ends or refuses connections, and will take them again. */
const transient = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300'])

/** The five characters of an error of the server; undefined for an error of the connection. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the connection was lost, or could not be made: what was asked may have been done. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof LogError || error instanceof RangeError || error instanceof TypeError) return false
  const state = stateOf(error)
  return state === undefined || state.startsWith('08') || transient.has(state)
}

/** Another transaction was in the way; a repetition may succeed. */
export const isCollision = (error: unknown): boolean =>
  ['40P01', '40001', '23505', 'MR000'].includes(stateOf(error) ?? '')

/** A lock was not free in time. */
export const isLockTimeout = (error: unknown): boolean => stateOf(error) === '55P03'

/** The `LogError` for an error of PostgreSQL. Its messages contain no password. */
export function troubleOf(error: unknown): LogError {
  if (error instanceof LogError) return error
  return new LogError(codes[stateOf(error) ?? ''] ?? 'log-failed', causeOf(error), { cause: error })
}

/** An error that holds several, one for each address of a host, has no message of its own. */
export function causeOf(error: unknown): string {
  const text = error instanceof AggregateError ? error.errors.map(causeOf).join(', ') : textOf(error)
  return text.endsWith('.') ? text.slice(0, -1) : text
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
