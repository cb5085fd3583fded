import { ApiError } from '@millrace/core/api'
import type { Sink } from './sink.ts'

export interface WebSink extends Sink {
  /** Resolves when the head is sent. Rejects if the connection is cut before. */
  readonly response: Promise<Response>
}

/** How much may be buffered for a client, in bytes. */
const BUFFERED = 64 * 1024

/**
 * The web's `Response` as a sink: its body is filled as the client pulls. The client has left when it cancels the body or
 * when the request's signal fires: hosts do one of the two, or both.
 */
export function createWebSink(left?: AbortSignal): WebSink {
  const gone = new AbortController()
  const { promise: response, resolve: respond, reject: refuse } = Promise.withResolvers<Response>()
  // A host that is gone does not await the response.
  response.catch(() => undefined)
  let waiting = Promise.withResolvers<void>()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOver = false

  function release(): void {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }

  function leave(): void {
    isOver = true
    left?.removeEventListener('abort', abort)
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

  function abort(): void {
    leave()
    // A host that is about to cancel the body would mistake the error for one of its own.
    queueMicrotask(() => controller?.error(left?.reason))
  }
  if (left?.aborted) abort()
  else left?.addEventListener('abort', abort, { once: true })

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
      leave()
    },
    cut() {
      const cut = new ApiError(503, 'cut', 'The connection was cut; come back with the last cursor.')
      refuse(cut)
      if (!isOver) controller?.error(cut)
      leave()
    },
  }
}
