import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { runItemOf } from './openai-agents/items.ts'
import { endOf, finishOf, startOf, TEXT, type Translated, translate } from './openai-agents/model-events.ts'
import type { ModelEvent, RawAgent, RawEvent, RunItem } from './openai-agents/raw.ts'
import { requestApproval } from './openai-responses/calls.ts'
import type { RawItem, RawResponse } from './openai-responses/raw.ts'
import { createResponseReader } from './openai-responses/reader.ts'
import { isResponseEvent } from './openai-responses/recognize.ts'
import type { Run } from './openai-responses/state.ts'
import {
  dispatch,
  type Handlers,
  joined,
  type Parser,
  type ParserState,
  type Recognition,
  SILENT,
  understood,
  unmapped,
} from './parser.ts'

/**
 * A run of the OpenAI Agents SDK, in either language. What a model sends is read as responses; items of the run that
 * repeat it add no events.
 */
export const openaiAgents: Parser = {
  version: 3,
  losses: {
    'other-roles': 'The stream begins after the user message.',
    retract: 'A message that has begun is never retracted.',
    subagents: 'An agent that is used as a tool shows only its call and its output; a handoff is a step.',
    'subagent-content': 'An agent that is used as a tool shows only its call and its output.',
    state: 'There is no shared state.',
    control: 'What the user requests is the input of the next run.',
  },
  recognize,
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

  function nameAgent(agent: RawAgent | undefined): readonly StreamEvent[] {
    const { name, ...details } = typeof agent === 'string' ? { name: agent } : (agent ?? {})
    if (name === undefined) return []
    if (name === run.stepName) return SILENT
    const isFirst = run.stepName === undefined && !run.isStarted
    run.stepName = name
    const nameEvents: StreamEvent[] = isFirst ? [{ type: 'run-start', agent: name }] : [metadata({ agent: name })]
    return Object.keys(details).length === 0 ? nameEvents : [...nameEvents, metadata({ agent_details: details })]
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
      const { item } = event
      const rawItem = runItemOf(item)
      if (rawItem === undefined || (rawItem.type === 'message' && rawItem.role !== 'assistant')) return unmapped(event)
      return joined([understood(nameAgent(item.agent)), reader.pushItem(rawItem), approvalOf(item, rawItem)])
    },
    agent_updated_stream_event: ({ agent, new_agent }) => nameAgent(agent ?? new_agent),
  }

  /** A call at which the run stops until it is approved; calls of MCP servers request that themselves. */
  function approvalOf({ type, toolName }: RunItem, rawItem: RawItem): readonly StreamEvent[] {
    const id = rawItem.call_id ?? rawItem.id
    if (type !== 'tool_approval_item' || typeof id !== 'string') return SILENT
    return understood(requestApproval(run, id, toolName ? { ...rawItem, name: toolName } : rawItem))
  }

  return {
    push: dispatch(handlers),
    end() {
      if (run.response.isOpen || run.ending === 'failed' || run.ending === 'cancelled') return []
      const isWaiting = run.pendingApprovals.size > 0 || run.response.unanswered.size > 0
      return hasBegun(run) ? [{ type: 'run-end', outcome: isWaiting ? 'awaiting-input' : 'success' }] : []
    },
  }
}

function metadata(fields: JsonObject): StreamEvent {
  return { type: 'metadata', metadata: fields }
}

/** Whether the run has started or has any response. */
function hasBegun({ response, isStarted }: Run): boolean {
  return isStarted || response.count > 0
}

/** The fields of which each event of a run has one besides its type. */
const FIELDS: { readonly [type: string]: readonly string[] } = {
  raw_response_event: ['data'],
  raw_model_stream_event: ['data'],
  run_item_stream_event: ['item'],
  agent_updated_stream_event: ['agent', 'new_agent'],
}

function recognize({ value }: RawRecord): Recognition | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { type } = value as { readonly type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return undefined
  const has = FIELDS[type]?.some((field) => Object.hasOwn(value, field))
  return has ? { certainty: 1, reason: `a record is a ${type}` } : undefined
}
