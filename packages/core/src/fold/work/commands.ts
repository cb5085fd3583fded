import { present } from '../../data/present.ts'
import { isJsonObject, isText, type Json } from '../../json.ts'
import { codeOf } from '../../meaning/code-input.ts'
import { toolKindOf } from '../../meaning/tool-kinds.ts'
import { observationsOf } from '../panes/observations.ts'
import type { ChatEvent, ToolSegment, ToolState } from '../shapes.ts'
import { type Call, callsOf, endedBy, type Moment } from './calls.ts'
import { exitCodeOf } from './exit-code.ts'
import { commandField, textField } from './fields.ts'

/** A part of what a command wrote. */
export interface OutputChunk {
  readonly channel: 'stdout' | 'stderr' | 'text'
  readonly text: string
}

/** A command or a cell of code that an agent ran. */
export interface Command {
  readonly runId: string
  readonly callId: string
  readonly segment: ToolSegment
  readonly step: number
  readonly agentName?: string
  readonly prompt: '$' | 'py'
  readonly text: string
  readonly folder?: string
  readonly chunks: readonly OutputChunk[]
  /** Absent if nothing says it. */
  readonly exitCode?: number
  readonly state: ToolState
  /** From 0 to 100. */
  readonly percent?: number
  /** The agent was given only a part of the output, and so was the log. */
  readonly isTruncated: boolean
}

/**
 * Every command in the order of their starts; what is sent to a running one, or read of it later, belongs to it. `upTo`
 * leaves out those that had not ended by then.
 */
export function commandsOf(chatEvents: readonly ChatEvent[], upTo?: Moment): readonly Command[] {
  const calls = callsOf(chatEvents)
  const shown = inStartOrder(upTo === undefined ? calls : endedBy(calls, upTo), chatEvents)
  const commands: Command[] = []
  const bySession = new Map<string, number>()
  for (const call of shown) {
    const kind = toolKindOf(call.segment)
    if (kind !== 'run' && kind !== 'cell' && kind !== 'continue') continue
    const session = textField(call.segment.input, 'session') ?? numberText(call.segment.input)
    const earlier = kind === 'continue' && session !== undefined ? bySession.get(session) : undefined
    const own = commandOf(call, kind)
    if (earlier === undefined) commands.push(own)
    else commands[earlier] = continued(commands[earlier] as Command, own)
    const started = sessionIn(call.segment)
    if (started !== undefined) bySession.set(started, earlier ?? commands.length - 1)
  }
  return commands
}

function inStartOrder(calls: readonly Call[], chatEvents: readonly ChatEvent[]): readonly Call[] {
  const runs = new Map([...new Set(chatEvents.map(({ runId }) => runId))].map((runId, index) => [runId, index]))
  const run = (call: Call) => runs.get(call.runId) ?? 0
  return [...calls].sort((one, other) => run(one) - run(other) || one.segment.seqs[0] - other.segment.seqs[0])
}

const byCall = new WeakMap<ToolSegment, Command>()

function commandOf(call: Call, kind: 'run' | 'cell' | 'continue'): Command {
  const before = byCall.get(call.segment)
  if (before !== undefined && before.step === call.step && before.runId === call.runId) return before
  const { segment, runId, step, agentName } = call
  const percent = segment.progress?.findLast((report) => report.percent !== undefined)?.percent
  const command: Command = {
    ...present({ agentName, folder: textField(segment.input, 'folder'), exitCode: exitCodeOf(segment) }),
    ...present({ percent: segment.endedAt === undefined ? percent : undefined }),
    runId,
    callId: segment.callId,
    segment,
    step,
    prompt: kind === 'cell' ? 'py' : '$',
    text:
      kind === 'cell' ? cellText(segment) : (commandField(segment.input) ?? segment.inputText ?? segment.title ?? ''),
    chunks: chunksOf(segment),
    state: segment.state,
    isTruncated: isTruncated(segment),
  }
  byCall.set(segment, command)
  return command
}

/** Some providers say only that code ran, not which. */
function cellText(segment: ToolSegment): string {
  const { input } = segment
  return isJsonObject(input) && Object.keys(input).length === 0 ? '' : codeOf(segment)
}

