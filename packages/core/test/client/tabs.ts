import type { Channel, Fetch } from '../../src/client/platform.ts'
import { createRunStore, type RunStore } from '../../src/client/run-store.ts'
import { fold } from '../../src/fold/fold.ts'
import { answerEvents, createBrowser, createRunServer, createWorld } from './platform.ts'

export const NAME = 'millrace:http://host/api/runs/r/stream'

/** Several tabs of one browser, each with its own clock, over one server. */
export function openBrowser(...words: readonly string[]) {
  const server = createRunServer(...answerEvents(...words))
  const browser = createBrowser()
  const openTab = (fetch: Fetch = server.fetch) => {
    const world = createWorld()
    /** A tab that is deaf loses what others say. */
    const ears = { isDeaf: false }
    const store: RunStore = createRunStore({
      baseUrl: 'http://host',
      runId: 'r',
      ...world.options,
      locks: browser.locks,
      openChannel: (name) => withEars(browser.openChannel(name), ears),
      fetch,
    })
    const view = () => {
      world.frame()
      return store.snapshot()
    }
    store.start()
    return { world, store, view, ears }
  }
  const whole = () => fold(server.entries, { runId: 'r' })
  return { server, browser, openTab, whole }
}

function withEars(channel: Channel, ears: { readonly isDeaf: boolean }): Channel {
  const { postMessage, close } = channel
  const own: Channel = { onmessage: null, postMessage, close }
  channel.onmessage = (event) => {
    if (!ears.isDeaf) own.onmessage?.(event)
  }
  return own
}

export const word = { type: 'block-delta', blockId: 'b', text: 'word ' } as const
