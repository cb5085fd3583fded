import { present } from '../../data/present.ts'
import type { Json } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { addText, settleText } from './message.ts'
import type { BuiltInSegment, Fields } from './raw.ts'
import { STORED } from './raw.ts'
import { addPart, settleItem, settlePart } from './reasoning.ts'
import type { Session } from './session.ts'

/** Adds the events of a record. Returns false if the record is not understood, unless it has events. */
export type Handler = (out: Out, fields: Fields) => unknown

type Handlers = { readonly [type: string]: Handler }

/** One function per type of record. */
export function handlersOf(session: Session): ReadonlyMap<string, Handler> {
  const tools = Object.entries(toolHandlers(session))
  return new Map([
    ...Object.entries(eventHandlers(session)),
    ...tools,
    ...tools.map(([type, handle]) => [`mcp_${type}`, handle] as const),
    ...Object.entries(reasoningHandlers(session)),
    ...Object.entries(builtInHandlers(session)),
    ...Object.entries(noticeHandlers(session)),
  ])
}

const silent: Handler = () => true

function eventHandlers({ begin, finish, segment, currentMessage }: Session): Handlers {
  const start: Handler = (out, { event, metadata }) =>
    event ? begin(out, event, metadata?.timestamp ?? event.ts ?? undefined) : false
  const end: Handler = (out, { event, metadata }) =>
    event ? finish(out, event, metadata?.timestamp ?? event.ts ?? undefined) : false
  const text: Handler = (out, { content, sequence_number: sequence }) =>
    typeof content === 'string' && addText(out, currentMessage(), 'event', content, sequence)
  return {
    event: start,
    event_start: start,
    event_complete: end,
    message_final: end,
    [STORED]: end,
    segment: (out, { segment: raw }) => (raw ? segment(out, raw) : false),
    token: text,
    text_token: text,
    text_start: text,
    text_done: (out, { content }) => typeof content === 'string' && settleText(out, currentMessage(), content),
    complete: silent,
    done: silent,
  }
}

/** A display hint is transient and not part of the Event, because the other form has none. */
function pushHint(out: Out, id: string, content: string | null | undefined): void {
  if (content) out.push({ type: 'data', name: 'hint', id, data: { content }, transient: true })
}

function toolHandlers({ calls, pushCall, isOpen }: Session): Handlers {
  const complete: Handler = (out, fields) => {
    const { tool_id: id, output, error, content } = fields
    if (typeof id !== 'string') throw new TypeError('The result has no call id.')
    const failure = typeof error === 'string' ? error : error ? JSON.stringify(error) : null
    pushCall(out, (own) => calls.output(own, { id, error: failure, ...present({ output }) }))
    // Between two Events no message can show it.
    if (isOpen()) pushHint(out, id, content)
    else if (content) out.push(...unmapped(fields))
  }
  return {
    tool_start(out, { tool_id: id, tool_name: name, server_label: server, display_name: title, content }) {
      if (typeof id !== 'string') throw new TypeError('The call has no id.')
      pushCall(out, (own) => calls.start(own, { id, name, server, title }))
      if (out.length > 0) pushHint(out, id, content)
    },
    tool_arguments_delta(out, { tool_id: id, delta, arguments: text }) {
      const argumentText = textOf(delta) || text
      pushCall(out, (own) => calls.inputDelta(own, id ?? '', argumentText ?? ''))
      return typeof argumentText === 'string'
    },
    tool_finalized: (out, { tool_id: id, args, arguments: text }) =>
      pushCall(out, (own) => calls.input(own, id ?? '', args ?? text ?? undefined)),
    tool_result: complete,
    tool_complete: complete,
  }
}

const textOf = (delta: Fields['delta']) => (typeof delta === 'string' ? delta : delta?.text)

