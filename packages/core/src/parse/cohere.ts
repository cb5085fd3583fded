import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { addContent, endCall, startContent, wordsOf } from './cohere/content.ts'
import { firstVersion, metadata } from './cohere/first-version.ts'
import { endBlock, endMessage, inputDelta, newMessage, startCall, tellPlan } from './cohere/message.ts'
import type { Ending, OldEnd, RawEvent, ToolCall, WholeResponse } from './cohere/raw.ts'
import { recognize } from './cohere/recognize.ts'
import { citationEvents } from './cohere/sources.ts'
import { usageEvents } from './cohere/usage.ts'
import { createUniqueIds } from './openai-chat/unique-ids.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** Cohere's Chat in both versions, streamed or whole. One stream may hold several messages: the turns of a loop. */
export const cohere: Parser = {
  version: 2,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    signature: 'Thinking is not signed.',
    encrypted: 'Thinking is plain.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs go into the next request.',
    'tool-nesting': 'A call does not say who made it.',
    approvals: 'Approval is the business of whoever runs the tools.',
    files: 'A response is text.',
    subagents: 'A response is of one model.',
    'subagent-content': 'A response is of one model.',
    status: 'Nothing is said of what goes on beside the answer.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'What a person asks for goes into the next request.',
    errors: 'Every error ends the stream.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** How a response ends that came to no good end. */
const FAILURES: ReadonlySet<string> = new Set(['ERROR', 'ERROR_TOXIC', 'ERROR_LIMIT', 'TIMEOUT', 'USER_CANCEL'])

function create(): ParserState {
  const names = createUniqueIds()
  let count = 0
  let message = newMessage('message-0')
  let ending: 'none' | 'stopped' | 'failed' = 'none'

  function begin(id: string | null | undefined): StreamEvent[] {
    const before: StreamEvent[] = count === 0 ? [{ type: 'run-start' }] : endMessage(message, true)
    count += 1
    message = newMessage(names.claim(id || `message-${count}`))
    message.isOpen = true
    ending = 'none'
    const { messageId } = message
    return [...before, { type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' }]
  }

  /** The message being read; a stream that was joined late has no start. */
  function begun(): StreamEvent[] {
    return message.isOpen ? [] : begin(undefined)
  }

  function finish({ finish_reason, error, usage }: Ending): StreamEvent[] {
    const reason = finish_reason ?? undefined
    message.reason = reason
    const events = [...usageEvents(usage), ...endMessage(message, false)]
    const isFailed = Boolean(error) || FAILURES.has(reason ?? '')
    ending = isFailed ? 'failed' : 'stopped'
    if (!isFailed) return events
    const said = { message: error || `The response ended with ${reason}.`, ...present({ code: reason }) }
    return [...events, { type: 'run-end', outcome: 'error', error: said }]
  }

  /** An error that came in place of an event. */
  function fail(said: string): StreamEvent[] {
    ending = 'failed'
    return [{ type: 'run-end', outcome: 'error', error: { message: said } }]
  }

  function readCall(index: number, { id, function: called }: ToolCall): StreamEvent[] {
    const callId = names.claim(id || `${message.messageId}:call-${index}`)
    const start = startCall(message, index, callId, called?.name ?? '')
    return [...start, ...inputDelta(callId, called?.arguments)]
  }

  const handlers: Handlers<RawEvent> = {
    'message-start': ({ id, delta }) => [...begin(id), ...readWhole(delta?.message ?? {})],
    'content-start'(raw) {
      const words = wordsOf(raw.delta.message.content)
      return words === undefined ? unmapped(raw) : [...begun(), ...startContent(message, raw.index, words)]
    },
    'content-delta'(raw) {
      const { index, logprobs } = raw
      const words = wordsOf(raw.delta.message.content)
      if (words === undefined || !words.isGiven) return unmapped(raw)
      const events = [...begun(), ...addContent(message, index, words)]
      if (!logprobs) return understood(events)
      const id = `${message.messageId}:${index}`
      return [...events, { type: 'data', name: 'logprobs', id, data: logprobs, transient: true }]
    },
    'content-end': ({ index }) => ended(index, endBlock(message, String(index))),
    'tool-plan-delta': ({ delta: { message: said } }) => understood([...begun(), ...tellPlan(message, said.tool_plan)]),
    'tool-call-start': ({ index, delta: { message: said } }) => [...begun(), ...readCall(index, said.tool_calls)],
    'tool-call-delta'({ index, delta }) {
      const callId = message.calls.get(index) ?? `${message.messageId}:call-${index}`
      return inputDelta(callId, delta.message.tool_calls.function?.arguments)
    },
    'tool-call-end': ({ index }) => ended(index, endCall(message, index)),
    'citation-start': ({ delta }) => citationEvents(message, delta.message.citations),
    'citation-end': () => SILENT,
    'message-end': ({ delta }) => [...begun(), ...finish(delta ?? {})],
    debug: ({ prompt }) => metadata({ prompt }),
  }

  function readWhole({ content, tool_plan, tool_calls, citations }: WholeResponse['message']): StreamEvent[] {
    return [
      ...tellPlan(message, tool_plan ?? ''),
      ...(content ?? []).flatMap((part, index) => {
        const words = wordsOf(part)
        if (words === undefined) return unmapped(part)
        return [...startContent(message, index, words), ...endBlock(message, String(index))]
      }),
      ...(tool_calls ?? []).flatMap((call, index) => [...readCall(index, call), ...endCall(message, index)]),
      ...(citations ?? []).flatMap((citation) => citationEvents(message, citation)),
    ]
  }

  function readResponse(response: WholeResponse): StreamEvent[] {
    const { id, message: said, finish_reason, error, usage, ...rest } = response
    return [
      ...begin(id),
      ...readWhole(said),
      ...metadata(rest),
      ...finish(present({ finish_reason, error, usage }) as Ending),
    ]
  }

  const oldHandlers = firstVersion({
    speak(id) {
      const events = id === undefined ? begun() : begin(id)
      return { message, begun: events }
    },
    finish: (end) => finish(endingOf(end)),
  })
  const old = dispatch(oldHandlers)
  const current = dispatch(handlers)

  return {
    push(value, record) {
      const { event_type, is_finished, text, message: said, type } = value as { readonly [field: string]: unknown }
      if (typeof event_type === 'string') {
        const isKnown = Object.hasOwn(oldHandlers, event_type)
        return isKnown ? old({ ...(value as object), type: event_type }, record) : unmapped(value)
      }
      // The oldest stream of all has no types: it only generated text.
      if (typeof is_finished === 'boolean') {
        const said = typeof text === 'string' ? old({ type: 'text-generation', text }, record) : []
        return is_finished ? [...said, ...old({ ...(value as object), type: 'stream-end' }, record)] : said
      }
      if (type === undefined && isAssistant(said)) return readResponse(value as WholeResponse)
      if (type === undefined && typeof said === 'string' && said !== '') return fail(said)
      return current(value, record)
    },
    end() {
      if (message.isOpen || ending !== 'stopped') return []
      const { reason, callCount } = message
      const outcome = callCount > 0 && reason !== 'MAX_TOKENS' ? 'awaiting-input' : 'success'
      return [{ type: 'run-end', outcome, ...present({ reason }) }]
    },
  }
}

/** The end of what an index stands for, which may have ended already. */
function ended(index: unknown, events: readonly StreamEvent[]): readonly StreamEvent[] {
  return typeof index === 'number' ? understood(events) : events
}

function isAssistant(said: unknown): boolean {
  return (said as { readonly role?: unknown } | undefined)?.role === 'assistant'
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
