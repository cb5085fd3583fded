import { AgentFailure } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import type { Agent, AgentHost, AgentRequest } from '../run/agent.ts'
import { threadFolder } from '../run/work-folders.ts'
import { environmentFor } from './environment.ts'
import { defaultLimits, overLimit, type ProcessLimits } from './limits.ts'
import type { ProcessOptions } from './process-agent.ts'
import { saveFiles } from './turn.ts'
import { commandsIn, type ShellCommand } from './workshop/commands.ts'
import { type CommandEnd, runCommand, SHELL } from './workshop/run-command.ts'

const NAME = 'workshop'
const MOST_COMMANDS = 50

const workshopLimits: ProcessLimits = { ...defaultLimits, time: 3600 * 1000, output: 16 * 1024 * 1024 }

export interface WorkshopOptions extends Pick<ProcessOptions, 'threads'> {
  readonly limits?: Partial<ProcessLimits>
}

/**
 * A shell without a model: each line of a message is a command in the folder of the thread. It may do what the user of the
 * server may, and asks nothing, because a person has typed it.
 */
export function createWorkshop({ threads, limits: given }: WorkshopOptions): Agent {
  const limits = { ...workshopLimits, ...given }
  let runs = 0

  async function* run(request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
    if (runs >= limits.runs) throw overLimit(NAME, 'runs', limits)
    runs++
    const ending = new AbortController()
    const signal = AbortSignal.any([request.signal, ending.signal])
    const session = { request, host, limits, signal, started: [] as Promise<unknown>[] }
    try {
      yield* perform(session, await threadFolder(threads, request.threadId))
    } finally {
      // Whatever ends the run ends its commands, and it is over when they are.
      ending.abort()
      await Promise.allSettled(session.started)
      runs--
    }
  }

  return {
    name: NAME,
    title: 'Workshop',
    description: 'A shell without a model: each line you type is a command in the folder of the thread.',
    kind: 'process',
    cwd: 'thread',
    format: 'agent-lines',
    framing: 'json-lines',
    run,
  }
}

interface Session {
  readonly request: AgentRequest
  readonly host: AgentHost
  readonly limits: ProcessLimits
  readonly signal: AbortSignal
  /** Every command that was started. */
  readonly started: Promise<unknown>[]
}

type Status = 'pending' | 'in_progress' | 'completed' | 'cancelled'

async function* perform(session: Session, work: string): AsyncGenerator<Uint8Array> {
  const { request, host, limits, signal } = session
  const { runId, threadId, input, cwd } = request
  const commands = commandsIn(input.text)
  if (commands.length > MOST_COMMANDS) {
    throw new AgentFailure(
      'limit',
      `A message can hold ${MOST_COMMANDS} commands, and this one has ${commands.length}.`,
    )
  }
  // One for each command: what the end of one finds by its mark must not be another.
  const environment = () => environmentFor({ from: process.env, env: [], set: {}, runId, threadId, work })
  const launch = { adapter: NAME, argv: [SHELL, '-c'], cwd, env: environment().names, sandbox: 'none' }
  await host.add([{ type: 'metadata', metadata: { millrace: { launch } } }])
  const files = await saveFiles(request, work)
  if (files.length > 0) yield line('status', { message: `Attached: ${files.map(({ path }) => path).join(', ')}` })
  if (commands.length === 0)
    yield line('text', { content: 'Type a command, one a line. A line that ends in `&` runs beside the next.' })

  const statuses: Status[] = commands.map(() => 'pending')
  const problems: string[] = []
  const plan = (type: 'todo_create' | 'todo_update') =>
    line(type, { items: commands.map(({ text }, index) => ({ content: text, status: statuses[index] ?? 'pending' })) })

  /** Runs a command, of which `agentId` prints if it runs in the background. */
  function start(index: number, callId: string, { text }: ShellCommand, agentId?: string): Promise<CommandEnd> {
    const by = agentId === undefined ? {} : { agentId }
    const onText = (printed: string) =>
      host.add([{ type: 'tool-progress', callId, channel: 'stdout', text: printed, ...by }])
    const running = runCommand({ command: text, cwd, environment: environment(), limits, signal, onText }).then(
      (end) => {
        statuses[index] = end.isOk ? 'completed' : 'cancelled'
        if (end.problem !== undefined) problems.push(end.problem)
        return end
      },
    )
    session.started.push(running)
    return running
  }

  const hasPlan = commands.length > 1
  if (hasPlan) yield plan('todo_create')
  const background: Promise<void>[] = []
  for (const [index, command] of commands.entries()) {
    if (signal.aborted) return
    const callId = `call-${index + 1}`
    statuses[index] = 'in_progress'
    if (hasPlan) yield plan('todo_update')
    if (command.isBackground) {
      const agentId = `background-${index + 1}`
      await host.add(beginning(agentId, callId, command))
      const ended = start(index, callId, command, agentId).then((end) => host.add(endOf(agentId, callId, end)))
      // It is awaited below; until then its failure is not forgotten, only late.
      ended.catch(() => undefined)
      background.push(ended)
      continue
    }
    yield line('tool_use', { id: callId, name: 'shell', input: { command: command.text } })
    const { isOk, output } = await start(index, callId, command)
    if (signal.aborted) return
    yield line('tool_result', { tool_use_id: callId, output, ...(!isOk && { is_error: true }) })
    if (!isOk) break
  }
  if (hasPlan && background.length > 0) yield plan('todo_update')
  await Promise.all(background)
  if (signal.aborted) return
  const left = statuses.filter((status) => status === 'pending').length
  for (const [index, status] of statuses.entries()) if (status === 'pending') statuses[index] = 'cancelled'
  if (hasPlan) yield plan('todo_update')
  if (problems.length > 0) yield line('text', { content: summaryOf(problems, left) })
  yield line('done', {})
}

function summaryOf(problems: readonly string[], left: number): string {
  const rest =
    left === 0 ? '' : left === 1 ? ' The command after it was not run.' : ` The ${left} commands after it were not run.`
  return `${problems.join(' ')}${rest}`
}

const beginning = (agentId: string, callId: string, { text }: ShellCommand): StreamEvent[] => [
  { type: 'subagent-start', agentId, name: 'background', task: text },
  { type: 'tool-start', callId, name: 'shell', runBy: 'agent', agentId },
  { type: 'tool-input', callId, input: { command: text }, agentId },
]

const endOf = (agentId: string, callId: string, { isOk, output, problem }: CommandEnd): StreamEvent[] => [
  { type: 'tool-output', callId, status: isOk ? 'ok' : 'error', output, agentId },
  {
    type: 'subagent-end',
    agentId,
    status: isOk ? 'done' : 'failed',
    ...(problem !== undefined && { summary: problem }),
  },
]

const encoder = new TextEncoder()

const line = (type: string, data: { readonly [field: string]: Json }): Uint8Array =>
  encoder.encode(`${JSON.stringify({ type, data })}\n`)
