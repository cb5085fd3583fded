import { AgentFailure } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import type { JsonObject } from '@millrace/core/json'
import type { AgentHost } from '../run/agent.ts'
import { type Exit, startChild } from './child.ts'
import { type Dialect, onStop, SessionGone } from './dialects/dialect.ts'
import type { Environment } from './environment.ts'
import { launchers } from './launchers.ts'
import { overLimit, watchLimits } from './limits.ts'
import { createPipe } from './pipe.ts'
import type { StderrTail } from './stderr-tail.ts'
import type { Trace } from './trace.ts'
import type { Turn } from './turn.ts'

export interface ProcessRun {
  readonly turn: Turn
  readonly dialect: Dialect
  readonly program: string
  readonly environment: Environment
  readonly work: string
  /** What a sandbox hides. */
  readonly hidden: string | undefined
  readonly tail: StderrTail
  readonly trace: Trace | undefined
}

/** After a stop: SIGKILL follows SIGTERM, in ms. */
const KILL_AFTER_STOP = 1000
/** After the last record, in ms: some programs do not end with their input. */
const END = { term: 3000, kill: 2000 }

/** Runs the program once. Throws an `AgentFailure` for a bad end that no record explains, `SessionGone` to be tried again. */
export async function* runProcess(run: ProcessRun, host: AgentHost): AsyncGenerator<Uint8Array> {
  const { turn, dialect, environment, tail } = run
  const { spec, request } = turn
  const command = [run.program, ...spec.command.slice(1), ...dialect.argv(turn)]
  const { work, hidden } = run
  const reach = { cwd: request.cwd, work, ...(hidden !== undefined && { hidden }) }
  const argv = launchers[spec.sandbox].argv(command, reach)
  await host.add([metadata({ launch: launchOf(run, argv) })])
  const child = await startChild({
    argv,
    cwd: request.cwd,
    variables: environment.variables,
    mark: environment.mark,
    onStderr: tail.push,
  })
  let failure: { readonly error: unknown } | undefined
  let isFinished = false
  let hasOutput = false
  let isRead = false
  const questions = { open: 0 }

  function fail(error: unknown): void {
    failure ??= { error }
    child.end(0, KILL_AFTER_STOP)
  }

  const { name, limits } = spec
  const watch = watchLimits({ name, limits, group: child.group, isAsking: () => questions.open > 0, onOver: fail })
  const pipe = createPipe({
    input: child.input,
    output: child.output,
    longestLine: limits.line,
    trace: run.trace,
    onBytes: watch.note,
    onLongLine: () => fail(overLimit(name, 'line', limits)),
    onPartialLine: () => void host.add([warning(`${name} ended in the middle of a line.`)]).catch(() => undefined),
    finish() {
      isFinished = true
      child.input.end()
      child.end(END.term, END.kill)
    },
    fail,
  })
  onStop(turn, () => child.end(dialect.stopDelay, KILL_AFTER_STOP))
  try {
    for await (const bytes of dialect.converse(turn, counting(host, questions), pipe)) {
      hasOutput = true
      yield bytes
      if (failure !== undefined) break
    }
    isRead = true
    // It has closed its output: it shall end, too.
    child.input.end()
    child.end(END.term, END.kill)
  } finally {
    watch.close()
    run.trace?.close()
    child.output.resume()
    if (!isRead) child.end(0, KILL_AFTER_STOP)
  }
  const exit = await child.exited
  const isBad = !isFinished && !request.signal.aborted && (failure !== undefined || !isClean(exit))
  await host.add([metadata({ exit: exitOf(exit, watch.peakMemory(), isBad ? tail.lastLines(20) : '') })])
  if (failure !== undefined) throw failure.error
  if (!isBad) return
  if (!hasOutput && turn.session !== undefined) throw new SessionGone(`${name} does not have the session.`)
  throw new AgentFailure('agent-exit', `${name} ended with ${exit.signal ?? `code ${exit.code}`}.`)
}

const isClean = ({ code, signal }: Exit) => code === 0 && signal === null

const metadata = (millrace: JsonObject): StreamEvent => ({ type: 'metadata', metadata: { millrace } })

export const warning = (message: string): StreamEvent => ({ type: 'status', message, level: 'warn' })

function launchOf({ turn, environment }: ProcessRun, argv: readonly string[]): JsonObject {
  const { sandbox, permissions, dialect } = turn.spec
  return { adapter: 'process', dialect, argv, cwd: turn.request.cwd, env: environment.names, sandbox, permissions }
}

function exitOf({ code, signal }: Exit, peakMemory: number, stderr: string): JsonObject {
  return {
    ...(code !== null && { code }),
    ...(signal !== null && { signal }),
    ...(peakMemory > 0 && { peakMemory }),
    ...(stderr !== '' && { stderr }),
  }
}

/** The host, and how many questions a person has not answered. */
function counting(host: AgentHost, questions: { open: number }): AgentHost {
  function counted<Value>(answer: Promise<Value>): Promise<Value> {
    questions.open++
    return answer.finally(() => questions.open--)
  }
  return {
    ...host,
    ask: (question) => counted(host.ask(question)),
    answer: (approvalId) => counted(host.answer(approvalId)),
  }
}
