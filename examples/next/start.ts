import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import * as route from './app/api/[...path]/route.ts'
import { millrace, type Settings } from './millrace.ts'

type Answer = (request: Request) => Promise<Response>
const answers: { readonly [method: string]: Answer | undefined } = { ...route, dynamic: undefined, HEAD: route.GET }

/** What `next start` does for a route: converts the request to a web `Request`, and the `Response` back to Node's. */
async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const answer = answers[method]
  if (answer === undefined) return void outgoing.writeHead(405).end()
  const disconnected = new AbortController()
  outgoing.once('close', () => disconnected.abort())
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as { [name: string]: string },
    signal: disconnected.signal,
    ...(method !== 'GET' && method !== 'HEAD' && { body: Readable.toWeb(incoming), duplex: 'half' }),
  })
  const response = await answer(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders()
  if (response.body === null) outgoing.end()
  // A client that disconnects early is not an error of the server.
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {})
}

export async function start(port: number, open?: () => Promise<Settings>) {
  const handler = await millrace(open)
  const server = createServer({ requestTimeout: 0 }, (...exchange) => void serve(...exchange))
  await once(server.listen(port, '127.0.0.1'), 'listening')

  async function close() {
    server.close()
    await handler.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: handler.token, close }
}

if (import.meta.main) {
  const { url, token } = await start(Number(process.env.PORT ?? '4874'))
  console.log(`${url}/api/agents accepts the token ${token}.`)
}
