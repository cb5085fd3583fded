import type { AgentFailure } from '@millrace/core/agent'
import type { Json } from '@millrace/core/json'
import { startChild } from '../child.ts'
import type { Environment } from '../environment.ts'
import { type ProcessLimits, watchLimits } from '../limits.ts'

export interface CommandRun {
  readonly command: string
  readonly cwd: string
  readonly environment: Environment
  readonly limits: ProcessLimits
  /** Fires when the command must end. */
  readonly signal: AbortSignal
  /** Takes what it prints, on either channel; the command waits until it is taken. */
  onText(text: string): Promise<void>
}

/** How a command has ended. `output` is for the log, and `problem` a sentence for the person if it went wrong. */
export interface CommandEnd {
  readonly isOk: boolean
  readonly output: Json
  readonly problem?: string
}

export const SHELL = '/bin/sh'

/** SIGKILL follows SIGTERM, in ms. */
const KILL_AFTER = 1000
/** For a command that has closed its output and goes on, in ms. */
const LEFT = { term: 3000, kill: 2000 }

/**
 * Runs a command in a shell of its own and resolves when it has ended, with all that it started. Both of its channels are one
 * pipe, as in a terminal: their order is kept, and a command that prints faster than the log takes it waits.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  const { command, cwd, environment, limits, signal, onText } = run
  const name = nameOf(command)
  const child = await startChild({
    argv: [SHELL, '-c', `exec 2>&1\n${command}`],
    cwd,
    variables: environment.variables,
    mark: environment.mark,
    onStderr: () => undefined,
  })
  child.input.end()
  let failure: AgentFailure | undefined
  const stop = () => child.end(0, KILL_AFTER)
  const watch = watchLimits({
    name,
    limits,
    group: child.group,
    isAsking: () => false,
    onOver(over) {
      failure = over
      stop()
    },
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const decoder = new TextDecoder()
    for await (const bytes of readable(child.output)) {
      watch.note(bytes.byteLength)
      if (failure !== undefined) break
      const text = decoder.decode(bytes, { stream: true })
      if (text !== '') await onText(text)
    }
    child.end(LEFT.term, LEFT.kill)
  } finally {
    watch.close()
    signal.removeEventListener('abort', stop)
    child.output.destroy()
    if (signal.aborted || failure !== undefined) stop()
  }
  const { code, signal: by } = await child.exited
  if (failure !== undefined) return { isOk: false, output: failure.message, problem: failure.message }
  if (by !== null) return { isOk: false, output: `ended by ${by}`, problem: `${name} was ended by ${by}.` }
  const isOk = code === 0
  const output = { exit_code: code ?? 0 }
  return isOk ? { isOk, output } : { isOk, output, problem: `${name} ended with exit code ${code}.` }
}

const LONGEST_NAME = 80

/** A command in a sentence. */
function nameOf(command: string): string {
  const line = command.replaceAll('`', "'")
  return `\`${line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line}\``
}

/** The output until it ends; that it is cut off is no error: how the process has ended says more. */
async function* readable(output: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
