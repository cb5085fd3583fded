import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '@millrace/server/agent'
import { createHandler } from '@millrace/server/handler'
import { type Log, sqlite } from '@millrace/server/log'

const encoder = new TextEncoder()
const line = (type: string, data: object) => encoder.encode(`${JSON.stringify({ type, data })}\n`)

/** Streams lines of JSON, as a process would on its stdout. */
const miller: Agent = {
  name: 'miller',
  title: 'Miller',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ input }) {
    yield line('text', { content: `A sack of "${input.text}"? ` })
    yield line('tool_use', { id: 'grind', name: 'grind', input: { grain: input.text, stones: 2 } })
    yield line('tool_result', { tool_use_id: 'grind', content: 'Fine flour.' })
    yield line('text', { content: 'Fetch it at noon.' })
    yield line('done', {})
  },
}

export interface Settings {
  readonly log: Log
  readonly dataFolder: string
  /** If undefined, a token is generated and kept in the data folder. */
  readonly token: string | undefined
  readonly port: number
}

/** The API at `/api`; the server handles all other paths. */
export async function start({ log, dataFolder, token, port }: Settings) {
  const handler = await createHandler({ log, dataFolder, token, agents: [miller] })
  // Without a time limit: an agent may stream its output to the server for hours.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (request.url?.startsWith('/api/')) void handler.listener(request, response)
    else response.end('A mill stands here.\n')
  })
  server.on('upgrade', (...upgrade) => handler.upgrade(...upgrade) || upgrade[1].destroy())
  await once(server.listen(port, '127.0.0.1'), 'listening')

  async function close() {
    server.close()
    await handler.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: handler.token, close }
}

if (import.meta.main) {
  const { PORT = '4871', MILLRACE_TOKEN } = process.env
  const log = await sqlite.open({ folder: '.millrace/log' })
  const { url, token } = await start({ log, dataFolder: '.millrace', token: MILLRACE_TOKEN, port: Number(PORT) })
  console.log(`${url}/api/agents accepts the token ${token}.`)
}
