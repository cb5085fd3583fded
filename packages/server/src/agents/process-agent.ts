import { spawn } from 'node:child_process'
import { AgentFailure } from '@millrace/core/agent'
import type { AgentTrouble } from '@millrace/core/api'
import type { Agent, AgentCheck, AgentHost, AgentRequest, AgentSession } from '../run/agent.ts'
import { threadFolder } from '../run/work-folders.ts'
import { type Dialect, SessionGone } from './dialects/dialect.ts'
import { dialects } from './dialects/index.ts'
import { environmentFor } from './environment.ts'
import { findProgram, searchPath } from './find-program.ts'
import { launchers } from './launchers.ts'
import { MOST_RUNS, overLimit } from './limits.ts'
import { runProcess, warning } from './process-run.ts'
import type { ProcessSpec } from './spec.ts'
import { createStderrTail, type StderrTail } from './stderr-tail.ts'
import { openTrace } from './trace.ts'
import { promptOf, saveFiles } from './turn.ts'

export interface ProcessOptions {
  /** Holds a folder for each thread. */
  readonly threads: string
  /** Where a relative program is looked up. */
  readonly folder: string
  /** The data of the server, with its token and every thread: a sandbox hides it. */
  readonly data?: string
}

/** How many runs keep their stderr. */
const MOST_TAILS = 64
let runsOfServer = 0

/** A program as an agent: one process per run. */
export function createProcessAgent(spec: ProcessSpec, { threads, folder, data }: ProcessOptions): Agent {
  const dialect: Dialect = dialects[spec.dialect]
  const { name, limits } = spec
  const tails = new Map<string, StderrTail>()
  let runs = 0

  const found = () => findProgram(spec.command[0] ?? '', folder, spec.install)

  function unavailable(): string | undefined {
    const program = found()
    return 'problem' in program ? program.problem : launchers[spec.sandbox].problem()
  }

  function trouble(): AgentTrouble | undefined {
    const { install, login, needs = [], set } = spec
    if (unavailable() !== undefined) return { kind: 'program', ...(install !== undefined && { install }) }
    const variables = needs.filter((variable) => process.env[variable] === undefined && !Object.hasOwn(set, variable))
    return variables.length === 0 ? undefined : { kind: 'key', variables, ...(login !== undefined && { login }) }
  }

  function keep(runId: string, tail: StderrTail): void {
    tails.set(runId, tail)
    const [oldest] = tails.keys()
    if (tails.size > MOST_TAILS && oldest !== undefined) tails.delete(oldest)
  }

  async function* perform(
    request: AgentRequest,
    host: AgentHost,
    session: AgentSession | undefined,
  ): AsyncGenerator<Uint8Array> {
    const program = found()
    const problem = unavailable()
    if ('problem' in program || problem !== undefined) throw new AgentFailure('agent-missing', problem ?? '')
    const { runId, threadId, history } = request
    const work = await threadFolder(threads, threadId)
    const { env, set } = spec
    const environment = environmentFor({ from: process.env, env, set, runId, threadId, work })
    const tail = createStderrTail(environment.secrets)
    keep(runId, tail)
    if (session === undefined && history.length > 0) {
      await host.add([warning(`${name} begins a new conversation; what was said before is part of its first message.`)])
    }
    const files = await saveFiles(request, work)
    const paths = files.filter(({ mediaType }) => !(dialect.can.files ?? []).includes(mediaType))
    const turn = { request, spec, prompt: promptOf(request, session, paths), files, session }
    yield* runProcess(
      { turn, dialect, program: program.path, environment, work, hidden: data, tail, trace: openTrace(threads, runId) },
      host,
    )
  }

  async function* run(request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
    if (runs >= limits.runs) throw overLimit(name, 'runs', limits)
    if (runsOfServer >= MOST_RUNS) throw overLimit('agents', 'runs', { ...limits, runs: MOST_RUNS })
    runs++
    runsOfServer++
    try {
      const { session } = request
      const canContinue = session?.isFork ? dialect.can.session === 'fork' : dialect.can.session !== undefined
      if (session === undefined || !canContinue) return yield* perform(request, host, undefined)
      try {
        yield* perform(request, host, session)
      } catch (error) {
        if (!(error instanceof SessionGone)) throw error
        yield* perform(request, host, undefined)
      }
    } finally {
      runs--
      runsOfServer--
    }
  }

  return {
    name,
    title: spec.title,
    ...(spec.description !== undefined && { description: spec.description }),
    kind: 'process',
    can: dialect.can,
    cwd: spec.cwd,
    format: spec.format ?? dialect.format ?? 'agent-lines',
    framing: spec.framing ?? 'json-lines',
    run,
    unavailable,
    trouble,
    check: () => versionOf(found()),
    stderr: (runId) => tails.get(runId)?.text(),
  }
}

const CHECK_WITHIN = 10_000
const MOST_VERSION = 200

/** Runs the program with `--version`. */
function versionOf(program: ReturnType<typeof findProgram>): Promise<AgentCheck> {
  if ('problem' in program) return Promise.resolve({ isReady: false, message: program.problem })
  const { path } = program
  return new Promise((resolve) => {
    const variables = { PATH: searchPath(), HOME: process.env.HOME ?? '', NO_COLOR: '1' }
    const child = spawn(path, ['--version'], {
      env: variables,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: CHECK_WITHIN,
      killSignal: 'SIGKILL',
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(0, MOST_VERSION)
    })
    child.on('error', ({ message }) => resolve({ isReady: false, message: `${path} cannot be started: ${message}.` }))
    child.on('exit', (code) => {
      child.stdout.destroy()
      const version = text.trim().split('\n')[0] ?? ''
      const problem = `"${path} --version" ${code === null ? 'did not end in time' : `ended with code ${code}`}.`
      resolve(code === 0 ? { isReady: true, message: version } : { isReady: false, message: problem })
    })
  })
}
