/** An ISO date and time, with or without its zone. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Milliseconds of a line's own clock. A time without a zone is read as UTC, wherever it is read. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const zone = typeof value === 'string' ? ISO.exec(value) : null
  if (typeof value !== 'string' || zone === null) return undefined
  const time = Date.parse(zone[1] === undefined ? `${value}Z` : value)
  return Number.isNaN(time) ? undefined : time
}
