import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface Proxy {
  readonly origin: string
  close(): Promise<void>
}

/** A proxy as a deployment has one in front of a server: it adds the token to requests and to upgrades, and nothing else. */
export async function openProxy(target: string, authorization: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization, host: `${hostname}:${port}` }
    const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  server.on('upgrade', (incoming, socket) => {
    const onward = connect(Number(port), hostname)
    const headers = { ...incoming.headers, authorization, host: `${hostname}:${port}` }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    onward.pipe(socket)
    socket.pipe(onward)
    for (const each of [onward, socket]) {
      sockets.add(each)
      each.on('error', () => each.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
