import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { firstVersion, readDebug } from './cohere/first-version.ts'
import { addInput, type Message, openMessage } from './cohere/message.ts'
import {
  type Content,
  type Ending,
  type OldEnd,
  type RawEvent,
  type RawMessage,
  recognize,
  type ToolCall,
  type WholeResponse,
} from './cohere/raw.ts'
import { countsOf, type Spellings, usageEvents } from './kit/counts.ts'
import { cutCalls } from './kit/cut-calls.ts'
import { objectIn } from './kit/fields.ts'
import { keep, metadata } from './kit/keep.ts'
import { type Rows, readRow } from './kit/rows.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import type { Manner, Out } from './kit/voice.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Cohere's Chat API in both versions, streamed or whole. One stream may hold several messages: the turns of a loop. */
export const cohere: Parser = {
  version: 2,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message cannot be taken back.',
    signature: 'Thinking is not signed.',
    encrypted: 'Thinking is plain text.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs go into the next request.',
    'tool-nesting': 'A call does not name the call that made it.',
    approvals: 'The program that runs the tools handles approvals.',
    files: 'A response is text.',
    subagents: 'A response belongs to one model.',
    'subagent-content': 'A response belongs to one model.',
    status: 'Only the answer is streamed.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'Requests of a person go into the next request.',
    errors: 'Every error ends the stream.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** Finish reasons of a response that failed. */
const FAILURES: ReadonlySet<string> = new Set(['ERROR', 'ERROR_TOXIC', 'ERROR_LIMIT', 'TIMEOUT', 'USER_CANCEL'])

/** Used tokens are counted. The billed units are kept as meta. */
const SPELLINGS: Spellings = {
  inputTokens: [
    ['tokens', 'input_tokens'],
    ['billed_units', 'input_tokens'],
  ],
  outputTokens: [
    ['tokens', 'output_tokens'],
    ['billed_units', 'output_tokens'],
  ],
  reasoningTokens: [['tokens', 'reasoning_tokens']],
  cacheReadTokens: ['cached_tokens'],
}

function create(): ParserState {
  const names = createUniqueIds()
  /** The calls of all messages. Their results go into the next request, not into the stream. */
  const callIds = new Set<string>()
  let count = 0
  let message = openMessage('message-0', callIds)
  message.isOpen = false
  /** Why the last message ended, if it did and has not failed. */
  let reason: string | undefined
  let isStopped = false

  function begin(out: Out, id: string | null | undefined): Message {
    message.end(out, undefined, true)
    count += 1
    message = openMessage(names.claim(id || `message-${count}`), callIds)
    const { messageId } = message
    out.push({ type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' })
    return message
  }

  /** The open message. A stream that was joined after its start has none. */
  const ensure = (out: Out): Message => (message.isOpen ? message : begin(out, undefined))

  function finish(out: Out, { finish_reason, error, usage }: Ending): void {
    reason = finish_reason ?? undefined
    const { billed_units } = usage ?? {}
    out.push(...usageEvents(countsOf(usage ?? {}, SPELLINGS), { scope: 'step', ...keep('cohere', { billed_units }) }))
    message.end(out, reason, false)
    const isFailed = Boolean(error) || FAILURES.has(reason ?? '')
    isStopped = !isFailed
    if (!isFailed) return
    const runError = { message: error || `The response ended with ${reason}.`, ...present({ code: reason }) }
    out.push({ type: 'run-end', outcome: 'error', error: runError })
  }

  function readCall(out: Out, index: number, { id, function: called }: ToolCall): void {
    const callId = names.claim(id || `${message.messageId}:call-${index}`)
    message.startCall(out, index, callId, called?.name ?? '')
    addInput(out, callId, called?.arguments)
  }

  function readWhole(out: Out, { content, tool_plan, tool_calls, citations }: RawMessage): void {
    message.addPlan(out, tool_plan ?? '')
    for (const [index, part] of (content ?? []).entries()) {
      const prose = proseOf(part)
      if (prose === undefined) out.push(...unmapped(part))
      else startContent(out, index, prose)
      message.endBlock(out, index)
    }
    for (const [index, call] of (tool_calls ?? []).entries()) {
      readCall(out, index, call)
      message.endCall(out, index)
    }
    for (const citation of citations ?? []) message.addCitation(out, citation)
  }

  function startContent(out: Out, index: number, { manner, text = '' }: Prose): void {
    message.startBlock(out, index, manner)
    message.addText(out, index, manner, text)
  }

  const rows: Rows<RawEvent> = {
    'message-start'(out, { id, delta }) {
      begin(out, id)
      readWhole(out, delta?.message ?? {})
    },
    'content-start'(out, raw) {
      const prose = proseOf(raw.delta.message.content)
      if (prose === undefined) throw new TypeError('The content is of an unknown kind.')
      ensure(out)
      startContent(out, raw.index, prose)
    },
    'content-delta'(out, { index, delta, logprobs }) {
      const prose = proseOf(delta.message.content)
      if (prose?.text === undefined) throw new TypeError('The content has no text.')
      const { messageId } = ensure(out)
      message.addText(out, index, prose.manner, prose.text)
      const id = `${messageId}:${index}`
      if (logprobs) out.push({ type: 'data', name: 'logprobs', id, data: logprobs, transient: true })
    },
    'content-end': (out, { index }) => message.endBlock(out, indexIn(index)),
    'tool-plan-delta': (out, { delta }) => ensure(out).addPlan(out, delta.message.tool_plan),
    'tool-call-start'(out, { index, delta }) {
      ensure(out)
      readCall(out, index, delta.message.tool_calls)
    },
    'tool-call-delta'(out, raw) {
      const text = raw.delta.message.tool_calls.function?.arguments
      const callId = message.calls.get(raw.index) ?? `${message.messageId}:call-${raw.index}`
      if (typeof text === 'string') addInput(out, callId, text)
      else out.push(...unmapped(raw))
    },
    'tool-call-end': (out, { index }) => message.endCall(out, indexIn(index)),
    'citation-start': (out, { delta }) => message.addCitation(out, delta.message.citations),
    'citation-end': () => undefined,
    'message-end'(out, { delta }) {
      ensure(out)
      finish(out, delta ?? {})
    },
    debug: readDebug,
  }

  function readResponse(
    out: Out,
    { id, message: rawMessage, finish_reason, error, usage, ...rest }: WholeResponse,
  ): void {
    begin(out, id)
    readWhole(out, rawMessage)
    out.push(...metadata(rest))
    finish(out, present({ finish_reason, error, usage }))
  }

  const oldRows = firstVersion({ begin, ensure, finish })

  function read(value: unknown): readonly StreamEvent[] {
    const { event_type, is_finished, text, message: rawMessage, type } = value as JsonObject
    if (typeof event_type === 'string') return readRow(oldRows, event_type, value)
    if (typeof is_finished !== 'boolean' && (type !== undefined || !rawMessage)) return readRow(rows, type, value)
    const out: Out = []
    // The oldest streams have no types and hold only text.
    if (typeof is_finished === 'boolean') {
      if (typeof text === 'string') oldRows['text-generation'](out, { type: 'text-generation', text })
      else if (!is_finished) return unmapped(value)
      if (is_finished) oldRows['stream-end'](out, { ...(value as OldEnd), type: 'stream-end' })
    } else if (typeof rawMessage === 'string') {
      // An error stands in the place of an event.
      isStopped = false
      out.push({ type: 'run-end', outcome: 'error', error: { message: rawMessage } })
    } else if (objectIn(rawMessage).role === 'assistant') readResponse(out, value as unknown as WholeResponse)
    else return unmapped(value)
    return understood(out)
  }

  return {
    push: read,
    end() {
      if (message.isOpen || !isStopped) return []
      const isAwaiting = message.callCount > 0 && reason !== 'MAX_TOKENS'
      return [...cutCalls(isAwaiting ? [] : callIds), { type: 'run-end', outcome: 'success', ...present({ reason }) }]
    },
  }
}

const manners = { text: { kind: 'text' }, thinking: { kind: 'reasoning', variant: 'thinking' } } as const

interface Prose {
  readonly manner: Manner
  /** The start of a content may have none. */
  readonly text: string | undefined
}

/** The text of a content and its kind; undefined for content of another kind. */
function proseOf(content: Content): Prose | undefined {
  const type = content.type ?? (typeof content.thinking === 'string' ? 'thinking' : 'text')
  if (type !== 'text' && type !== 'thinking') return undefined
  const text = content[type] ?? undefined
  return text === undefined || typeof text === 'string' ? { manner: manners[type], text } : undefined
}

function indexIn(index: unknown): number {
  if (typeof index !== 'number') throw new TypeError('The record has no index.')
  return index
}
