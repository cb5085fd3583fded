import { entryOf } from '@millrace/core/client'
import { createFold, type RunSnapshot } from '@millrace/core/fold'

/** What a viewer of one run holds. It counts what it gets: nothing may be missing or come twice, however often it is cut. */
export interface ColumnSnapshot {
  readonly run: RunSnapshot
  /** The last entry. */
  readonly seq: number
  /** How many raw records were read for it. */
  readonly rawThrough: number
  readonly lost: number
  readonly doubled: number
  readonly connection: 'connecting' | 'live' | 'cut' | 'ended'
}

export interface ColumnStore {
  snapshot(): ColumnSnapshot
  subscribe(listener: () => void): () => void
  start(): void
  stop(): void
  /** Nothing is tried while the server is down. */
  setServer(isUp: boolean): void
}

const AGAIN_MS = 300
/** The server closes a run's socket with this code when the run has ended. */
const ENDED = 1000

/** Follows a run by WebSocket, because a browser opens no more than six streams to a server. `addressOf` names the run after an entry. */
export function createColumnStore(runId: string, addressOf: (after: number) => string): ColumnStore {
  const listeners = new Set<() => void>()
  const fold = createFold({ runId })
  let current: ColumnSnapshot = {
    run: fold.snapshot(),
    seq: 0,
    rawThrough: 0,
    lost: 0,
    doubled: 0,
    connection: 'connecting',
  }
  let next = current
  let frame = 0
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStarted = false
  let isUp = true

  /** Once a frame, however many entries come. */
  function change(fields: Partial<ColumnSnapshot>): void {
    next = { ...next, ...fields }
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      current = { ...next, run: fold.snapshot() }
      for (const listener of [...listeners]) listener()
    })
  }

  function take(text: string): void {
    const { chunk } = JSON.parse(text) as { readonly chunk?: unknown }
    const entry = entryOf(chunk)
    // A message without an entry is the status of the run.
    if (entry === undefined) return
    if (entry.seq <= next.seq) {
      change({ doubled: next.doubled + 1 })
      return
    }
    const { seq, rawThrough } = entry
    fold.push([entry])
    change({ seq, rawThrough, lost: next.lost + seq - next.seq - 1, connection: 'live' })
  }

  function connect(): void {
    const opened = new WebSocket(addressOf(next.seq))
    socket = opened
    opened.onopen = () => next.connection === 'cut' && change({ connection: 'live' })
    opened.onmessage = ({ data }) => take(String(data))
    opened.onclose = ({ code }) => {
      if (!isStarted || socket !== opened) return
      if (code === ENDED) return change({ connection: 'ended' })
      if (next.seq > 0) change({ connection: 'cut' })
      if (isUp) timer = setTimeout(connect, AGAIN_MS)
    }
  }

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start() {
      if (isStarted) return
      isStarted = true
      connect()
    },
    setServer(isThere) {
      if (isThere === isUp) return
      isUp = isThere
      clearTimeout(timer)
      const isIdle = socket === undefined || socket.readyState === WebSocket.CLOSED
      if (isStarted && isUp && isIdle && next.connection !== 'ended') connect()
    },
    stop() {
      isStarted = false
      clearTimeout(timer)
      socket?.close()
    },
  }
}
