import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Whether the request asks for a WebSocket. Every other upgrade, such as the `h2c` of curl and of Java's client, is an
 * offer that a server may ignore.
 */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Returns a connection to the server that it came from, which reads the request again, without its upgrade. Returns
 * false, and touches nothing, if the connection belongs to no server.
 */
export function readWithoutUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
  const { server } = socket as { readonly server?: unknown }
  if (!(server instanceof EventEmitter)) return false
  socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
  return true
}

/** Node decodes the head of a request as latin1, so the same encoding gives the same bytes. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!UPGRADE.has(name.toLowerCase())) lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const UPGRADE: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])
