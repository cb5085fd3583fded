import type { Channel, Fetch } from '../../src/client/platform.ts'
import { createRunStore, type RunStore } from '../../src/client/run-store.ts'
import { fold } from '../../src/fold/fold.ts'
import { answerEvents, createBrowser, createRunServer, createWorld } from './platform.ts'

export const NAME = 'millrace:http://host/api/runs/r/stream'

/** Tabs of one browser, each with its own clock, and one server. */
export function openBrowser(...words: readonly string[]) {
  const server = createRunServer(...answerEvents(...words))
  const browser = createBrowser()
  const openTab = (fetch: Fetch = server.fetch) => {
    const world = createWorld()
    /** A tab whose inbox is blocked loses the messages of other tabs. */
    const inbox = { isBlocked: false }
    const store: RunStore = createRunStore({
      baseUrl: 'http://host',
      runId: 'r',
      ...world.options,
      locks: browser.locks,
      openChannel: (name) => withInbox(browser.openChannel(name), inbox),
      fetch,
    })
    const view = () => {
      world.frame()
      return store.snapshot()
    }
    store.start()
    return { world, store, view, inbox }
  }
  const whole = () => fold(server.entries, { runId: 'r' })
  return { server, browser, openTab, whole }
}

function withInbox(channel: Channel, inbox: { readonly isBlocked: boolean }): Channel {
  const { postMessage, close } = channel
  const wrapped: Channel = { onmessage: null, postMessage, close }
  channel.onmessage = (event) => {
    if (!inbox.isBlocked) wrapped.onmessage?.(event)
  }
  return wrapped
}

export const word = { type: 'block-delta', blockId: 'b', text: 'word ' } as const
