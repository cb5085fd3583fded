import { rmSync } from 'node:fs'
import { ask } from '../asking.ts'
import { atOnce } from '../at-once.ts'
import type { Fault } from '../fault.ts'
import { withFolder, withServer } from '../server-process.ts'
import { type Abuse, abuses } from './abuses.ts'
import { answerAt, isEnded, leftOf, linesOf, runWhen, startRun, writeAgents } from './bench.ts'

const CANARY = 'canary-of-the-faults'
const AT_ONCE = 4
/** How long a run may take, in ms. */
const ENDS_WITHIN = 120_000
/** How much the server may grow, in MB, beside what its logs and its heap keep of a flood. */
const MOST_GROWTH = 500

/** What a program can do to its server: each is bounded, explained to the person, and nothing of it is left. */
export const processAbuse: Fault = {
  name: 'programs that do harm',
  promise: 'each is bounded and explained in a sentence, nothing of it is left, and the server answers throughout',
  sizes: { full: { count: Object.keys(abuses).length, megabytes: 1024 }, small: { count: 99, megabytes: 40 } },
  run: ({ count, megabytes }) =>
    withFolder(async (folder) => {
      const chosen = Object.entries(abuses).slice(0, count)
      const files = chosen.map(([name, { code, limits, env }]) => {
        const program = { code: code(megabytes) }
        return [name, { dialect: 'lines', program, limits: { idle: '60s', ...limits }, ...(env && { env }) }] as const
      })
      const environment = { MILLRACE_AGENTS: writeAgents(folder, Object.fromEntries(files)), FAULTS_CANARY: CANARY }
      return withServer(
        async (server) => {
          const broken: string[] = []
          let slowest = 0
          let isOver = false
          const before = server.memory() ?? 0
          let most = before
          const watching = (async () => {
            while (!isOver) {
              const began = performance.now()
              await ask(server, '/api/health').catch(() => broken.push('health did not answer'))
              slowest = Math.max(slowest, performance.now() - began)
              most = Math.max(most, server.memory() ?? 0)
              await new Promise((resolve) => setTimeout(resolve, 50))
            }
          })()
          const found = await atOnce(AT_ONCE, chosen, async ([name, abuse]) => {
            const problems = await tried(server, name, abuse).catch((error: Error) => [error.message])
            return problems.map((problem) => `${name}: ${problem}`)
          })
          broken.push(...found.flat(), ...(server.isAlive() ? [] : ['the server has ended']))
          isOver = true
          await watching
          if (most - before > MOST_GROWTH) broken.push(`memory grew by ${Math.round(most - before)} MB`)
          const figures = [
            `memory grew by ${Math.round(most - before)} MB at most`,
            `the slowest health request took ${Math.round(slowest)} ms`,
          ]
          return { tried: `${chosen.length} kinds, up to ${megabytes} MB`, broken, figures }
        },
        undefined,
        environment,
      ).finally(() => rmSync(folder, { recursive: true, force: true }))
    }),
}

async function tried(
  server: Parameters<typeof startRun>[0],
  name: string,
  { explained, never, question }: Abuse,
): Promise<readonly string[]> {
  const problems: string[] = []
  const status = await startRun(server, { agent: name, runId: name, text: 'Go' })
  if (status !== 201) return [`the start answered ${status}`]
  if (question !== undefined) {
    const end = Date.now() + 20_000
    let answered = 0
    while (answered !== 200 && Date.now() < end) {
      answered = (await answerAt(server, name, question, 'denied')).status
      if (answered !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    if (answered !== 200) problems.push(`the answer got ${answered}`)
  }
  const run = await runWhen(server, name, isEnded, ENDS_WITHIN)
  if (run?.state !== 'ended') return [...problems, 'it has not ended']
  const left = await leftOf(name)
  if (left.length > 0) problems.push(`${left.length} processes are left`)
  const lines = await linesOf(server, name)
  // The last ones, which a person sees, and not what the flood was made of.
  const seen = lines
    .slice(-12)
    .map((line) => line.slice(0, 4000))
    .join('\n')
  if (!explained.test(seen)) problems.push(`it says ${seen.slice(-700)}`)
  if (lines.filter((line) => line.includes('"type":"run-end"')).length !== 1) problems.push('it has not one end')
  const stderr = await ask(server, `/api/runs/${name}/stderr`)
  if (never !== undefined && [...lines, stderr.text].some((line) => never.test(line))) problems.push(`it says ${never}`)
  return problems
}
