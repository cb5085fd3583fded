import { present } from '../data/present.ts'
import { rememberOne } from '../data/remember.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import type { RawError, RawLine, Stats } from './gemini-cli/raw.ts'
import { recognize } from './gemini-cli/recognize.ts'
import { outputOf, subagentEnd, subagentOf } from './gemini-cli/tools.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood } from './parser.ts'

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
  recognize,
  create,
}

/** Lines have no ids. A turn of the model consists of its text and its calls until results come. */
interface Turn {
  readonly messageId: string
  blockId: string | undefined
  hasResult: boolean
}

function create(): ParserState {
  const subagents = new Set<string>()
  let turnCount = 0
  let userCount = 0
  let blockCount = 0
  let turn: Turn | undefined
  let runEnd: EventOf<'run-end'> | undefined

  function closeBlock(): StreamEvent[] {
    if (turn?.blockId === undefined) return []
    const { blockId } = turn
    turn.blockId = undefined
    return [{ type: 'block-end', blockId }]
  }

  function endTurn(): StreamEvent[] {
    if (turn === undefined) return []
    const events: StreamEvent[] = [
      ...closeBlock(),
      { type: 'step-end' },
      { type: 'message-end', messageId: turn.messageId },
    ]
    turn = undefined
    return events
  }

  /** Starts a turn of the model if none is open, or if the open one has results. */
  function startTurn(): StreamEvent[] {
    if (turn !== undefined && !turn.hasResult) return []
    const ended = endTurn()
    const messageId = `turn-${++turnCount}`
    turn = { messageId, blockId: undefined, hasResult: false }
    return [...ended, { type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' }]
  }

  function startBlock(messageId: string | undefined): { readonly blockId: string; readonly start: StreamEvent } {
    const blockId = `text-${++blockCount}`
    return { blockId, start: { type: 'block-start', blockId, kind: 'text', ...present({ messageId }) } }
  }

  function addText(text: string): StreamEvent[] {
    const events = startTurn()
    if (turn?.blockId !== undefined) return [...events, { type: 'block-delta', blockId: turn.blockId, text }]
    const { blockId, start } = startBlock(turn?.messageId)
    if (turn !== undefined) turn.blockId = blockId
    return [...events, start, { type: 'block-delta', blockId, text }]
  }

  function addPrompt(text: string): StreamEvent[] {
    const messageId = `user-${++userCount}`
    const { blockId, start } = startBlock(messageId)
    return [
      ...endTurn(),
      { type: 'message-start', messageId, role: 'user' },
      start,
      { type: 'block-delta', blockId, text },
      { type: 'block-end', blockId },
      { type: 'message-end', messageId },
    ]
  }

  const handlers: Handlers<RawLine> = {
    init({ type: _type, timestamp: _timestamp, model, ...otherFields }) {
      const metadata = present(otherFields) as JsonObject
      const metadataEvents: StreamEvent[] = Object.keys(metadata).length === 0 ? [] : [{ type: 'metadata', metadata }]
      runEnd = undefined
      return [{ type: 'run-start', ...present({ model }) }, ...metadataEvents]
    },
    message({ role, content, delta }) {
      if (typeof content !== 'string') throw new TypeError('The message has no text.')
      if (content === '') return SILENT
      if (role === 'user') return addPrompt(content)
      // A message that is not a delta is whole, so it gets a block of its own.
      return delta === true ? addText(content) : [...closeBlock(), ...addText(content), ...closeBlock()]
    },
    tool_use({ tool_name: name, tool_id: callId, parameters }) {
      const input = parameters ?? {}
      const subagent = subagentOf(name, input, callId)
      const events: StreamEvent[] = [
        ...startTurn(),
        ...closeBlock(),
        { type: 'tool-start', callId, name, runBy: 'agent' },
        { type: 'tool-input', callId, input },
      ]
      if (subagent === undefined) return events
      rememberOne(subagents, callId)
      return [...events, subagent]
    },
    tool_result(result) {
      const output = outputOf(result)
      const closed = closeBlock()
      if (turn !== undefined) turn.hasResult = true
      return subagents.delete(output.callId) ? [...closed, output, subagentEnd(output)] : [...closed, output]
    },
    error: ({ severity, message }) =>
      severity === 'warning' ? [{ type: 'status', level: 'warn', message }] : [{ type: 'error', message }],
    result({ status, error, stats, timestamp }) {
      if (typeof status !== 'string') throw new TypeError('The result has no status.')
      runEnd = { ...endOf(status, error), ...timeOf(timestamp) }
      return understood([...endTurn(), ...(stats ? [usageOf(stats)] : [])])
    },
  }
  const read = dispatch(handlers)

  return {
    push(value, record) {
      const events = read(value, record)
      const time = timeOf((value as Partial<RawLine>).timestamp)
      return time.sentAt === undefined || events.length === 0 ? events : events.map((event) => ({ ...event, ...time }))
    },
    end: () => (runEnd === undefined ? [] : [runEnd]),
  }
}

function timeOf(timestamp: string | null | undefined): { readonly sentAt?: number } {
  const sentAt = Date.parse(timestamp ?? '')
  return Number.isNaN(sentAt) ? {} : { sentAt }
}

function usageOf({ input_tokens, output_tokens, cached, duration_ms, ...otherFields }: Stats): EventOf<'usage'> {
  return {
    type: 'usage',
    scope: 'run',
    mode: 'snapshot',
    ...present({
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      cacheReadTokens: cached,
      durationMs: duration_ms,
    }),
    ...(Object.keys(otherFields).length > 0 && { meta: { 'gemini-cli': present(otherFields) as JsonObject } }),
  }
}

function endOf(status: string, error: RawError | null | undefined): EventOf<'run-end'> {
  if (status === 'success') return { type: 'run-end', outcome: 'success', reason: status }
  const runError = { message: error?.message || 'The run failed', ...present({ code: error?.type }) }
  const wasCancelled = /cancel/i.test(error?.type ?? '')
  return { type: 'run-end', outcome: wasCancelled ? 'cancelled' : 'error', reason: status, error: runError }
}
