import type { Sink } from './sink.ts'

export interface WebSink extends Sink {
  /** Resolves once the head was sent. */
  readonly response: Promise<Response>
}

/** How much may lie between the writer and a client that is about to read, in bytes. */
const BUFFERED = 64 * 1024

/** The web's `Response` as a sink: its body is filled as the client pulls. */
export function createWebSink(): WebSink {
  const gone = new AbortController()
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>()
  let waiting = Promise.withResolvers<void>()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOver = false

  function release(): void {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }

  function leave(): void {
    isOver = true
    gone.abort()
    release()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      pull: release,
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED }),
  )
  const hasRoom = () => isOver || (controller?.desiredSize ?? 0) > 0

  return {
    response,
    closed: gone.signal,
    open: ({ status, headers }) => respond(new Response(body, { status, headers })),
    write(bytes) {
      if (!isOver) controller?.enqueue(bytes)
      return hasRoom()
    },
    drained: () => (hasRoom() ? Promise.resolve() : waiting.promise),
    end() {
      if (!isOver) controller?.close()
      isOver = true
    },
    cut() {
      if (!isOver) controller?.error(new Error('The connection was cut; come back with the last cursor.'))
      leave()
    },
  }
}
