import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ToolEvent } from '../events.ts'
import type { ExecutionContext } from '../execution-context.ts'
import { defineTool, type Tool } from '../tool.ts'
import { commandEnvironment, endAll } from './descendants.ts'
import { createExcerpt } from './excerpt.ts'

const ID = 'shell'
/** What a command prints beyond is not shown while it runs. */
const MOST_SHOWN = 256 * 1024
/** A command that prints faster than it is shown waits. */
const MOST_WAITING = 64 * 1024
const DEFAULT_SECONDS = 600
/** How long a command may go on after SIGTERM, in ms. */
const KILL_AFTER = 1000
const DEFAULT_SHELL = '/bin/sh'

type ShellInput = {
  readonly command: string
  readonly seconds?: number
}

export const shellTool: Tool<ShellInput> = defineTool({
  id: ID,
  description:
    'Runs a command in a shell in the working folder and returns what it prints. Nothing can be typed into it.',
  input: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1 },
      seconds: { type: 'number', exclusiveMinimum: 0, description: `When it is stopped; default ${DEFAULT_SECONDS}.` },
    },
    required: ['command'],
  },
  approve: true,
  call: (input, ctx) => runCommand(input, ctx),
})

interface Printed {
  readonly subtype: 'stdout_chunk' | 'stderr_chunk'
  readonly content: string
}

/** Whatever ends the call ends the command, and everything that it has started. */
async function* runCommand(
  { command, seconds = DEFAULT_SECONDS }: ShellInput,
  ctx: ExecutionContext,
): AsyncGenerator<ToolEvent> {
  const mark = randomUUID()
  const child = spawn(DEFAULT_SHELL, ['-c', command], {
    cwd: ctx.cwd,
    env: commandEnvironment(mark),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timeout = AbortSignal.timeout(seconds * 1000)
  const stopping = AbortSignal.any([ctx.signal, timeout])
  const stop = () => stopCommand(child, mark)
  const excerpt = createExcerpt()
  let shown = 0
  try {
    stopping.addEventListener('abort', stop, { once: true })
    if (stopping.aborted) stop()
    for await (const printed of printedBy(child, mark)) {
      excerpt.push(printed.content)
      const content = printed.content.slice(0, Math.max(0, MOST_SHOWN - shown))
      shown += printed.content.length
      if (content !== '') yield { type: 'progress', toolName: ID, data: { ...printed, content } }
    }
    const problem = problemOf(child, timeout.aborted ? seconds : undefined)
    const output = [excerpt.text(), problem ?? ''].filter((part) => part !== '').join('\n')
    yield { type: 'result', toolName: ID, output, ...(problem !== undefined && { isError: true }) }
  } finally {
    stopping.removeEventListener('abort', stop)
    if (child.exitCode === null && child.signalCode === null) stop()
  }
}

type Command = ChildProcessByStdio<null, Readable, Readable>

function stopCommand(child: Command, mark: string): void {
  const group = child.pid
  if (group === undefined) return
  endAll(group, mark, 'SIGTERM')
  setTimeout(() => endAll(group, mark, 'SIGKILL'), KILL_AFTER)
}

function problemOf({ exitCode, signalCode }: Command, limit: number | undefined): string | undefined {
  if (limit !== undefined) return `[stopped after ${limit} seconds]`
  if (signalCode !== null) return `[ended by ${signalCode}]`
  return exitCode === 0 ? undefined : `[exit code ${exitCode}]`
}

/** What a command prints, as it comes, until it has ended. What it leaves running is ended with it. Throws if it cannot be started. */
async function* printedBy(child: Command, mark: string): AsyncGenerator<Printed> {
  const waiting: Printed[] = []
  let size = 0
  let failure: Error | undefined
  let isClosed = false
  let bell = Promise.withResolvers<void>()
  const ring = () => {
    bell.resolve()
    bell = Promise.withResolvers()
  }
  const streams = [
    [child.stdout, 'stdout_chunk'],
    [child.stderr, 'stderr_chunk'],
  ] as const
  for (const [stream, subtype] of streams) {
    stream.setEncoding('utf8').on('data', (content: string) => {
      waiting.push({ subtype, content })
      size += content.length
      if (size > MOST_WAITING) for (const [each] of streams) each.pause()
      ring()
    })
  }
  child.once('error', (error) => {
    failure = error
    ring()
  })
  child.once('exit', () => endAll(child.pid as number, mark, 'SIGKILL'))
  child.once('close', () => {
    isClosed = true
    ring()
  })
  for (;;) {
    const next = waiting.shift()
    if (next !== undefined) {
      yield next
      size -= next.content.length
      if (size <= MOST_WAITING) for (const [each] of streams) each.resume()
    } else if (failure !== undefined) throw failure
    else if (isClosed) return
    else await bell.promise
  }
}
