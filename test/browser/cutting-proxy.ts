import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes a server's bytes on, and cuts connections where it is told to. */
export interface CuttingProxy {
  /** A host and a port. */
  readonly host: string
  /** Cuts, without a farewell, whatever was last asked for at a path that begins so. The number of those. */
  cut(path: string): number
  close(): Promise<void>
}

/** Before a server of this machine. */
export async function startProxy(serverPort: number): Promise<CuttingProxy> {
  const asked = new Map<Socket, string>()
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    asked.set(client, '')
    client.on('data', (bytes) => {
      const request = /^(?:GET|POST) (\S+) HTTP/.exec(bytes.toString('latin1'))
      if (request?.[1] !== undefined) asked.set(client, request[1])
    })
    const end = () => {
      asked.delete(client)
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
      const meant = [...asked].filter(([, last]) => last.startsWith(path))
      for (const [client] of meant) client.resetAndDestroy()
      return meant.length
    },
    async close() {
      for (const client of asked.keys()) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
