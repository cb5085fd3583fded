import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { addContent, endCall, proseOf, startContent } from './cohere/content.ts'
import { firstVersion, metadata } from './cohere/first-version.ts'
import { addPlan, endBlock, endMessage, inputDelta, newMessage, startCall, usageEvents } from './cohere/message.ts'
import type { Ending, OldEnd, RawEvent, ToolCall, WholeResponse } from './cohere/raw.ts'
import { recognize } from './cohere/recognize.ts'
import { citationEvents } from './cohere/sources.ts'
import { createUniqueIds } from './openai-chat/unique-ids.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

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

function create(): ParserState {
  const names = createUniqueIds()
  let count = 0
  let message = newMessage('message-0')
  let isStopped = false

  function begin(id: string | null | undefined): StreamEvent[] {
    const before = endMessage(message, true)
    count += 1
    message = newMessage(names.claim(id || `message-${count}`))
    message.isOpen = true
    const { messageId } = message
    return [...before, { type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' }]
  }

  /** Begins a message if none is open, as in a stream that was joined after its start. */
  function ensureMessage(): StreamEvent[] {
    return message.isOpen ? [] : begin(undefined)
  }

  function finish({ finish_reason, error, usage }: Ending): StreamEvent[] {
    const reason = finish_reason ?? undefined
    message.reason = reason
    const events = [...usageEvents(usage), ...endMessage(message, false)]
    const isFailed = Boolean(error) || FAILURES.has(reason ?? '')
    isStopped = !isFailed
    if (!isFailed) return events
    const runError = { message: error || `The response ended with ${reason}.`, ...present({ code: reason }) }
    return [...events, { type: 'run-end', outcome: 'error', error: runError }]
  }

  /** Ends the run for an error in place of an event. */
  function fail(errorText: string): StreamEvent[] {
    isStopped = false
    return [{ type: 'run-end', outcome: 'error', error: { message: errorText } }]
  }

  function readCall(index: number, { id, function: called }: ToolCall): StreamEvent[] {
    const callId = names.claim(id || `${message.messageId}:call-${index}`)
    const start = startCall(message, index, callId, called?.name ?? '')
    return [...start, ...inputDelta(callId, called?.arguments)]
  }

  const handlers: Handlers<RawEvent> = {
    'message-start': ({ id, delta }) => [...begin(id), ...readWhole(delta?.message ?? {})],
    'content-start'(raw) {
      const prose = proseOf(raw.delta.message.content)
      return prose === undefined ? unmapped(raw) : [...ensureMessage(), ...startContent(message, raw.index, prose)]
    },
    'content-delta'(raw) {
      const { index, logprobs } = raw
      const prose = proseOf(raw.delta.message.content)
      if (prose === undefined || !prose.hasText) return unmapped(raw)
      const events = [...ensureMessage(), ...addContent(message, index, prose)]
      if (!logprobs) return understood(events)
      const id = `${message.messageId}:${index}`
      return [...events, { type: 'data', name: 'logprobs', id, data: logprobs, transient: true }]
    },
    'content-end': ({ index }) => endEvents(index, endBlock(message, String(index))),
    'tool-plan-delta': ({ delta: { message: rawMessage } }) =>
      understood([...ensureMessage(), ...addPlan(message, rawMessage.tool_plan)]),
    'tool-call-start': ({ index, delta: { message: rawMessage } }) => [
      ...ensureMessage(),
      ...readCall(index, rawMessage.tool_calls),
    ],
    'tool-call-delta'({ index, delta }) {
      const callId = message.calls.get(index) ?? `${message.messageId}:call-${index}`
      return inputDelta(callId, delta.message.tool_calls.function?.arguments)
    },
    'tool-call-end': ({ index }) => endEvents(index, endCall(message, index)),
    'citation-start': ({ delta }) => citationEvents(message, delta.message.citations),
    'citation-end': () => SILENT,
    'message-end': ({ delta }) => [...ensureMessage(), ...finish(delta ?? {})],
    debug: ({ prompt }) => metadata({ prompt }),
  }

  function readWhole({ content, tool_plan, tool_calls, citations }: WholeResponse['message']): StreamEvent[] {
    return [
      ...addPlan(message, tool_plan ?? ''),
      ...(content ?? []).flatMap((part, index) => {
        const prose = proseOf(part)
        if (prose === undefined) return unmapped(part)
        return [...startContent(message, index, prose), ...endBlock(message, String(index))]
      }),
      ...(tool_calls ?? []).flatMap((call, index) => [...readCall(index, call), ...endCall(message, index)]),
      ...(citations ?? []).flatMap((citation) => citationEvents(message, citation)),
    ]
  }

  function readResponse(response: WholeResponse): StreamEvent[] {
    const { id, message: rawMessage, finish_reason, error, usage, ...otherFields } = response
    return [
      ...begin(id),
      ...readWhole(rawMessage),
      ...metadata(otherFields),
      ...finish(present({ finish_reason, error, usage }) as Ending),
    ]
  }

  const oldHandlers = firstVersion({
    openMessage(id) {
      const events = id === undefined ? ensureMessage() : begin(id)
      return { message, startEvents: events }
    },
    finish: (end) => finish(endingOf(end)),
  })
  const old = dispatch(oldHandlers)
  const current = dispatch(handlers)

  return {
    push(value, record) {
      const {
        event_type,
        is_finished,
        text,
        message: rawMessage,
        type,
      } = value as { readonly [field: string]: unknown }
      if (typeof event_type === 'string') {
        const isOldType = Object.hasOwn(oldHandlers, event_type)
        return isOldType ? old({ ...(value as object), type: event_type }, record) : unmapped(value)
      }
      // The oldest streams have no types and hold only text.
      if (typeof is_finished === 'boolean') {
        const textEvents = typeof text === 'string' ? old({ type: 'text-generation', text }, record) : []
        return is_finished ? [...textEvents, ...old({ ...(value as object), type: 'stream-end' }, record)] : textEvents
      }
      if (type === undefined && isAssistant(rawMessage)) return readResponse(value as WholeResponse)
      if (type === undefined && typeof rawMessage === 'string' && rawMessage !== '') return fail(rawMessage)
      return current(value, record)
    },
    end() {
      if (message.isOpen || !isStopped) return []
      const { reason, callCount } = message
      const outcome = callCount > 0 && reason !== 'MAX_TOKENS' ? 'awaiting-input' : 'success'
      return [{ type: 'run-end', outcome, ...present({ reason }) }]
    },
  }
}

/** The events that end what an index stands for. It may have ended already. */
function endEvents(index: unknown, events: readonly StreamEvent[]): readonly StreamEvent[] {
  return typeof index === 'number' ? understood(events) : events
}

function isAssistant(rawMessage: unknown): boolean {
  return (rawMessage as { readonly role?: unknown } | undefined)?.role === 'assistant'
}

function endingOf(end: OldEnd): Ending {
  const { response } = end
  const usage = response?.meta ?? bedrockUsage(end['amazon-bedrock-invocationMetrics'])
  const finish_reason = end.finish_reason ?? response?.finish_reason
  return { ...present({ finish_reason, error: end.error, usage }) } as Ending
}

function bedrockUsage(metrics: JsonObject | undefined): Ending['usage'] {
  const { inputTokenCount: input, outputTokenCount: output } = metrics ?? {}
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  return { tokens: { input_tokens: input, output_tokens: output } }
}
