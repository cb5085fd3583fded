import { present } from '../data/present.ts'
import { rememberOne } from '../data/remember.ts'
import type { ToolStatus } from '../event-fields.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, isText, type Json } from '../json.ts'
import { countsOf, keepUncounted, usageEvents } from './kit/counts.ts'
import { sentAtOf } from './kit/fields.ts'
import { keep, metadata } from './kit/keep.ts'
import { bySigns, sign } from './kit/signs.ts'
import { createVoice, type Out } from './kit/voice.ts'
import { dispatch, type Handlers, type Parser, type ParserState, understood } from './parser.ts'

type Line<Type extends string, Fields> = Fields & { readonly type: Type; readonly timestamp?: string | null }

/** The lines of `gemini --output-format stream-json`, as far as they are read. They have no ids. */
type RawLine =
  | Line<'init', { readonly session_id?: string | null; readonly model?: string | null }>
  | Line<'message', { readonly role: string; readonly content: string; readonly delta?: boolean | null }>
  | Line<'tool_use', { readonly tool_name: string; readonly tool_id: string; readonly parameters?: Json }>
  | Line<'tool_result', ToolResult>
  | Line<'error', { readonly severity?: string | null; readonly message: string }>
  | Line<'result', { readonly status: string; readonly error?: RawError | null; readonly stats?: object | null }>

interface ToolResult {
  readonly tool_id: string
  readonly status: string
  readonly output?: Json
  readonly error?: RawError | null
}

interface RawError {
  readonly type?: string | null
  readonly message?: string | null
}

/** Other tools print messages, results and errors too. Every line has a time: without one it may be theirs. */
const recognizeLine = bySigns(
  {
    init: sign(0.95, ({ session_id, model }) => isText(session_id) && isText(model)),
    message: sign(0.85, ({ role, content }) => isText(role) && isText(content)),
    tool_use: sign(0.95, ({ tool_name, tool_id }) => isText(tool_name) && isText(tool_id)),
    tool_result: sign(0.95, ({ tool_id, status }) => isText(tool_id) && isText(status)),
    error: sign(0.8, ({ severity, message }) => isText(severity) && isText(message)),
    result: sign(0.9, ({ status, stats, error }) => isText(status) && (isJsonObject(stats) || isJsonObject(error))),
  },
  (type) => `a line is a ${type} of the Gemini CLI`,
)

/** The output of the Gemini CLI with `--output-format stream-json`. */
export const geminiCli: Parser = {
  version: 3,
  losses: {
    retract: 'A printed line cannot be taken back.',
    reasoning: 'Thoughts are not printed.',
    signature: 'Thoughts are not printed.',
    encrypted: 'Thoughts are not printed.',
    citations: 'Text is printed without its sources.',
    rewrite: 'Text only grows.',
    'tool-input-stream': 'The parameters of tools are printed whole.',
    'tool-progress': 'The results of tools are printed whole.',
    'tool-nesting': 'A call does not name the call that made it.',
    approvals: 'The CLI runs without a person who could be asked.',
    sources: 'Text is printed without its sources.',
    files: 'Only text is printed.',
    'subagent-content': 'The work of a subagent is not printed.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    data: 'Only tools have payloads.',
    control: 'The CLI runs without a person who could intervene.',
  },
  recognize(record) {
    const found = recognizeLine(record)
    const { timestamp } = (record.value ?? {}) as Partial<RawLine>
    return found === undefined || isText(timestamp) ? found : { ...found, certainty: found.certainty * 0.7 }
  },
  create,
}

