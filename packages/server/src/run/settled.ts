import { LogError } from '../log/errors.ts'
import type { CommandResult, Log } from '../log/log.ts'
import { isLost } from './node.ts'
import type { Sleep } from './runs.ts'

/** The pause before a failed look is repeated, in ms. */
const RETRY = 100

export interface Search {
  readonly log: Log
  readonly runId: string
  readonly sleep: Sleep
  /** How long to look, in ms. */
  readonly within: number
}

/** The result of a command; undefined if nobody has settled it in time. */
export function settled(search: Search, number: number): Promise<CommandResult | undefined> {
  const { log, runId } = search
  return untilFound(search, async () => {
    const [command] = await log.commands(runId, { after: number - 1, limit: 1 })
    return command?.result
  })
}

/**
 * Looks at each hint about the run until something is found, for a limited time. A log that fails is asked again: what is
 * looked for may be there.
 */
export async function untilFound<Found>(
  { log, runId, sleep, within }: Search,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), within)
  let bell = Promise.withResolvers<void>()
  const ring = () => bell.resolve()
  const unwatch = log.watch({ runId }, ring)
  timeout.signal.addEventListener('abort', ring)
  try {
    while (!timeout.signal.aborted) {
      // Replaced before the look, so that a change in between is not missed.
      bell = Promise.withResolvers()
      const found = await find().catch(retryLater)
      if (found !== undefined) return found
      await bell.promise
    }
    return undefined
  } finally {
    clearTimeout(timer)
    unwatch()
  }

  async function retryLater(error: unknown): Promise<undefined> {
    if (!(error instanceof LogError) || isLost(error)) throw error
    await sleep(RETRY, timeout.signal).catch(() => undefined)
    ring()
  }
}
