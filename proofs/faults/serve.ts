// The server as `millrace serve` starts it, but with shorter timeouts, so that tests do not wait for minutes.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogError } from '@millrace/server/log/errors'
import type { Log } from '@millrace/server/log/log'
import type { Agent } from '@millrace/server/run/agent'
import { createServer } from '@millrace/server/server'
import { openStore } from '../../packages/millrace/src/store.ts'
import type { Patience } from './server-process.ts'
import { fullMark } from './small-disk.ts'

const [data = '', optionsJson = '{}'] = process.argv.slice(2)
const { stallAfter, heartbeat, resumeWithin, port } = JSON.parse(optionsJson) as Patience & { readonly port: number }

const WRITING = [
  'append',
  'acquire',
  'tell',
  'setFollowing',
  'createRun',
  'createThread',
  'renameThread',
  'release',
] as const

/** Sends a text from time to time, until it is stopped. */
const ticking: Agent = {
  name: 'ticking',
  title: 'Ticking',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ signal }) {
    while (!signal.aborted) {
      yield Buffer.from(`${JSON.stringify({ type: 'text', data: { content: 'tick ' } })}\n`)
      await sleep(50)
    }
  },
}

/** Asks one question after another, and takes what it is told meanwhile. */
const asking: Agent = {
  ...ticking,
  name: 'asking',
  title: 'Asking',
  can: { steer: true },
  async *run({ signal }, host) {
    const messages = host.messages()[Symbol.asyncIterator]()
    void messages.next()
    for (let nth = 1; !signal.aborted; nth++) {
      yield Buffer.from(`${JSON.stringify({ type: 'text', data: { content: `${nth}. ` } })}\n`)
      await host.ask({ message: 'May I?' })
    }
  },
}

const { MILLRACE_DATABASE_URL: databaseUrl, MILLRACE_REDIS_URL: redisUrl, MILLRACE_TOKEN: token } = process.env
const report = (error: Error) => console.error(error.message)
const store = await openStore({ data, databaseUrl, redisUrl }, report)
const server = await createServer({
  log: pretendFull(store.log, fullMark(data)),
  ...(store.files && { files: store.files }),
  ...(token !== undefined && { token }),
  agents: [ticking, asking],
  dataFolder: data,
  port,
  resumeWithin,
  timing: {
    stallAfter,
    heartbeat,
    delay(ms, act) {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
  },
})
process.stdout.write(`${server.url}/?token=${encodeURIComponent(server.token)}\n`)

/** A log whose writes fail while the file exists, as they do on a full disk. */
function pretendFull(log: Log, mark: string): Log {
  const trouble = () => (existsSync(mark) ? new LogError('log-full', 'database or disk is full') : undefined)
  const guarded = WRITING.map((name) => [
    name,
    async (...values: never[]) => {
      const failure = trouble()
      if (failure !== undefined) throw failure
      return (log[name] as (...values: never[]) => unknown)(...values)
    },
  ])
  return { ...log, ...Object.fromEntries(guarded), trouble: async () => trouble() ?? log.trouble() }
}