function create(): ParserState {
  const voice = createVoice((_kind, number) => `text-${number}`)
  const subagents = new Set<string>()
  let turnCount = 0
  let userCount = 0
  /** The message of the model's turn, which consists of its text and its calls until results come. */
  let turnId: string | undefined
  let hasResult = false
  let runEnd: EventOf<'run-end'> | undefined

  function endTurn(out: Out): void {
    if (turnId === undefined) return
    voice.pause(out)
    out.push({ type: 'step-end' }, { type: 'message-end', messageId: turnId })
    turnId = undefined
  }

  function enterTurn(out: Out): string {
    if (turnId !== undefined && !hasResult) return turnId
    endTurn(out)
    hasResult = false
    turnId = `turn-${++turnCount}`
    out.push({ type: 'message-start', messageId: turnId, role: 'assistant' }, { type: 'step-start', kind: 'model' })
    return turnId
  }

  function addPrompt(out: Out, text: string): void {
    const messageId = `user-${++userCount}`
    endTurn(out)
    out.push({ type: 'message-start', messageId, role: 'user' })
    voice.sayWhole(out, { kind: 'text', messageId }, text)
    out.push({ type: 'message-end', messageId })
  }

  const handlers: Handlers<RawLine> = {
    init({ type: _type, timestamp: _timestamp, model, ...otherFields }) {
      runEnd = undefined
      return [{ type: 'run-start', ...present({ model }) }, ...metadata(otherFields)]
    },
    message({ role, content, delta }) {
      if (typeof content !== 'string') throw new TypeError('The message has no text.')
      const out: Out = []
      if (content === '') return understood(out)
      if (role === 'user') addPrompt(out, content)
      // A message that is not a delta is whole, so it gets a block of its own.
      else if (delta === true) voice.say(out, { kind: 'text', messageId: enterTurn(out) }, content)
      else {
        voice.pause(out)
        voice.sayWhole(out, { kind: 'text', messageId: enterTurn(out) }, content)
      }
      return out
    },
    tool_use({ tool_name: name, tool_id: callId, parameters }) {
      const input = parameters ?? {}
      const subagent = subagentOf(name, input, callId)
      const out: Out = []
      enterTurn(out)
      voice.pause(out)
      out.push({ type: 'tool-start', callId, name, runBy: 'agent' }, { type: 'tool-input', callId, input })
      if (subagent === undefined) return out
      rememberOne(subagents, callId)
      return [...out, subagent]
    },
    tool_result(result) {
      const output = outputOf(result)
      const out: Out = []
      voice.pause(out)
      hasResult = true
      return subagents.delete(output.callId) ? [...out, output, subagentEnd(output)] : [...out, output]
    },
    error: ({ severity, message }) =>
      severity === 'warning' ? [{ type: 'status', level: 'warn', message }] : [{ type: 'error', message }],
    result({ status, error, stats, timestamp }) {
      if (typeof status !== 'string') throw new TypeError('The result has no status.')
      const out: Out = []
      runEnd = { ...endOf(status, error), ...sentAtOf(timestamp) }
      endTurn(out)
      return understood(stats ? [...out, ...usageOf(stats)] : out)
    },
  }
  const read = dispatch(handlers)

  return {
    push(value, record) {
      const events = read(value, record)
      const time = sentAtOf((value as Partial<RawLine>).timestamp)
      return time.sentAt === undefined || events.length === 0 ? events : events.map((event) => ({ ...event, ...time }))
    },
    end: () => (runEnd === undefined ? [] : [runEnd]),
  }
}

/** Counts of the whole session. */
const SPELLINGS = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cacheReadTokens: ['cached'],
  durationMs: ['duration_ms'],
}

function usageOf(stats: object): StreamEvent[] {
  return usageEvents(countsOf(stats, SPELLINGS), { scope: 'run', ...keepUncounted('gemini-cli', stats, SPELLINGS) })
}

function endOf(status: string, error: RawError | null | undefined): EventOf<'run-end'> {
  if (status === 'success') return { type: 'run-end', outcome: 'success', reason: status }
  const runError = { message: error?.message || 'The run failed', ...present({ code: error?.type }) }
  const wasCancelled = /cancel/i.test(error?.type ?? '')
  return { type: 'run-end', outcome: wasCancelled ? 'cancelled' : 'error', reason: status, error: runError }
}

/** The tools that delegate a task to another agent, by the names of old and new releases. */
const DELEGATES: ReadonlySet<string> = new Set(['invoke_agent', 'delegate_to_agent'])

function subagentOf(name: string, input: Json, callId: string): EventOf<'subagent-start'> | undefined {
  if (!DELEGATES.has(name) || !isJsonObject(input)) return undefined
  const { agent_name, prompt, objective } = input
  const task = prompt ?? objective
  const agentName = typeof agent_name === 'string' ? agent_name : name
  const start = { type: 'subagent-start', agentId: callId, name: agentName, callId } as const
  return typeof task === 'string' ? { ...start, task } : start
}

/** A subagent ends with the call that started it. */
function subagentEnd({ callId, status, output }: EventOf<'tool-output'>): StreamEvent {
  const summary = typeof output === 'string' && output !== '' ? { summary: output } : {}
  return { type: 'subagent-end', agentId: callId, status: status === 'ok' ? 'done' : 'failed', ...summary }
}

/** The error types of tools that were not allowed to run. */
const statuses: ReadonlyMap<string, ToolStatus> = new Map<string, ToolStatus>([
  ['execution_denied', 'denied'],
  ['policy_violation', 'denied'],
])

function outputOf({ tool_id: callId, status, output, error }: ToolResult): EventOf<'tool-output'> {
  if (status === 'success') return { type: 'tool-output', callId, status: 'ok', output: output ?? '' }
  const message = error?.message ?? undefined
  return {
    type: 'tool-output',
    callId,
    status: statuses.get(error?.type ?? '') ?? 'error',
    output: output ?? message ?? '',
    error: message ?? (typeof output === 'string' && output !== '' ? output : 'The tool failed'),
    ...keep('gemini-cli', { type: error?.type }),
  }
}
