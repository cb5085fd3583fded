import type { FormatsColumn, FormatsShow } from '@millrace/core/api'
import { createChildServer } from './child-server.ts'
import { type Feeding, feed } from './feed.ts'
import { createPlayhead } from './playhead.ts'
import { readScenario } from './scenario.ts'

/** One scenario, played by five programs into a server of their own, whose process can be killed. */
export interface Show {
  /** Begins from the start, with an empty log. Resolves when the child serves. */
  begin(): Promise<FormatsShow>
  /** Undefined before `begin`, and after `end`. */
  state(): FormatsShow | undefined
  /** Ends the child as `kill -9` does. */
  kill(): Promise<FormatsShow>
  /** Starts the child again, over what its log has. */
  restart(): Promise<FormatsShow>
  /** 0 pauses. */
  setSpeed(speed: number): FormatsShow
  /** A request to the child, such as `/api/runs/:id/verify`. Rejects while it is down. */
  ask(path: string): Promise<Response>
  /** Where the child listens; undefined while it is down. */
  address(): { readonly url: string; readonly token: string } | undefined
  /** Ends the child, and removes what it has stored. */
  end(): Promise<void>
}

/** How long the scenario takes at speed 1. */
const DURATION_MS = 40_000
/** A show that is not looked at is ended. */
const FORGOTTEN_MS = 10 * 60_000

interface Running {
  readonly child: Awaited<ReturnType<typeof createChildServer>>
  readonly playhead: ReturnType<typeof createPlayhead>
  readonly feedings: readonly Feeding[]
  readonly columns: readonly FormatsColumn[]
  readonly stop: AbortController
  kills: { readonly at: number; downMs?: number }[]
  killedAt: number | undefined
}

/** `folder` holds the recordings, one file per format. */
export function createShow(folder: string): Show {
  let running: Running | undefined
  let timer: NodeJS.Timeout | undefined
  /** Beginnings and ends follow each other: two at once would leave a child behind. */
  let last: Promise<unknown> = Promise.resolve()

  function inOrder<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }

  function looked(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void inOrder(end), FORGOTTEN_MS)
    timer.unref()
  }

  async function end(): Promise<void> {
    const ending = running
    running = undefined
    clearTimeout(timer)
    ending?.stop.abort()
    await ending?.child.end()
  }

  function current(): Running {
    if (running === undefined) throw new Error('The show has not begun.')
    looked()
    return running
  }

  function stateOf({ child, playhead, columns, feedings, kills }: Running): FormatsShow {
    const isUp = child.address() !== undefined
    return {
      server: isUp ? 'up' : 'down',
      ...(child.pid() !== undefined && { pid: child.pid() as number }),
      position: playhead.position(),
      duration: DURATION_MS,
      speed: playhead.speed(),
      kills: [...kills],
      columns: columns.map((column, index) => ({ ...column, ...feedings[index]?.counts() })),
    }
  }

  async function begin(): Promise<FormatsShow> {
    await end()
    const scenario = await readScenario(folder)
    const child = await createChildServer()
    const playhead = createPlayhead(DURATION_MS, () => child.address() !== undefined)
    const stop = new AbortController()
    const columns = scenario.map(({ format, records }) => {
      const runId = `run_${crypto.randomUUID()}`
      return { format, runId, records: records.length, isAcknowledged: false }
    })
    const feedings = scenario.map((recording, index) =>
      feed({ ...recording, runId: columns[index]?.runId ?? '', child, playhead, signal: stop.signal }),
    )
    running = { child, playhead, feedings, columns, stop, kills: [], killedAt: undefined }
    return stateOf(current())
  }

  return {
    state: () => running && stateOf(running),
    end: () => inOrder(end),
    begin: () => inOrder(begin),
    async kill() {
      const show = current()
      if (show.killedAt === undefined) {
        show.killedAt = Date.now()
        show.kills.push({ at: show.playhead.position() })
        await show.child.kill()
      }
      return stateOf(show)
    },
    async restart() {
      const show = current()
      await show.child.start()
      const last = show.kills.at(-1)
      if (show.killedAt !== undefined && last !== undefined) {
        show.kills[show.kills.length - 1] = { at: last.at, downMs: Date.now() - show.killedAt }
        show.killedAt = undefined
      }
      return stateOf(show)
    },
    setSpeed(speed) {
      const show = current()
      show.playhead.setSpeed(speed)
      return stateOf(show)
    },
    async ask(path) {
      const address = current().child.address()
      if (address === undefined) throw new Error('The server of the show is down.')
      return fetch(`${address.url}${path}`, { headers: { authorization: `Bearer ${address.token}` } })
    },
    address: () => running?.child.address(),
  }
}