function reasoningHandlers({ currentMessage }: Session): Handlers {
  const itemIdOf = ({ item_id }: Fields) => item_id ?? `${currentMessage().id}:reasoning`
  const deltaHandler =
    (textIn: (fields: Fields) => string | null | undefined): Handler =>
    (out, fields) => {
      const text = textIn(fields)
      const part = { summary_index: fields.summary_index ?? 0, text: text ?? '' }
      const numberedPart = { ...part, ...present({ sequence_number: fields.sequence_number }) }
      addPart(out, currentMessage(), itemIdOf(fields), 'event', numberedPart)
      return typeof text === 'string'
    }
  const delta = deltaHandler((fields) => textOf(fields.delta))
  const done: Handler = (out, fields) => {
    const text = fields.part?.text ?? fields.text
    settlePart(out, currentMessage(), itemIdOf(fields), fields.summary_index ?? 0, text ?? '')
    return typeof text === 'string'
  }
  const whole: Handler = (out, fields) => {
    const { parts, combined_text: combined, summary } = fields
    const wholeText = combined ?? (typeof summary === 'string' ? summary : undefined)
    settleItem(out, currentMessage(), itemIdOf(fields), parts ?? [], wholeText ?? '')
    return Array.isArray(parts) || typeof wholeText === 'string'
  }
  return {
    reasoning_start: silent,
    reasoning_summary_part_added: deltaHandler(({ part }) => part?.text),
    reasoning_summary_text_delta: delta,
    reasoning_summary_delta: delta,
    reasoning_summary_text_done: done,
    /** For a part whose text was streamed, some servers send only that it is done. */
    reasoning_summary_part_done: (out, fields) => void done(out, fields),
    reasoning_summary_done: whole,
    reasoning_complete: whole,
  }
}

const BUILT_IN = {
  web_search_call: ['in_progress', 'searching', 'completed', 'failed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed', 'failed'],
} as const

function builtInHandlers({ calls, pushCall }: Session): Handlers {
  const handlers: { [type: string]: Handler } = {}
  const segmentOf = (type: BuiltInSegment['type'], { item_id: id }: Fields): BuiltInSegment => {
    if (typeof id !== 'string') throw new TypeError('The call has no id.')
    return { type, id }
  }
  for (const type of ['web_search_call', 'code_interpreter_call'] as const) {
    for (const status of BUILT_IN[type]) {
      handlers[`${type}_${status}`] = (out, fields) =>
        pushCall(out, (own) => calls.builtIn(own, { ...segmentOf(type, fields), status }))
    }
  }
  const type = 'code_interpreter_call'
  handlers[`${type}_code_delta`] = (out, fields) => {
    const text = textOf(fields.delta)
    pushCall(out, (own) => calls.codeDelta(own, segmentOf(type, fields), text ?? ''))
    return typeof text === 'string'
  }
  handlers[`${type}_code_done`] = (out, fields) => {
    const { code } = fields
    pushCall(out, (own) => calls.builtIn(own, { ...segmentOf(type, fields), ...present({ code }) }))
    return typeof code === 'string'
  }
  return handlers
}

function noticeHandlers({ ask, calls }: Session): Handlers {
  let lastError: string | undefined

  return {
    progress_update(out, { activity, server_label: server }) {
      if (!activity) return false
      return out.push({ type: 'status', message: server ? `${activity}: ${server}` : activity, level: 'info' })
    },
    progress_hide: silent,
    mcp_list_tools: (out, { tools, server_label }) =>
      out.push({ type: 'data', name: 'mcp_list_tools', data: present({ server_label, tools }) as Json }),
    mcp_approval_request(out, fields) {
      const { approval_request_id, item_id, tool_id, tool_name: name, server_label, arguments: args } = fields
      const approvalId = approval_request_id ?? item_id ?? tool_id
      if (typeof approvalId !== 'string') throw new TypeError('The approval request has no id.')
      const callId = tool_id && calls.has(tool_id) ? { callId: tool_id } : {}
      const request = present({ name, server_label, arguments: args }) as Json
      ask(out, { type: 'approval', approvalId, state: 'requested', request, ...callId })
    },
    error(out, { error, message }) {
      const failure = typeof error === 'object' && error !== null ? error : { message: error }
      const { message: errorMessage, code } = failure as { readonly message?: string | null; readonly code?: string }
      const text = String(errorMessage || message || 'An error occurred')
      // An error that another follows is not the end of the run.
      if (lastError !== undefined && lastError !== text)
        out.push({ type: 'status', message: lastError, level: 'error' })
      lastError = text
      out.push({ type: 'run-end', outcome: 'error', error: { message: text, ...present({ code }) } })
    },
  }
}
