import type { SearchKind, SearchText } from '@millrace/core/fold'
import { LogError } from '../errors.ts'
import {
  emptyPage,
  type FoundRow,
  MOST_COUNTED,
  MOST_TEXTS,
  numberOf,
  pageOfHits,
  type ReadQuery,
  readQuery,
  type SearchIndex,
  titleFor,
} from '../search.ts'
import { excerptOf } from '../search-words.ts'
import type { HeldRun } from './held-run.ts'

interface Indexed {
  readonly version: number
  readonly texts: readonly SearchText[]
}

/** Looks at every text: the reference for what an index finds. */
export function createSearchIndex(
  checkOpen: (operation: string) => void,
  runs: ReadonlyMap<string, HeldRun>,
  nameThread: (threadId: string, title: string | undefined) => void,
): Omit<SearchIndex, 'recentRuns'> & { forget(runIds: readonly string[]): void } {
  const indexed = new Map<string, Indexed>()
  const newestFirst = () => [...runs.values()].toReversed()

  function* rows(): Generator<FoundRow> {
    for (const { info, number } of newestFirst()) {
      const { id: runId, threadId } = info
      for (const [nth, text] of (indexed.get(runId)?.texts ?? []).entries())
        yield { ...text, number: numberOf(number, nth), runId, threadId }
    }
  }

  return {
    async index(runId, texts, version, digest) {
      checkOpen('index a run')
      const run = runs.get(runId)
      if (run === undefined) throw new LogError('unknown-run', runId)
      if (run.info.state !== 'ended') throw new LogError('run-live', runId)
      indexed.set(runId, { version, texts: texts.slice(0, MOST_TEXTS) })
      if (digest === undefined) return
      run.info = { ...run.info, digest }
      nameThread(run.info.threadId, titleFor(run.info))
    },
    async unindexed(version, limit) {
      checkOpen('list runs')
      const ended = newestFirst().filter(({ info }) => info.state === 'ended')
      return ended
        .map(({ info }) => info.id)
        .filter((id) => indexed.get(id)?.version !== version)
        .slice(0, limit)
    },
    async search(asked) {
      checkOpen('search')
      const query = readQuery(asked)
      if (query === undefined) return emptyPage
      const found = [...rows()].filter((row) => isFound(row, query))
      const counts = new Map<SearchKind, number>()
      for (const { kind } of found.slice(0, MOST_COUNTED)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const shown = found.filter(({ kind, number }) => number < query.below && (query.kinds?.includes(kind) ?? true))
      return pageOfHits(shown.slice(0, query.limit + 1), counts, query)
    },
    forget(runIds) {
      for (const runId of runIds) indexed.delete(runId)
    },
  }
}

const isFound = ({ text, threadId }: FoundRow, { phrases, threadId: wanted }: ReadQuery): boolean =>
  (wanted === undefined || threadId === wanted) && excerptOf(text, phrases) !== undefined
