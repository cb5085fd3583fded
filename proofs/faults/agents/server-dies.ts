import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { type ServerProcess, startServer, withFolder } from '../server-process.ts'
import { answerAt, isEnded, leftOf, linesOf, processesOf, runWhen, startRun, stopAt, writeAgents } from './bench.ts'
import { scriptedAgents } from './stop-races.ts'

/** A program that ignores what it can, with a child that has left its group. */
const stubborn = {
  dialect: 'lines',
  program: {
    code: `for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => {})
      process.stdin.on('data', () => {}).on('end', () => {})
      require('node:child_process').spawn('/bin/sh', ['-c', 'trap "" TERM HUP; while :; do sleep 1; done'], { detached: true, stdio: 'inherit' })
      process.stdout.write(JSON.stringify({ type: 'ask', data: { id: 'question-1', message: 'May I?' } }) + '\\n')
      setInterval(() => {}, 1000)`,
  },
}

/** When the server is killed; resolves then. */
const phases: { readonly [phase: string]: (server: ServerProcess, runId: string) => Promise<unknown> } = {
  'at the start': () => sleep(0),
  'while the program begins': () => sleep(60),
  'when the program runs': (_server, runId) => until(() => processesOf(runId).length > 0),
  'while a question is open': isAsking,
  'after the answer': async (server, runId) => {
    await isAsking(server, runId)
    await answerAt(server, runId, 'question-1', 'approved')
  },
  'in a stop': async (server, runId) => {
    await isAsking(server, runId)
    await stopAt(server, runId)
    await sleep(20)
  },
}

const inOrder = Object.entries(phases)
const first = inOrder[0] ?? ['never', () => Promise.resolve()]

/** How long a phase, or a run's end after a restart, may take to come, in ms. */
const WITHIN = 10_000

/** A kill -9 of the server in each phase of a run of each dialect. */
export const serverDies: Fault = {
  name: 'kill -9 of the server with programs',
  promise: 'nothing of a program is left 4 s later, and its run ends once at the next start',
  sizes: { full: { count: 30, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
  run: ({ count }, seed) =>
    withFolder(async (folder) => {
      const agents = { ...scriptedAgents, stubborn }
      const environment = { MILLRACE_AGENTS: writeAgents(folder, agents) }
      const broken: string[] = []
      for (let kill = 0; kill < count; kill++) {
        const [phase, reached] = inOrder[(seed + kill) % inOrder.length] ?? first
        const names = Object.keys(agents)
        const idOf = (name: string) => `${name}-${kill}`
        const data = `${folder}/data`
        let server = await startServer({ data, environment })
        const starts = names.map((agent) => startRun(server, { agent, runId: idOf(agent), text: 'ask' }))
        for (const start of starts) start.catch(() => undefined)
        if (phase !== 'at the start') await Promise.all(starts)
        const problems = await Promise.all(
          names.map((name) =>
            reached(server, idOf(name)).then(
              () => '',
              (error: Error) => `${name} ${phase}: ${error.message}`,
            ),
          ),
        )
        broken.push(...problems.filter((problem) => problem !== ''))
        await server.kill()
        const left = await Promise.all(names.map(async (name) => [name, await leftOf(idOf(name))] as const))
        for (const [name, { length }] of left)
          if (length > 0) broken.push(`${name} ${phase}: ${length} processes are left`)
        server = await startServer({ data, environment })
        for (const name of names) {
          const run = await runWhen(server, idOf(name), isEnded, WITHIN)
          // A start that was not answered may not have been stored.
          if (run === undefined && phase === 'at the start') continue
          const ends = (await linesOf(server, idOf(name))).filter((line) => line.includes('"type":"run-end"'))
          if (run?.state !== 'ended' || ends.length !== 1)
            broken.push(`${name} ${phase}: ${run?.state}, ${ends.length} ends`)
        }
        await server.kill()
      }
      const figures = [`${Object.keys(agents).length} programs at a time, in ${Object.keys(phases).length} phases`]
      return { tried: `${count} kills`, broken, figures }
    }),
}

/** Every script asks soon after it begins. */
async function isAsking(server: ServerProcess, runId: string): Promise<void> {
  const run = await runWhen(server, runId, ({ seq }) => seq > 0, WITHIN)
  if (run === undefined) throw new Error('there is no run')
  await until(() => processesOf(runId).length > 0)
  await sleep(400)
}

async function until(fits: () => boolean): Promise<void> {
  const end = Date.now() + WITHIN
  while (!fits()) {
    if (Date.now() > end) throw new Error('the phase was not reached')
    await sleep(10)
  }
}
