import { createConnection } from 'node:net'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { createRandom } from '@millrace/testkit/seeded'
import { describe, expect, it } from 'vitest'
import { framesOf } from './frames.ts'
import { ingested, type Serving, startServer } from './serving.ts'

const CUTS = 50

describe('a viewer whose connection is cut at any byte', () => {
  it.each(['native', 'ai-sdk'])('gets the whole run on %s, nothing twice and nothing missing', async (wire) => {
    const server = await startServer()
    const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))
    const runId = await ingested(server, 'agent-lines', recording?.bytes ?? '')
    const path = `/api/runs/${runId}/stream?wire=${wire}`
    const whole = await (await server.ask(path)).text()
    const random = createRandom(20)
    for (let round = 0; round < CUTS; round++) {
      const first = await readBytes(server, path, Math.floor(random() * whole.length))
      const received = framesOf(first).filter(({ id }) => id !== undefined)
      const cursor = received.at(-1)?.id
      const rest = await (await server.ask(cursor === undefined ? path : `${path}&after=${cursor}`)).text()
      expect([...received, ...framesOf(rest)]).toEqual(framesOf(whole))
    }
  })
})

/** Reads this many bytes of a response's body, then closes the socket. Incomplete UTF-8 at the end is dropped. */
function readBytes({ port, token }: Serving, path: string, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    let bytes = Buffer.alloc(0)
    socket.on('error', reject)
    socket.write(`GET ${path} HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const finish = () => {
      socket.destroy()
      const start = bytes.indexOf('\r\n\r\n') + 4
      resolve(bytes.subarray(start, start + count).toString('utf8'))
    }
    socket.on('end', finish)
    socket.on('data', (piece) => {
      bytes = Buffer.concat([bytes, piece])
      const start = bytes.indexOf('\r\n\r\n')
      if (start !== -1 && bytes.length - start - 4 >= count) finish()
    })
  })
}
