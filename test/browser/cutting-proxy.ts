import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards a server's bytes, and cuts connections on request. */
export interface CuttingProxy {
  /** A host and a port. */
  readonly host: string
  /** Cuts, without a close, the connections whose last request has a path that begins so. Returns their number. */
  cut(path: string): number
  close(): Promise<void>
}

/** Starts a proxy in front of a server of this machine. */
export async function startProxy(serverPort: number): Promise<CuttingProxy> {
  const lastPaths = new Map<Socket, string>()
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    lastPaths.set(client, '')
    client.on('data', (bytes) => {
      const request = /^(?:GET|POST) (\S+) HTTP/.exec(bytes.toString('latin1'))
      if (request?.[1] !== undefined) lastPaths.set(client, request[1])
    })
    const end = () => {
      lastPaths.delete(client)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.pipe(server).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut(path) {
      const matching = [...lastPaths].filter(([, last]) => last.startsWith(path))
      for (const [client] of matching) client.resetAndDestroy()
      return matching.length
    },
    async close() {
      for (const client of lastPaths.keys()) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
