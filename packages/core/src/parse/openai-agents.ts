import type { StreamEvent } from '../events.ts'
import type { RawRecord } from '../source/source.ts'
import { isEmpty, metadata } from './kit/keep.ts'
import { bySigns, sign } from './kit/signs.ts'
import type { Out } from './kit/voice.ts'
import { type RawAgent, type RunItem, runItemOf } from './openai-agents/items.ts'
import {
  endOf,
  finishOf,
  type ModelEvent,
  startOf,
  TEXT,
  type Translated,
  translate,
} from './openai-agents/model-events.ts'
import { requestApproval } from './openai-responses/calls.ts'
import type { RawResponse } from './openai-responses/raw.ts'
import { createResponseReader, isResponseEvent } from './openai-responses.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** A run's stream with the names of both languages, as far as it is read. */
type RawEvent =
  | { readonly type: 'raw_response_event'; readonly data: unknown }
  | { readonly type: 'raw_model_stream_event'; readonly data: unknown }
  | { readonly type: 'run_item_stream_event'; readonly item: RunItem }
  | { readonly type: 'agent_updated_stream_event'; readonly agent?: RawAgent; readonly new_agent?: RawAgent }

/**
 * A run of the OpenAI Agents SDK, in either language. What a model sends is read as responses; items of the run that
 * repeat it add no events.
 */
export const openaiAgents: Parser = {
  version: 4,
  losses: {
    'other-roles': 'The stream begins after the user message.',
    retract: 'A message that has begun is never retracted.',
    subagents: 'An agent that is used as a tool shows only its call and its output; a handoff is a step.',
    'subagent-content': 'An agent that is used as a tool shows only its call and its output.',
    state: 'There is no shared state.',
    control: 'What the user requests is the input of the next run.',
  },
  recognize: bySigns(
    {
      raw_response_event: sign(1, ({ data }) => data !== undefined),
      raw_model_stream_event: sign(1, ({ data }) => data !== undefined),
      run_item_stream_event: sign(1, ({ item }) => item !== undefined),
      agent_updated_stream_event: sign(1, ({ agent, new_agent }) => (agent ?? new_agent) !== undefined),
    },
    (type) => `a record is a ${type}`,
  ),
  create,
}

function create(): ParserState {
  const reader = createResponseReader('agent')
  const { run } = reader
  /** A response that the library announced; its content may follow as events of the provider. */
  let announced: RawResponse | undefined
  /** Whether the response arrives as events of the Responses API: then the library's events repeat them. */
  let isRepeated = false
  let finishReason: string | undefined

  /** Returns whether the agent has a name. */
  function nameAgent(out: Out, agent: RawAgent | undefined): boolean {
    const { name, ...details } = typeof agent === 'string' ? { name: agent } : (agent ?? {})
    if (name === undefined || name === run.stepName) return name !== undefined
    const isFirst = run.stepName === undefined && !run.isStarted
    run.stepName = name
    if (isFirst) out.push({ type: 'run-start', agent: name })
    else out.push(...metadata({ agent: name }))
    if (!isEmpty(details)) out.push(...metadata({ agent_details: details }))
    return true
  }

  /** Pushes translated events of another provider into their response. */
  function pushTranslated(events: readonly Translated[], record: RawRecord): readonly StreamEvent[] {
    const isBegun = run.response.isOpen && announced === undefined
    const start = isBegun ? [] : [{ type: 'response.created', response: announced ?? {} }]
    const responseEvents = [...start, ...events].flatMap((event) => reader.push(event, record))
    announced = undefined
    // A translation that does not fit, such as a call fragment without an id, is read whole at the end.
    return understood(responseEvents.filter(({ type }) => type !== 'raw'))
  }

  const fromModel = dispatch<ModelEvent>({
    response_started({ providerData }) {
      announced = startOf(providerData)
      isRepeated = false
      finishReason = undefined
      return SILENT
    },
    output_text_delta({ delta }, record) {
      if (isRepeated) return SILENT
      return pushTranslated([{ type: 'response.output_text.delta', output_index: TEXT, delta }], record)
    },
    response_done({ response }, record) {
      const end = endOf(response, finishReason)
      finishReason = undefined
      return isRepeated ? SILENT : pushTranslated([end], record)
    },
    model({ event }, record) {
      if (isResponseEvent(event)) {
        isRepeated = true
        announced = undefined
        return reader.push(event, record)
      }
      const events = translate(event)
      if (events === undefined) return unmapped(event)
      finishReason = finishOf(event) ?? finishReason
      return events.length === 0 ? SILENT : pushTranslated(events, record)
    },
  })

  const readRaw = ({ data }: { readonly data: unknown }, record: RawRecord) =>
    isResponseEvent(data) ? reader.push(data, record) : fromModel(data, record)

  const handlers: Handlers<RawEvent> = {
    raw_response_event: readRaw,
    raw_model_stream_event: readRaw,
    run_item_stream_event(event) {
      const { agent, type, toolName } = event.item
      const item = runItemOf(event.item)
      if (item === undefined || (item.type === 'message' && item.role !== 'assistant')) return unmapped(event)
      const out: Out = []
      nameAgent(out, agent)
      const isRead = reader.pushItem(out, item)
      const id = item.call_id ?? item.id
      // A call at which the run stops until it is approved; calls of MCP servers request that themselves.
      if (type === 'tool_approval_item' && typeof id === 'string')
        requestApproval(out, run, id, toolName ? { ...item, name: toolName } : item)
      return isRead ? understood(out) : out
    },
    agent_updated_stream_event({ agent, new_agent }) {
      const out: Out = []
      return nameAgent(out, agent ?? new_agent) ? understood(out) : out
    },
  }

  return {
    push: dispatch(handlers),
    end() {
      const { response, ending, isStarted, pendingApprovals } = run
      const hasBegun = isStarted || response.count > 0
      if (response.isOpen || ending === 'failed' || ending === 'cancelled' || !hasBegun) return []
      const isWaiting = pendingApprovals.size > 0 || response.unanswered.size > 0
      return [{ type: 'run-end', outcome: isWaiting ? 'awaiting-input' : 'success' }]
    },
  }
}
