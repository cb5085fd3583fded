import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be shut, so that one bus loses the server and others do not. */
export interface Gate extends AsyncDisposable {
  /** The server's URL, through the gate. */
  readonly url: string
  /** Ends the connections through it, and refuses new ones. */
  shut(): void
  open(): void
  /** Keeps what goes to the server, until it is released. */
  hold(): void
  release(): void
}

export async function createGate(url: string): Promise<Gate> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const nearSockets = new Set<Socket>()
  let isOpen = true

  function track(socket: Socket, other: () => Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      other().destroy()
    })
  }

  function shut(): void {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer((near) => {
    if (!isOpen) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    track(near, () => far)
    track(far, () => near)
    nearSockets.add(near)
    near.on('data', (bytes) => far.write(bytes))
    far.pipe(near)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    shut,
    open() {
      isOpen = true
    },
    hold() {
      for (const near of nearSockets) near.pause()
    },
    release() {
      for (const near of nearSockets) near.resume()
    },
    async [Symbol.asyncDispose]() {
      shut()
      server.close()
      await once(server, 'close')
    },
  }
}
