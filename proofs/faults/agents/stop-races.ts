import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask } from '../asking.ts'
import { atOnce } from '../at-once.ts'
import type { Fault } from '../fault.ts'
import type { Address } from '../server-process.ts'
import { withFolder, withServer } from '../server-process.ts'
import { answerAt, isEnded, leftOf, linesOf, runWhen, startRun, stopAt, writeAgents } from './bench.ts'

/** The programs that play one side of a connection; that of `text` hears nothing, and prints until it is killed. */
const scripts = ['lines', 'text', 'claude', 'codex', 'acp'] as const
const programOf = (dialect: string) =>
  fileURLToPath(new URL(`../../../packages/server/test/programs/dialects/${dialect}.mjs`, import.meta.url))

const AT_ONCE = 3
const TEXTS = ['ask', 'wait', 'Measure'] as const
/** A program is stopped at any time from its start to after its end, in ms. */
const LONGEST = 600
/** A stop may take so long, in ms, on a machine that does other work. */
const STOPS_WITHIN = 15_000

export const scriptedAgents = Object.fromEntries(
  scripts.map((dialect) => [
    dialect,
    { dialect, program: programOf(dialect), limits: { runs: 16 }, ...formatOf(dialect) },
  ]),
)

/** Any stream may come on `text`, so its file names the format. */
function formatOf(dialect: string): { readonly format?: string } {
  return dialect === 'text' ? { format: 'agent-lines' } : {}
}

/** A stop at any moment of a run of each dialect. */
export const stopRaces: Fault = {
  name: 'stops at any moment',
  promise: 'a run that is stopped ends once, as cancelled or as it was about to, and nothing of its program is left',
  sizes: { full: { count: 200, megabytes: 0 }, small: { count: 4, megabytes: 0 } },
  run: ({ count }, seed) =>
    withFolder((folder) => {
      const environment = { MILLRACE_AGENTS: writeAgents(folder, scriptedAgents) }
      return withServer(
        async (server) => {
          const rounds = scripts.flatMap((dialect) => Array.from({ length: count }, (_, nth) => ({ dialect, nth })))
          const outcomes: { [outcome: string]: number } = {}
          let slowest = 0
          const found = await atOnce(AT_ONCE, rounds, async ({ dialect, nth }) => {
            const runId = `${dialect}-${nth}`
            const delay = ((seed * 7919 + nth * 104_729) % 1_000) * (LONGEST / 1_000)
            const { problem, outcome, took } = await stopped(
              server,
              dialect,
              runId,
              TEXTS[nth % TEXTS.length] ?? 'ask',
              delay,
            )
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
            slowest = Math.max(slowest, took)
            return problem === undefined ? [] : [`${runId} after ${Math.round(delay)} ms: ${problem}`]
          })
          const ends = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`)
          return {
            tried: `${rounds.length} stops, ${scripts.length} dialects`,
            broken: found.flat(),
            figures: [ends.join(', '), `the slowest stop took ${Math.round(slowest)} ms`],
          }
        },
        undefined,
        environment,
      )
    }),
}

interface Stopped {
  readonly problem: string | undefined
  readonly outcome: string
  readonly took: number
}

async function stopped(server: Address, agent: string, runId: string, text: string, delay: number): Promise<Stopped> {
  const status = await startRun(server, { agent, runId, text })
  if (status !== 201) return { problem: `the start answered ${status}`, outcome: 'none', took: 0 }
  await sleep(delay)
  const began = performance.now()
  // Sometimes an answer is under way at the same time.
  const answering = delay % 2 < 1 ? answerAt(server, runId, 'question-1', 'approved') : undefined
  const answer = await stopAt(server, runId)
  await answering?.catch(() => undefined)
  const run = await runWhen(server, runId, isEnded, STOPS_WITHIN)
  const took = performance.now() - began
  if (run?.state !== 'ended') return { problem: 'it has not ended', outcome: 'none', took }
  const lines = await linesOf(server, runId)
  const ends = lines.filter((line) => line.includes('"type":"run-end"'))
  const outcome = /"outcome":"([\w-]+)"/.exec(ends[0] ?? '')?.[1] ?? 'none'
  const left = await leftOf(runId)
  const verified = await ask(server, `/api/runs/${runId}/verify`)
  const problems = [
    ...(answer.status < 300 || answer.status === 409 ? [] : [`the stop answered ${answer.status}`]),
    ...(ends.length === 1 && lines.at(-1) === ends[0] ? [] : ['it has not one end, at its end']),
    ...(outcome === 'cancelled' || outcome === 'success' ? [] : [`it ended as ${outcome}`]),
    ...(left.length === 0 ? [] : [`${left.length} processes are left`]),
    ...((JSON.parse(verified.text) as { ok?: boolean }).ok === true
      ? []
      : [`verify says ${verified.text.slice(0, 200)}`]),
  ]
  return { problem: problems.length === 0 ? undefined : problems.join('; '), outcome, took }
}
