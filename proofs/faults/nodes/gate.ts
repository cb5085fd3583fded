import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The only way of one server to the database. */
export interface DatabaseGate extends AsyncDisposable {
  /** The URL of the database, through the gate. */
  readonly url: string
  /** Ends the connections through it, and refuses new ones. */
  cut(): void
  /** Keeps everything, in both directions. No connection ends. */
  silence(): void
  /** Keeps what the database replies. Resolves when a reply is kept. */
  holdReplies(): Promise<void>
  /** Everything passes again, beginning with what was kept. */
  open(): void
}

type Way = 'there' | 'back'

/** What passes in each state. */
const passes = {
  open: ['there', 'back'],
  holding: ['there'],
  silent: [],
  cut: [],
} as const satisfies { readonly [state: string]: readonly Way[] }

/** One direction of a connection through the gate. */
interface Pipe {
  readonly way: Way
  readonly to: Socket
  readonly kept: Buffer[]
  hasEnded: boolean
}

export async function createDatabaseGate(url: string): Promise<DatabaseGate> {
  const target = new URL(url)
  const pipes = new Set<Pipe>()
  const sockets = new Set<Socket>()
  let state: keyof typeof passes = 'open'
  let kept = Promise.withResolvers<void>()

  const isPassing = (way: Way) => (passes[state] as readonly Way[]).includes(way)

  function flush(pipe: Pipe): void {
    if (!isPassing(pipe.way)) return
    for (const bytes of pipe.kept.splice(0)) pipe.to.write(bytes)
    if (!pipe.hasEnded) return
    pipes.delete(pipe)
    pipe.to.end()
  }

  function join(from: Socket, to: Socket, way: Way): void {
    const pipe: Pipe = { way, to, kept: [], hasEnded: false }
    pipes.add(pipe)
    sockets.add(from)
    from.on('error', () => undefined)
    from.on('data', (bytes) => {
      pipe.kept.push(bytes)
      if (!isPassing(way)) kept.resolve()
      flush(pipe)
    })
    from.on('close', () => {
      sockets.delete(from)
      pipe.hasEnded = true
      flush(pipe)
    })
  }

  const server = createServer((near) => {
    if (state === 'cut') return near.resetAndDestroy()
    const far = connect(Number(target.port), target.hostname)
    join(near, far, 'there')
    join(far, near, 'back')
    return undefined
  })

  function cut(): void {
    state = 'cut'
    pipes.clear()
    for (const socket of sockets) socket.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    cut,
    silence() {
      state = 'silent'
    },
    holdReplies() {
      kept = Promise.withResolvers()
      state = 'holding'
      return kept.promise
    },
    open() {
      state = 'open'
      for (const pipe of pipes) flush(pipe)
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
