import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { socketRoutes } from '../src/api/sockets/index.ts'
import { createHandler } from '../src/handler.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import {
  authorize,
  type Entrance,
  headerProblems,
  headersOf,
  oneAtATime,
  PORT,
  rightful,
  sites,
  TOKEN,
  verdictOf,
} from './guard-matrix.ts'
import { connectRaw, received } from './raw-socket.ts'
import { startServer } from './serving.ts'

/** Every WebSocket, with the answer to a client with access that names nothing that exists. */
const answers: { readonly [path: string]: number } = {
  '/api/runs/:id/ws': 404,
  '/api/chat/ws': 101,
  '/api/show/runs/:id/ws': 404,
  '/api/v2/ws/:id': 404,
}

const statuses = { forbidden: 403, unauthorized: 401 } as const
const concrete = (path: string) => path.replaceAll(/:\w+/g, 'x')

/** The head of the answer to an upgrade request with these headers. */
async function upgrade(port: number, path: string, headers: { readonly [name: string]: string }) {
  const own = JSON.parse(JSON.stringify(headers).replaceAll(String(PORT), String(port))) as typeof headers
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connectRaw(port)
  const handshake = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}connection: Upgrade\r\nupgrade: WebSocket\r\n${handshake}\r\n`)
  const head = await received(socket, '\r\n\r\n')
  socket.destroy()
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  return { status, header: (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1] }
}

function* everyUpgrade() {
  yield* oneAtATime()
  for (const site of Object.keys(sites))
    for (const credential of ['none', 'bearer', 'cookie', 'session of the host', 'basic'])
      for (const origin of ['absent', 'own', 'foreign', 'null'])
        yield { ...rightful, site, credential, origin, mode: 'websocket' } as const
}

/** A host that authorizes requests itself. */
async function mounted(log: Log): Promise<number> {
  const handler = await createHandler({ log, agents: [], dataFolder: tmpdir(), authorize })
  const http = createServer(handler.listener).on('upgrade', handler.upgrade).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(async () => {
    http.close().closeAllConnections()
    await handler.close()
  })
  return (http.address() as AddressInfo).port
}

describe('the guard of WebSockets', () => {
  it('has a verdict for every WebSocket', () => {
    expect(Object.keys(answers).toSorted()).toEqual(socketRoutes.map(({ path }) => path).toSorted())
  })

  it.each<Entrance>(['server', 'authorize'])(
    'SECURITY 1, 3, 5: of %s decides by the rule of a change, before the handshake, and a refusal reads nothing',
    async (entrance) => {
      const kept = await memory.open({ folder: '' })
      const read: string[] = []
      const noted =
        <Result>(find: (id: string) => Promise<Result>) =>
        (id: string) => {
          read.push(id)
          return find(id)
        }
      const log: Log = { ...kept, run: noted(kept.run), thread: noted(kept.thread) }
      const port = entrance === 'server' ? (await startServer({ token: TOKEN, log })).port : await mounted(log)
      const problems: unknown[] = []
      for (const path of Object.keys(answers)) {
        for (const asked of path === '/api/runs/:id/ws' ? everyUpgrade() : oneAtATime()) {
          read.length = 0
          const verdict = verdictOf(asked, { entrance, policy: 'token', isSafe: false })
          const expected = verdict === 'passes' ? answers[path] : statuses[verdict]
          const answer = await upgrade(port, concrete(path), headersOf(asked))
          if (answer.status !== expected) problems.push([path, asked, answer.status, expected])
          if (verdict !== 'passes' && read.length > 0) problems.push([path, asked, read])
          if (answer.status === 101) continue
          for (const problem of headerProblems(answer, true)) problems.push([path, asked, problem])
        }
      }
      expect(problems.slice(0, 5)).toEqual([])
    },
  )
})
