import { createRunLog } from '@millrace/core/client'
import type { Entry } from '@millrace/core/events'
import type { Spans } from '@millrace/core/spans'
import { useNow, useStore } from '@millrace/react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { grownBy, hasTimes } from './row-times.ts'
import { createTimesAt } from './times-at.ts'

export interface RunTimes {
  readonly times: Spans
  /** The entries say when they were made. */
  readonly hasTimes: boolean
  /** All entries that there are were read. */
  readonly isRead: boolean
  readonly hasFailed: boolean
  readonly retry: () => void
}

/** The times of a run up to an entry; undefined: up to now, and growing while the run goes on. */
export function useRunTimes(basePath: string, runId: string, upTo: number | undefined): RunTimes {
  const [attempt, setAttempt] = useState(0)
  const log = useMemo(() => createRunLog({ baseUrl: basePath, runId }), [basePath, runId, attempt])
  const timesAt = useMemo(() => createTimesAt(runId, log.entries), [log, runId])
  useEffect(() => {
    log.start()
    return () => log.stop()
  }, [log])
  const { length, connection } = useStore(log)
  const end = useDeferredValue(Math.min(upTo ?? length, length))
  const times = useMemo(() => timesAt.at(end), [timesAt, end])
  const entries = log.entries()
  const isGrowing = upTo === undefined && connection === 'live' && !times.isOver
  const now = useNow(SECOND)
  const grown = isGrowing ? grownBy(times, now - (entries[end - 1]?.at ?? now)) : times
  return {
    times: grown,
    hasTimes: hasTimes(times, end, isDated(entries)),
    isRead: connection === 'live' || connection === 'ended' || length > 0,
    hasFailed: connection === 'failed',
    retry: () => setAttempt((before) => before + 1),
  }
}

const SECOND = 1_000

/** The framework has sent a time with the first entries that could have one. */
function isDated(entries: readonly Entry[]): boolean {
  return entries.some(({ event }) => event.sentAt !== undefined)
}
