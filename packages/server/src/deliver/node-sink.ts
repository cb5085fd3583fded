import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sink } from './sink.ts'

/** Writes up to this many bytes are copied into one buffer with their frame and sent in one piece. */
const SMALL = 4 * 1024

export const createNodeSink = (response: ServerResponse): Sink => new NodeSink(response)

/** Node's response as a sink. */
class NodeSink implements Sink {
  readonly #response: ServerResponse
  readonly #gone = new AbortController()
  #socket: Socket | undefined

  constructor(response: ServerResponse) {
    this.#response = response
    // Not `once`, which holds three objects more until then (`bench/rows/serve.ts`).
    response.on('close', () => this.#gone.abort())
    // A write may lose the race against the client's leaving; that is not an error.
    response.on('error', ignore)
    if (response.destroyed) this.#gone.abort()
  }

  get closed(): AbortSignal {
    return this.#gone.signal
  }

  open({ status, headers }: Parameters<Sink['open']>[0]): void {
    if (this.closed.aborted) return
    this.#response.writeHead(status, headers)
    // The client learns that it is connected before there is anything to send.
    this.#response.flushHeaders()
    this.#socket = socketOf(this.#response)
  }

  write(bytes: Uint8Array): boolean {
    const [response, socket] = [this.#response, this.#socket]
    if (this.closed.aborted || response.destroyed) return true
    if (socket === undefined || bytes.length > SMALL || bytes.length === 0) return response.write(bytes)
    return socket.write(framed(bytes)) && !response.writableNeedDrain
  }

  drained(): Promise<void> {
    const [response, socket] = [this.#response, this.#socket]
    const isFull = response.writableNeedDrain || socket?.writableNeedDrain === true
    if (!isFull || response.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        response.off('drain', settle).off('close', settle)
        socket?.off('drain', settle)
        resolve()
      }
      response.on('drain', settle).on('close', settle)
      socket?.on('drain', settle)
    })
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#response.destroy()
  }
}

function ignore(): void {}

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

let lastBytes: Uint8Array | undefined
let lastFramed: Uint8Array | undefined

/**
 * A chunk of HTTP/1.1: its length in hexadecimal, a line break, the bytes, a line break. The viewers of a run get the same
 * bytes one after the other, so the last chunk is kept.
 */
function framed(bytes: Uint8Array): Uint8Array {
  if (bytes === lastBytes && lastFramed !== undefined) return lastFramed
  const head = bytes.length.toString(16)
  const chunk = Buffer.allocUnsafe(head.length + bytes.length + 4)
  let at = chunk.write(head, 'latin1')
  chunk[at++] = 13
  chunk[at++] = 10
  chunk.set(bytes, at)
  at += bytes.length
  chunk[at++] = 13
  chunk[at] = 10
  lastBytes = bytes
  lastFramed = chunk
  return chunk
}
