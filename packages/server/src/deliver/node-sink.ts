import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sink } from './sink.ts'

/** Writes up to this many bytes are copied into one buffer with their frame and sent in one piece. */
const SMALL = 4 * 1024

/** Node's response as a sink. */
export function createNodeSink(response: ServerResponse): Sink {
  const gone = new AbortController()
  let socket: Socket | undefined
  response.once('close', () => gone.abort())
  // A write may lose the race against the client's leaving; that is not an error.
  response.on('error', () => {})
  if (response.destroyed) gone.abort()

  return {
    closed: gone.signal,
    open({ status, headers }) {
      if (gone.signal.aborted) return
      response.writeHead(status, headers)
      // The client learns that it is connected before there is anything to send.
      response.flushHeaders()
      socket = socketOf(response)
    },
    write(bytes) {
      if (gone.signal.aborted || response.destroyed) return true
      if (socket === undefined || bytes.length > SMALL || bytes.length === 0) return response.write(bytes)
      return socket.write(framed(bytes)) && !response.writableNeedDrain
    },
    drained() {
      const isFull = () => response.writableNeedDrain || socket?.writableNeedDrain === true
      if (!isFull() || response.destroyed) return Promise.resolve()
      return new Promise((resolve) => {
        const settle = () => {
          response.off('drain', settle).off('close', settle)
          socket?.off('drain', settle)
          resolve()
        }
        response.on('drain', settle).on('close', settle)
        socket?.on('drain', settle)
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

/**
 * The connection itself, if the response has it to itself and sends in chunks: `response.write` makes four writes of every
 * chunk, which doubles the cost (`bench/rows/serve.ts`). Undefined if the client still waits for an earlier response on the
 * same connection, or if a host's middleware has replaced `write`.
 */
function socketOf(response: ServerResponse): Socket | undefined {
  const { socket, chunkedEncoding, writableLength, write } = response
  const isBare = chunkedEncoding && write === ServerResponse.prototype.write
  return socket !== null && isBare && writableLength === socket.writableLength ? socket : undefined
}

/** A chunk of HTTP/1.1: its length in hexadecimal, a line break, the bytes, a line break. */
function framed(bytes: Uint8Array): Uint8Array {
  const head = bytes.length.toString(16)
  const chunk = Buffer.allocUnsafe(head.length + bytes.length + 4)
  let at = chunk.write(head, 'latin1')
  chunk[at++] = 13
  chunk[at++] = 10
  chunk.set(bytes, at)
  at += bytes.length
  chunk[at++] = 13
  chunk[at] = 10
  return chunk
}
