import { getEventListeners, once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Connection, sinkSuite } from '@millrace/testkit/sink-suite'
import { afterAll, beforeAll } from 'vitest'
import { createNodeSink } from '../src/deliver/node-sink.ts'
import { createWebSink } from '../src/deliver/web-sink.ts'

const http = createServer()
beforeAll(async () => {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
})
afterAll(() => {
  http.closeAllConnections()
  http.close()
})

sinkSuite('Node', async (): Promise<Connection> => {
  const arrived = once(http, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const request = get({ port: (http.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
  request.on('error', () => {})
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  const [, response] = await arrived
  let pieces: AsyncIterator<Uint8Array> | undefined
  const client: Connection['client'] = {
    async head() {
      const [{ statusCode = 0, headers }] = await answered
      return { status: statusCode, header: (name) => headers[name]?.toString() }
    },
    async read() {
      const [incoming] = await answered
      pieces ??= incoming[Symbol.asyncIterator]()
      const { value, done } = await pieces.next()
      return done ? undefined : value
    },
    leave: () => request.destroy(),
  }
  const counted = ['drain', 'close', 'error', 'finish']
  const listeners = () =>
    counted.reduce((sum, name) => sum + response.listenerCount(name), 0) + socketListeners(response)
  return { sink: createNodeSink(response), client, listeners }
})

sinkSuite('the web', async (): Promise<Connection> => {
  const { signal } = new AbortController()
  const sink = createWebSink(signal)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const body = async () => {
    reader ??= (await sink.response).body?.getReader()
    if (reader === undefined) throw new Error('the response has no body')
    return reader
  }
  const client: Connection['client'] = {
    async head() {
      const { status, headers } = await sink.response
      return { status, header: (name) => headers.get(name) ?? undefined }
    },
    async read() {
      const { value, done } = await (await body()).read()
      return done ? undefined : value
    },
    leave: () => void body().then((taken) => taken.cancel()),
  }
  return { sink, client, listeners: () => getEventListeners(signal, 'abort').length }
})

function socketListeners({ socket }: ServerResponse): number {
  return (socket?.listenerCount('drain') ?? 0) + (socket?.listenerCount('close') ?? 0)
}
