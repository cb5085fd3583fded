import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { createHandler } from '@millrace/server/handler'
import { memory } from '@millrace/server/log'
import express, { type Express, Router } from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mountSuite } from '../../packages/server/test/mount-suite.ts'
import { start } from './main.ts'

mountSuite('Express, by its own session', {
  sockets: 'served',
  says: 'Berth four is free',
  async mount(settings) {
    const { url, close } = await start({ ...settings, password: 'lighthouse', port: 0 })
    const body = JSON.stringify({ password: 'lighthouse' })
    const headers = { 'content-type': 'application/json' }
    const signedIn = await fetch(`${url}/sign-in`, { method: 'POST', body, headers })
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    return { url: `${url}/agents`, headers: { cookie, origin: url }, close }
  },
})

async function listening(app: Express): Promise<string> {
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function opened(basePath: string) {
  const reported: unknown[] = []
  const handler = await createHandler({
    log: await memory.open({ folder: '' }),
    dataFolder: tmpdir(),
    agents: [],
    basePath,
    // What the app's middleware knows about the requesting user.
    authorize: (_request, incoming) => (incoming as { person?: string } | undefined)?.person === 'keeper',
    report: (error) => reported.push(error),
  })
  onTestFinished(() => handler.close())
  return { handler, reported }
}

const named: express.RequestHandler = (request, _response, next) => {
  Object.assign(request, { person: request.get('x-person') })
  next()
}

describe('the handler behind middleware of Express', () => {
  it('says what to do if express.json() has consumed the body', async () => {
    const { handler, reported } = await opened('/agents')
    const url = await listening(express().use(express.json(), named).use('/agents', handler.listener))
    const headers = { 'x-person': 'keeper', 'content-type': 'application/json' }
    const ask = (body: string) => fetch(`${url}/agents/api/chat`, { method: 'POST', body, headers })
    const taken = await ask('{"id":"t","messages":[]}')
    expect([taken.status, await taken.json()]).toMatchObject([500, { error: { code: 'body-taken' } }])
    expect(String(reported)).toContain('mount the handler before express.json()')
    expect((await fetch(`${url}/agents/api/threads`, { headers })).status).toBe(200)
  })

  it('is found in a nested router, and uses the users of the app', async () => {
    const { handler } = await opened('/v1/agents')
    const inner = Router().use('/agents', handler.listener)
    const url = await listening(express().use(named).use('/v1', inner))
    const ask = (person: string) => fetch(`${url}/v1/agents/api/threads?limit=3`, { headers: { 'x-person': person } })
    expect((await ask('keeper')).status).toBe(200)
    expect((await ask('stranger')).status).toBe(401)
  })
})
