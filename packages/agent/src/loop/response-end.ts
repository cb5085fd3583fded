import type { EndWatch } from '../end-watch.ts'

/**
 * How a response has ended. `cut`: the model had no room left, in the middle of a call, which nobody can run. `failed`: the
 * stream itself says what went wrong. `broken-off`: it stopped without an end.
 */
export type ResponseEnd = 'complete' | 'cut' | 'failed' | 'broken-off'

export function responseEnd(watch: EndWatch): ResponseEnd {
  const { events, hasFailed } = watch.end()
  if (hasFailed) return 'failed'
  if (!events.some(({ type }) => type === 'run-end')) return 'broken-off'
  return events.some(({ type }) => type === 'tool-output') ? 'cut' : 'complete'
}
