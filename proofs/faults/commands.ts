import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getLog } from '@millrace/server/log/index'
import type { Log, StoredCommand, StoredRun } from '@millrace/server/log/log'
import { createRandom } from '@millrace/testkit/seeded'
import type { Fault } from './fault.ts'
import { type Address, startServer, withFolder } from './server-process.ts'

/** How many runs each round has, half of them with an agent that asks, half without a producer. */
const RUNS = 6

const PATIENCE = { stallAfter: 30_000, heartbeat: 15_000, resumeWithin: 200 }

/** The kill comes within this time after the commands were sent, in ms: most of them are under way. */
const WITHIN = 120

/** The server dies between a command and its settlement. */
export const commands: Fault = {
  name: 'kill -9 between a command and its settlement',
  promise: 'every command is settled exactly once, what was answered as applied is applied, and each run ends once',
  sizes: { full: { count: 500, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
  run: ({ count }, seed) =>
    withFolder(async (data) => {
      const applied: string[] = []
      for (let round = 0; round < count; round++) await killedRound(data, seed + round, applied)
      // The last process settles what the killed ones left.
      const last = await startServer(data, 0, PATIENCE)
      await setTimeout(4 * PATIENCE.resumeWithin)
      await last.kill()
      const log = await getLog('sqlite').open({ folder: join(data, 'log') })
      const { broken, settled } = await judge(log, applied)
      await log.close()
      const tried = `${count} kills, ${settled} commands`
      return { tried, broken, figures: [`${applied.length} of them were answered before the kill`] }
    }),
}

async function killedRound(data: string, seed: number, applied: string[]): Promise<void> {
  const server = await startServer(data, 0, PATIENCE)
  const random = createRandom(seed)
  const runIds = Array.from({ length: RUNS }, (_, nth) => `run-${seed}-${nth}`)
  await Promise.all(runIds.map((runId, nth) => (nth % 2 === 0 ? startAgent : leaveProducer)(server, runId)))
  const asked = runIds.flatMap((runId) => [
    send(server, `/api/runs/${runId}/approvals/approval-1`, { state: 'approved' }),
    send(server, `/api/runs/${runId}/messages`, { text: 'Left!' }),
    ...(random() < 0.5 ? [send(server, `/api/runs/${runId}/stop`, {})] : []),
  ])
  for (const [index, promise] of asked.entries()) {
    promise.then(
      (status) => {
        if (status === 200) applied.push(`${seed} ${index}`)
      },
      () => undefined,
    )
  }
  await setTimeout(random() * WITHIN)
  await server.kill()
  await Promise.allSettled(asked)
}

async function send({ port, token }: Address, path: string, body: object, headers = {}): Promise<number> {
  const init = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers }
  const url = `http://127.0.0.1:${port}${path}`
  return (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: init })).status
}

const startAgent = (server: Address, runId: string) =>
  send(server, '/api/threads/t/runs', { agent: 'asking', input: 'Go', runId })

/** A run whose producer has gone. */
async function leaveProducer({ port, token }: Address, runId: string): Promise<void> {
  const gone = new AbortController()
  const lines = '{"type":"text","data":{"content":"One."}}\n'
  async function* body() {
    yield new TextEncoder().encode(lines)
    await setTimeout(20)
    gone.abort()
    yield new Uint8Array()
  }
  const url = `http://127.0.0.1:${port}/api/ingest?format=agent-lines&threadId=t&runId=${runId}`
  const headers = { authorization: `Bearer ${token}` }
  const init = { method: 'POST', headers, body: ReadableStream.from(body()), duplex: 'half', signal: gone.signal }
  await fetch(url, init as RequestInit).catch(() => undefined)
}

async function judge(log: Log, applied: readonly string[]) {
  const broken: string[] = []
  let settled = 0
  let appliedInLog = 0
  for (const run of await log.runs('t')) {
    const all = await log.commands(run.id, { after: 0 })
    settled += all.length
    appliedInLog += all.filter(({ result, command }) => result?.state === 'applied' && command.type !== 'steer').length
    broken.push(...(await problemsOf(log, run, all)).map((problem) => `${run.id}: ${problem}`))
  }
  if (appliedInLog < applied.length) broken.push(`${applied.length} were answered as applied, ${appliedInLog} are`)
  return { broken, settled }
}

async function problemsOf(log: Log, run: StoredRun, all: readonly StoredCommand[]): Promise<readonly string[]> {
  const problems: string[] = []
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  for await (const entries of log.read(run.id, { after: 0, live: false })) {
    for (const { event } of entries) {
      if (event.type === 'run-end' || event.type === 'run-start') count(event.type)
      if (event.type === 'control') count(`${event.action} ${event.messageId ?? ''} ${event.dropped ?? ''}`)
      if (event.type === 'approval') count(`${event.approvalId} ${event.state === 'requested' ? 'asked' : 'answered'}`)
    }
  }
  if (run.state !== 'ended') problems.push(`it is ${run.state}`)
  for (const [what, times] of counts) if (times > 1) problems.push(`${what} ${times} times`)
  for (const { number, result } of all) if (result === undefined) problems.push(`command ${number} is not settled`)
  const stops = all.filter(({ command, result }) => command.type === 'stop' && result?.state === 'applied')
  if (stops.length > 0 && !counts.has('stop  ')) problems.push('a stop is settled as applied, and not logged')
  return problems
}
