import { ask } from '../asking.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Hostility, refused } from './hostility.ts'

/** Requests without permission, and for what does not exist. */
export const callers: readonly Hostility[] = [
  { name: 'no token', attack: (server) => call({ ...server, token: '' }, '/api/threads', 401) },
  { name: 'a wrong token', attack: (server) => call({ ...server, token: 'wrong' }, '/api/threads', 401) },
  {
    name: 'a foreign Origin',
    attack: (server) => call(server, '/api/threads', 403, { origin: 'https://elsewhere.example' }),
  },
  { name: 'the Origin null', attack: (server) => call(server, '/api/threads', 403, { origin: 'null' }) },
  { name: 'a foreign Host', attack: (server) => call(server, '/api/threads', 403, { host: 'rebound.example' }) },
  { name: 'an unknown run', attack: (server) => call(server, '/api/runs/run-of-somebody-else', 404) },
  { name: 'an unknown run to watch', attack: (server) => call(server, '/api/runs/nobody/stream', 404) },
  { name: 'an unknown route', attack: (server) => call(server, '/api/nothing/here', 404) },
  { name: 'the run __proto__', attack: (server) => call(server, '/api/runs/__proto__', 404) },
  { name: 'the thread __proto__', attack: (server) => call(server, '/api/threads/__proto__', 404) },
  ...['__proto__', 'constructor', 'toString', 'no-such-format', '..%2F..%2Fsecret'].map(
    (format): Hostility => ({
      name: `the format ${format}`,
      attack: async (server) =>
        refused(await ask(server, `/api/ingest?format=${format}`, { method: 'POST', body: '{}\n' }), 400),
    }),
  ),
  ...['__proto__', 'constructor', 'no-such-wire'].map(
    (wire): Hostility => ({
      name: `the wire ${wire}`,
      async attack(server) {
        await ask(server, '/api/ingest?format=agent-lines&runId=watched', { method: 'POST', body: DONE })
        return call(server, `/api/runs/watched/stream?wire=${wire}`, 400)
      },
    }),
  ),
  {
    name: 'runs and threads called __proto__ and constructor',
    async attack(server) {
      const attempts = ['__proto__', 'constructor'].map(async (id) => {
        const path = `/api/ingest?format=agent-lines&runId=${id}&threadId=${id}`
        const { status, text } = await ask(server, path, { method: 'POST', body: DONE })
        const isLogged = status === 200 && JSON.parse(text).runId === id
        const shown = await ask(server, `/api/threads/${id}`)
        return isLogged && shown.status === 200 ? [] : [`${id}: ${status} ${text}, then ${shown.status}`]
      })
      return (await Promise.all(attempts)).flat()
    },
  },
  ...['abc', '-1', '1e9', '999999999999999999999', '1.2.3', '%00'].map(
    (cursor): Hostility => ({
      name: `the cursor ${cursor}`,
      async attack(server) {
        await ask(server, '/api/ingest?format=agent-lines&runId=watched', { method: 'POST', body: DONE })
        return call(server, `/api/runs/watched/stream?after=${cursor}`, 400)
      },
    }),
  ),
]

const DONE = '{"type":"done","data":{}}\n'

async function call(
  server: Pick<ServerProcess, 'port' | 'token'>,
  path: string,
  status: number,
  headers: object = {},
): Promise<readonly string[]> {
  return refused(await ask(server, path, { headers }), status)
}
