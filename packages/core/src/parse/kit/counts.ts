import { present } from '../../data/present.ts'
import type { Common, UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { numberIn } from './fields.ts'
import { isEmpty, keep } from './keep.ts'

/** Where a format holds a count: a field, or a field within a field. Those that come first take precedence. */
type Path = string | readonly [field: string, within: string]
export type Spellings = { readonly [Count in keyof UsageCounts]?: readonly Path[] }

/** The counts of an object in the spelling of a format. */
export function countsOf(raw: object, spellings: Spellings): UsageCounts {
  const counts: { [count: string]: number } = {}
  for (const [count, paths] of Object.entries(spellings)) {
    const found = firstNumber(raw as Fields, paths)
    if (found !== undefined) counts[count] = found
  }
  return counts
}

export interface UsageFields extends Common {
  readonly scope: EventOf<'usage'>['scope']
  readonly mode?: EventOf<'usage'>['mode']
  readonly model?: string | undefined
}

/** The event of these counts; none if there is no count. */
export function usageEvents(counts: UsageCounts, fields: UsageFields): EventOf<'usage'>[] {
  return isEmpty(counts) ? [] : [{ type: 'usage', mode: 'snapshot', ...present(fields), ...counts }]
}

/** The fields of a usage object that no spelling names, as the `meta` of its event. */
export function keepUncounted(provider: string, raw: object, spellings: Spellings, others: readonly string[] = []) {
  const counted = new Set<string>(others)
  for (const paths of Object.values(spellings))
    for (const path of paths) counted.add(typeof path === 'string' ? path : path[0])
  return keep(provider, Object.fromEntries(Object.entries(raw).filter(([field]) => !counted.has(field))))
}

type Fields = { readonly [field: string]: unknown }

function firstNumber(raw: Fields, paths: readonly Path[]): number | undefined {
  for (const path of paths) {
    const found = numberIn(typeof path === 'string' ? raw[path] : within(raw[path[0]], path[1]))
    if (found !== undefined) return found
  }
  return undefined
}

function within(value: unknown, field: string): unknown {
  return isJsonObject(value) ? value[field] : undefined
}

/** The sum of the counts that are present; undefined if none is. */
export function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const numbers = counts.filter((count) => typeof count === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((total, count) => total + count, 0)
}
