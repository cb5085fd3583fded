import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { metadata } from './fields.ts'
import type { SystemLine } from './raw.ts'

/** What an init says that is no fact of the session. */
const PLACING: ReadonlySet<string> = new Set(['type', 'subtype', 'uuid', 'timestamp', 'model'])

/** The start of each turn. Most of what it says was said by the turn before: only what is new is said again. */
export function createInit(): { read(line: SystemLine): StreamEvent[] } {
  let known: ReadonlyMap<string, string> = new Map()
  let isStarted = false

  return {
    read(line) {
      const { model } = line
      const fields = Object.entries(present(line)).filter(([field]) => !PLACING.has(field)) as [string, Json][]
      const given = new Map(fields.map(([field, value]) => [field, JSON.stringify(value)]))
      const fresh = fields.filter(([field]) => known.get(field) !== given.get(field))
      known = given
      const named = typeof model === 'string' ? { model } : {}
      const start: StreamEvent[] = isStarted ? metadata(named) : [{ type: 'run-start', ...named }]
      isStarted = true
      return [...start, ...metadata(Object.fromEntries(fresh))]
    },
  }
}
