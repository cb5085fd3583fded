import { FIRST_PAUSE, nextPause } from './retry-pauses.ts'
import type { Sleep } from './runs.ts'

export interface ServingOptions {
  /** Does what was asked of a run, if nobody owns it. */
  readonly serve: (runId: string) => Promise<void>
  readonly sleep: Sleep
  readonly closing: AbortSignal
  readonly report: (error: unknown, runId: string) => void
}

interface Service {
  /** Something may have been asked since the last look. */
  isDue: boolean
  rest: AbortController
}

/**
 * Serves runs in the background, until it is done. A run is served by one loop at most, however often it is asked for: a log
 * that cannot keep up would get slower with each one. A call during a look leads to another look, and one during a pause
 * ends the pause.
 */
export function createServing({ serve, sleep, closing, report }: ServingOptions): (runId: string) => void {
  const services = new Map<string, Service>()

  async function work(runId: string, service: Service): Promise<void> {
    let pause = FIRST_PAUSE
    while (service.isDue && !closing.aborted) {
      service.isDue = false
      try {
        await serve(runId)
        pause = FIRST_PAUSE
      } catch (error) {
        report(error, runId)
        service.isDue = true
        service.rest = new AbortController()
        await sleep(pause, AbortSignal.any([closing, service.rest.signal])).catch(() => undefined)
        pause = nextPause(pause)
      }
    }
    // In one step with the last test: a call that comes now begins another loop.
    services.delete(runId)
  }

  return (runId) => {
    const found = services.get(runId)
    if (found !== undefined) {
      found.isDue = true
      found.rest.abort()
      return
    }
    const service = { isDue: true, rest: new AbortController() }
    services.set(runId, service)
    void work(runId, service)
  }
}
