import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type RunView, runAt } from '../asking.ts'
import type { Address } from '../server-process.ts'

/** A file of an agent whose program is run by this Node. */
export interface ProgramFile {
  readonly dialect: string
  readonly format?: string
  readonly program: string | { readonly code: string }
  readonly limits?: { readonly [limit: string]: string | number }
  readonly sandbox?: string
  readonly env?: readonly string[]
}

/** Writes `agents/` and returns its path. JSON is YAML, too. */
export function writeAgents(folder: string, files: { readonly [name: string]: ProgramFile }): string {
  const agents = join(folder, 'agents')
  mkdirSync(agents, { recursive: true })
  for (const [name, { dialect, format, program, limits, sandbox, env }] of Object.entries(files)) {
    const words = typeof program === 'string' ? [program] : ['-e', program.code]
    const file = { run: [process.execPath, ...words], dialect, format, cwd: 'thread', limits, sandbox, env }
    writeFileSync(join(agents, `${name}.yaml`), JSON.stringify(file))
  }
  return agents
}

interface Start {
  readonly agent: string
  readonly runId: string
  readonly text: string
}

/** Starts a run in a thread of the same id. Resolves with the status of the answer. */
export async function startRun(server: Address, { agent, runId, text }: Start): Promise<number> {
  const body = JSON.stringify({ agent, input: { text }, runId })
  const headers = { 'content-type': 'application/json' }
  return (await ask(server, `/api/threads/${runId}/runs`, { method: 'POST', headers, body })).status
}

export const stopAt = (server: Address, runId: string) => ask(server, `/api/runs/${runId}/stop`, { method: 'POST' })

export function answerAt(server: Address, runId: string, approvalId: string, state: 'approved' | 'denied') {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ state })
  return ask(server, `/api/runs/${runId}/approvals/${approvalId}`, { method: 'POST', headers, body })
}

const PAUSE = 25

/** Resolves when the run fits, or with what it was last when the time is over. */
export async function runWhen(
  server: Address,
  runId: string,
  fits: (run: RunView) => boolean,
  within: number,
): Promise<RunView | undefined> {
  const end = Date.now() + within
  for (;;) {
    const run = await runAt(server, runId)
    if ((run !== undefined && fits(run)) || Date.now() > end) return run
    await sleep(PAUSE)
  }
}

export const isEnded = ({ state }: RunView): boolean => state === 'ended'

/** The stored events of an ended run, as text: one a line. */
export async function linesOf(server: Address, runId: string): Promise<readonly string[]> {
  const { text } = await ask(server, `/api/runs/${runId}/stream?wire=native`)
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
}

/** The processes that were started for the run, whatever they did since. */
export function processesOf(runId: string): readonly number[] {
  const mark = `MILLRACE_RUN=${runId}`
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark) ? [Number(name)] : []
    } catch {
      // It has ended, or is somebody else's.
      return []
    }
  })
}

/** How long anything of a run may be left after its end, in ms. */
const GONE_WITHIN = 4000

/** The processes of a run that are left too long. */
export async function leftOf(runId: string): Promise<readonly number[]> {
  const end = Date.now() + GONE_WITHIN
  for (;;) {
    const left = processesOf(runId)
    if (left.length === 0 || Date.now() > end) return left
    await sleep(PAUSE)
  }
}
