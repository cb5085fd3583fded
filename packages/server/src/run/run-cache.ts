import type { StoredRun } from '../log/log.ts'

/** Facts about runs that were read from the log, so that the log is not read for every question. */
export interface RunCache<Fact> {
  get(run: CachedRun): Fact | undefined
  set(run: CachedRun, fact: Fact): Fact
}

type CachedRun = Pick<StoredRun, 'id' | 'createdAt'>

/** The fact about a run that is forgotten is read again. */
const MAX_RUNS = 1_000

export function createRunCache<Fact>(): RunCache<Fact> {
  const facts = new Map<string, Fact>()
  // A new run may have the id of a deleted one.
  const keyOf = ({ id, createdAt }: CachedRun) => `${createdAt} ${id}`
  return {
    get: (run) => facts.get(keyOf(run)),
    set(run, fact) {
      facts.set(keyOf(run), fact)
      const [oldest] = facts.keys()
      if (facts.size > MAX_RUNS && oldest !== undefined) facts.delete(oldest)
      return fact
    },
  }
}
