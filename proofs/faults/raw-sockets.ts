import { createConnection, type Socket } from 'node:net'
import type { Address } from './server-process.ts'

/** A connection whose bytes are written by hand. It expects to be cut. */
export function connect({ port }: Pick<Address, 'port'>): Socket {
  const socket = createConnection({ port, host: '127.0.0.1' })
  return socket.on('error', () => socket.destroy())
}

/** The first lines of a request; a blank line must follow. */
export const headOf = ({ port, token }: Address, method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n`

/** The whole head of a request for a WebSocket. */
export const upgradeOf = (server: Address, path: string) =>
  `${headOf(server, 'GET', path)}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

/** A masked frame of at most 125 bytes. */
export function frameOf(opcode: number, payload: string): Buffer {
  const bytes = Buffer.from(payload)
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

export const firstBytes = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
    socket.once('close', () => resolve(''))
  })

/** Begins a run with a producer that breaks off after one record: the run waits for it. */
export async function breakOff(server: Address, runId: string, isThere: () => Promise<boolean>): Promise<void> {
  const socket = connect(server)
  const line = '{"type":"text","data":{"content":"here"}}\n'
  const head = headOf(server, 'POST', `/api/ingest?format=agent-lines&runId=${runId}`)
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n${line.length.toString(16)}\r\n${line}\r\n`)
  for (let round = 0; round < 500 && !(await isThere()); round++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  socket.destroy()
}
