import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createHandler } from '@millrace/server/handler'
import { type Log, sqlite } from '@millrace/server/log'
import express from 'express'
import { harbourmaster } from './harbourmaster.ts'

export interface Settings {
  readonly log: Log
  readonly dataFolder: string
  readonly password: string
  readonly port: number
}

/** The API at `/agents/api`, for users who have signed in to the app and have its session. */
export async function start({ log, dataFolder, password, port }: Settings) {
  const sessions = new Set<string>()
  const sessionOf = (cookies: string | null) => /(?:^|; )session=([\w-]+)/.exec(cookies ?? '')?.[1] ?? ''
  const handler = await createHandler({
    log,
    dataFolder,
    agents: [harbourmaster],
    basePath: '/agents',
    authorize: ({ headers }) => sessions.has(sessionOf(headers.get('cookie'))),
  })

  const app = express()
  // Before any body parser: the stream of an agent must not be buffered first.
  app.use('/agents', handler.listener)
  app.use(express.json())
  app.post('/sign-in', (request, response) => {
    if (request.body?.password !== password) return response.sendStatus(401)
    const session = randomUUID()
    sessions.add(session)
    return response.cookie('session', session, { httpOnly: true, sameSite: 'strict' }).sendStatus(204)
  })

  const server = app.listen(port, '127.0.0.1')
  server.requestTimeout = 0
  server.on('upgrade', (...upgrade) => handler.upgrade(...upgrade) || upgrade[1].destroy())
  await once(server, 'listening')

  async function close() {
    server.close()
    await handler.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

if (import.meta.main) {
  const { PORT = '4873', PASSWORD: password } = process.env
  if (password === undefined) throw new Error('Set PASSWORD first.')
  const log = await sqlite.open({ folder: '.millrace/log' })
  const { url } = await start({ log, dataFolder: '.millrace', password, port: Number(PORT) })
  console.log(`POST {"password": …} to ${url}/sign-in, then call ${url}/agents/api/agents with the cookie.`)
}
