// Reads a stream with a package for Node and prints what it got, as JSON: node event-streams.ts LIBRARY URL COUNT
import { EventSource } from 'eventsource'
import WebSocket from 'ws'
import { collect, type ReadEvents, readBy } from '../event-readers.ts'

/** After so many messages it leaves, and comes back behind the last one. */
const MESSAGES_EACH = 5

const bySocket: ReadEvents = async (url, count) => {
  const { add, done } = collect(count)
  const connect = (after: string) => {
    let left = MESSAGES_EACH
    const address = new URL(url.replace('/stream?', '/ws?').replace('http', 'ws'))
    if (after !== '') address.searchParams.set('after', after)
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${process.env.MILLRACE_TOKEN}` } })
    socket.on('error', () => undefined)
    socket.on('message', (bytes) => {
      const { id, chunk } = JSON.parse(String(bytes)) as { readonly id?: string; readonly chunk?: unknown }
      if (id === undefined || left === 0) return
      add(id, JSON.stringify(chunk))
      if (--left > 0) return
      socket.terminate()
      connect(id)
    })
  }
  connect('')
  return done
}

const readers: { readonly [library: string]: ReadEvents } = {
  eventsource: readBy((url) => new EventSource(url) as never),
  ws: bySocket,
}

const [library = '', url = '', count = ''] = process.argv.slice(2)
console.log(JSON.stringify(await readers[library]?.(url, Number(count))))
process.exit()
