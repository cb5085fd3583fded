import type { ServerResponse } from 'node:http'
import type { Sink } from './sink.ts'

/** Node's response as a sink. */
export function createNodeSink(response: ServerResponse): Sink {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  // A write that loses the race against the client's leaving is no fault of ours.
  response.on('error', () => {})
  if (response.destroyed) gone.abort()

  return {
    closed: gone.signal,
    open({ status, headers }) {
      if (gone.signal.aborted) return
      response.writeHead(status, headers)
      // The client should know that it is connected before there is anything to say.
      response.flushHeaders()
    },
    write: (bytes) => gone.signal.aborted || response.destroyed || response.write(bytes),
    drained() {
      if (!response.writableNeedDrain || response.destroyed) return Promise.resolve()
      return new Promise((resolve) => {
        const settle = () => {
          response.off('drain', settle).off('close', settle)
          resolve()
        }
        response.on('drain', settle).on('close', settle)
      })
    },
    end() {
      response.end()
    },
    cut() {
      response.destroy()
    },
  }
}