/** A command with what a later call read of it. */
function continued(command: Command, later: Command): Command {
  const { exitCode, state } = later
  return {
    ...command,
    chunks: [...command.chunks, ...later.chunks],
    state,
    ...(exitCode !== undefined && { exitCode }),
  }
}

/** An error that says no more than the exit code does. */
const SAYS_EXIT = /^.{0,60}\b(?:exit|failed with)\b.{0,20}$/

/** What the command wrote: as it was reported, then what only its result says. */
function chunksOf(segment: ToolSegment): readonly OutputChunk[] {
  const structured = segment.progress === undefined ? streamsIn(segment) : []
  if (structured.length > 0) return structured
  const observations = observationsOf({ ...segment, ...withoutData(segment) })
  const isCoded = exitCodeOf(segment) !== undefined && observations.length > 1
  const shown = observations.filter(({ channel, text }) => !isCoded || channel !== 'error' || !SAYS_EXIT.test(text))
  return shown.map(({ channel, text, isError }) => ({
    channel: channel === 'stdout' || channel === 'stderr' ? channel : isError ? 'stderr' : 'text',
    text,
  }))
}

/** Reports of data are about the terminal; a result of several commands repeats what was reported of them. */
function withoutData({ progress: reports, output }: ToolSegment): Pick<ToolSegment, 'progress' | 'output'> {
  const texts = reports?.filter(({ channel, text }) => channel !== 'data' && text !== undefined && text !== '')
  const isRepeated = (texts?.length ?? 0) > 0 && streamTexts(output).length > 0
  return {
    ...(texts !== undefined && { progress: texts }),
    ...present({ output: isRepeated ? '' : textOfOutput(output) }),
  }
}

/** `stdout` and `stderr` of a result, which its agent keeps apart from the text for the model. */
function streamsIn({ output, meta }: ToolSegment): readonly OutputChunk[] {
  const { claude, acp, opencode } = meta ?? {}
  const results = [output, claude?.tool_use_result, acp?.rawOutput, opencode?.metadata].map(streamTexts)
  return results.find((chunks) => chunks.length > 0) ?? []
}

function streamTexts(value: Json | undefined): readonly OutputChunk[] {
  if (Array.isArray(value)) return value.flatMap(streamTexts)
  if (!isJsonObject(value)) return []
  const logs = Array.isArray(value.outputs)
    ? value.outputs.map((each) => (isJsonObject(each) ? each.logs : undefined))
    : []
  return [
    { channel: 'stdout' as const, text: value.stdout },
    { channel: 'stderr' as const, text: value.stderr },
    ...logs.map((text) => ({ channel: 'stdout' as const, text })),
  ].flatMap(({ channel, text }) => (isText(text) && text !== '' ? [{ channel, text }] : []))
}

/** A result that is text under the usual field. */
function textOfOutput(output: Json | undefined): Json | undefined {
  if (!isJsonObject(output)) return output
  const text = ['output', 'aggregated_output', 'content', 'result'].map((key) => output[key]).find(isText)
  const isBare = Object.values(output).every((value) => typeof value === 'number' || typeof value === 'boolean')
  return text ?? (isBare ? '' : output)
}

function isTruncated({ output, meta }: ToolSegment): boolean {
  const holders = [output, meta?.opencode?.metadata, meta?.claude?.tool_use_result].filter(isJsonObject)
  if (holders.some(({ truncated, persistedOutputPath }) => truncated === true || persistedOutputPath !== undefined))
    return true
  return isText(output) && /output truncated|\[Showing lines|response clipped/.test(output.slice(-500))
}

const SESSION = /\bsession (?:ID|id)[: ]+(\w+)/

/** The id by which a later call names a command that goes on. */
function sessionIn({ output, meta }: ToolSegment): string | undefined {
  const result = meta?.claude?.tool_use_result
  const background = isJsonObject(result) ? (result.backgroundTaskId ?? result.shellId) : undefined
  if (isText(background)) return background
  return isText(output) ? SESSION.exec(output.slice(0, 400))?.[1] : undefined
}

function numberText(input: Json | undefined): string | undefined {
  return isJsonObject(input) && typeof input.session_id === 'number' ? String(input.session_id) : undefined
}
