import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** For tests: a connection whose bytes the test writes itself. */
export function connectRaw(port: number): Socket {
  const socket = createConnection({ port, host: '127.0.0.1' })
  return socket.on('error', () => socket.destroy())
}

/** The head of an upgrade request to a protocol, `websocket` or another. */
export function upgradeHead(
  { port, token }: { readonly port: number; readonly token: string },
  path: string,
  protocol = 'websocket',
): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${token}`,
    'connection: Upgrade, HTTP2-Settings',
    `upgrade: ${protocol}`,
    'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** A masked frame of a WebSocket, of at most 125 bytes. */
export function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** Resolves when the text has arrived; what follows it stays in the socket, unread. */
export async function received(socket: Socket, text: string): Promise<string> {
  let arrived = ''
  socket.resume()
  while (!arrived.includes(text)) arrived += String((await once(socket, 'data'))[0])
  socket.pause()
  return arrived
}

/** Resolves when the connection has ended, in any way. */
export const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
