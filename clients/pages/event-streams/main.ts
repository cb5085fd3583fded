import { fetchEventSource } from '@microsoft/fetch-event-source'
import { SSE } from 'sse.js'
import { collect, type ReadEvents, readBy } from '../../event-readers.ts'

/** Thrown when the server has nothing more. */
class IsOver extends Error {}

/** It comes back when it is cut, also if that looks like an end, until the answer is 204. */
const byFetch: ReadEvents = async (url, count) => {
  const { add, done } = collect(count)
  const leaving = new AbortController()
  const reading = fetchEventSource(url, {
    signal: leaving.signal,
    openWhenHidden: true,
    async onopen({ status }) {
      if (status === 204) throw new IsOver()
    },
    onmessage: ({ id, data }) => add(id, data),
    onclose() {
      throw new Error('The response has ended.')
    },
    onerror(error) {
      if (error instanceof IsOver) throw error
      return 50
    },
  })
  await reading.catch((error: unknown) => {
    if (!(error instanceof IsOver)) throw error
  })
  return done.finally(() => leaving.abort())
}

const bySse: ReadEvents = async (url, count) => {
  const { add, done } = collect(count)
  const source = new SSE(url, { autoReconnect: true, reconnectDelay: 50, useLastEventId: true })
  source.addEventListener('message', (event: { readonly id: string | null; readonly data: string }) =>
    add(event.id ?? '', event.data),
  )
  return done.finally(() => source.close())
}

const readers: { readonly [library: string]: ReadEvents } = {
  EventSource: readBy((url) => new EventSource(url) as never),
  '@microsoft/fetch-event-source': byFetch,
  'sse.js': bySse,
}

Object.assign(globalThis, {
  read: (library: string, url: string, count: number) => readers[library]?.(url, count),
})
