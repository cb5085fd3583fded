import { createRunLog } from '@millrace/core/client'
import type { Entry } from '@millrace/core/events'
import { createPieceEntries, type PieceEntries } from '@millrace/core/lens'
import { useStore } from '@millrace/react'
import { useEffect, useMemo } from 'react'

export interface RunEntries {
  /** One list that grows. */
  readonly entries: readonly Entry[]
  readonly links: PieceEntries
  /** How many there are: it changes when the list has grown. */
  readonly length: number
  readonly hasFailed: boolean
}

/** The entries of a run from the first on, and which pieces they made. */
export function useRunEntries(basePath: string, runId: string): RunEntries {
  const log = useMemo(() => createRunLog({ baseUrl: basePath, runId }), [basePath, runId])
  const links = useMemo(() => {
    const made = createPieceEntries()
    return { made, pushed: 0, log }
  }, [log])
  const { length, connection } = useStore(log)
  useEffect(() => {
    log.start()
    return () => log.stop()
  }, [log])
  const entries = log.entries()
  if (links.pushed < length) {
    links.made.push(entries.slice(links.pushed, length))
    links.pushed = length
  }
  return { entries, links: links.made, length, hasFailed: connection === 'failed' }
}
