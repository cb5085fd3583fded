import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Agent } from '@millrace/server/agent'
import { createHandler } from '@millrace/server/handler'
import { type Log, sqlite } from '@millrace/server/log'
import { Hono } from 'hono'

const encoder = new TextEncoder()
const chunk = (delta: object, finish?: string) =>
  encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\n\n`)

/** Streams like a model over the chat API that many providers share. */
const gardener: Agent = {
  name: 'gardener',
  title: 'Gardener',
  format: 'openai-chat',
  framing: 'sse',
  async *run({ input }) {
    yield chunk({ role: 'assistant', content: `For "${input.text}" ` })
    yield chunk({ content: 'wait until the frost is over.' })
    yield chunk({}, 'stop')
    yield encoder.encode('data: [DONE]\n\n')
  },
}

export interface Settings {
  readonly log: Log
  readonly dataFolder: string
  readonly token: string | undefined
  readonly port: number
}

/** The API at `/agents/api`, behind the app's middleware. */
export async function start({ log, dataFolder, token, port }: Settings) {
  const handler = await createHandler({ log, dataFolder, token, agents: [gardener], basePath: '/agents' })
  const app = new Hono()
  app.get('/', (context) => context.text('A garden lies here.\n'))
  app.all('/agents/*', (context) => handler.fetch(context.req.raw))
  const options = { fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions: { requestTimeout: 0 } }
  const server = serve(options) as Server
  server.on('upgrade', (...upgrade) => handler.upgrade(...upgrade) || upgrade[1].destroy())
  await once(server, 'listening')

  async function close() {
    server.close()
    await handler.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents`, token: handler.token, close }
}

if (import.meta.main) {
  const { PORT = '4872', MILLRACE_TOKEN } = process.env
  const log = await sqlite.open({ folder: '.millrace/log' })
  const { url, token } = await start({ log, dataFolder: '.millrace', token: MILLRACE_TOKEN, port: Number(PORT) })
  console.log(`${url}/api/agents accepts the token ${token}.`)
}
