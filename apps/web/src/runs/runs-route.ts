import { type ListedState, RUN_STATES, type RunFilter } from '@millrace/core/client'
import { SEARCH_KINDS, type SearchKind } from '@millrace/core/fold'
import { present } from '@millrace/core/json'

/** The list of runs, or what was found in their texts. */
export interface RunsRoute extends Omit<RunFilter, 'since'> {
  readonly name: 'runs'
  /** Changed in the last days; 1: today. */
  readonly days?: number
  /** What is looked for in all texts. */
  readonly text?: string
  /** Only texts of this kind. */
  readonly kind?: SearchKind
}

/** What is not valid is left out. */
export function readRuns(query: URLSearchParams): RunsRoute {
  const numberIn = (name: string) => {
    const value = Number(query.get(name) ?? '')
    return Number.isFinite(value) && value > 0 ? value : undefined
  }
  return present({
    name: 'runs' as const,
    text: query.get('q')?.trim() || undefined,
    kind: SEARCH_KINDS.find((kind) => kind === query.get('kind')),
    state: RUN_STATES.find((state): state is ListedState => state === query.get('state')),
    agent: query.get('agent') || undefined,
    minCost: numberIn('cost'),
    minSeconds: numberIn('seconds'),
    minErrors: numberIn('errors'),
    days: numberIn('days'),
  })
}

/** The fields of the query, in the order of the address. */
export function writeRuns({ text, kind, state, agent, minCost, minSeconds, minErrors, days }: RunsRoute): string {
  const fields = { q: text, kind, state, agent, cost: minCost, seconds: minSeconds, errors: minErrors, days }
  const query = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return query.length === 0 ? '/runs' : `/runs?${query.join('&')}`
}

/** What the server is asked for. `days` is counted in whole days, from this day's midnight. */
export function filterOf({ state, agent, minCost, minSeconds, minErrors, days }: RunsRoute, now: Date): RunFilter {
  const since = days === undefined ? undefined : midnight(now, days - 1)
  return present({ state, agent, minCost, minSeconds, minErrors, since })
}

/** The first moment of the day, so many days ago. */
export function midnight(now: Date, daysAgo = 0): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
}
