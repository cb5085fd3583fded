import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import { addText, settleText } from './message.ts'
import type { BuiltInSegment, Fields } from './raw.ts'
import { STORED } from './raw.ts'
import { addPart, settleItem, settlePart } from './reasoning.ts'
import type { Session } from './session.ts'

export type Handler = (fields: Fields) => readonly StreamEvent[]

/** One function per type of record. */
export function handlersOf(session: Session): ReadonlyMap<string, Handler> {
  const mcp = (handlers: { readonly [type: string]: Handler }) =>
    Object.fromEntries(Object.entries(handlers).map(([type, handle]) => [`mcp_${type}`, handle]))
  const tools = toolHandlers(session)
  return new Map(
    Object.entries({
      ...eventHandlers(session),
      ...tools,
      ...mcp(tools),
      ...reasoningHandlers(session),
      ...builtInHandlers(session),
      ...noticeHandlers(session),
    }),
  )
}

type Handlers = { readonly [type: string]: Handler }

function eventHandlers({ begin, finish, segment, currentMessage }: Session): Handlers {
  const start: Handler = ({ event, metadata }) =>
    event ? begin(event, metadata?.timestamp ?? event.ts ?? undefined) : []
  const end: Handler = ({ event, metadata }) =>
    event ? finish(event, metadata?.timestamp ?? event.ts ?? undefined) : []
  const text: Handler = ({ content, sequence_number: sequence }) =>
    typeof content === 'string' ? understood(addText(currentMessage(), 'event', content, sequence)) : []
  return {
    event: start,
    event_start: start,
    event_complete: end,
    message_final: end,
    [STORED]: end,
    segment: ({ segment: raw }) => (raw ? segment(raw) : []),
    token: text,
    text_token: text,
    text_start: text,
    text_done: ({ content }) => (typeof content === 'string' ? understood(settleText(currentMessage(), content)) : []),
    complete: () => SILENT,
    done: () => SILENT,
  }
}

/** A display hint is transient and not part of the Event, because the other form has none. */
function hint(id: string, content: string | null | undefined): StreamEvent[] {
  return content ? [{ type: 'data', name: 'hint', id, data: { content }, transient: true }] : []
}

function toolHandlers({ calls, addCallEvents, isOpen }: Session): Handlers {
  const complete: Handler = (fields) => {
    const { tool_id: id, output, error, content } = fields
    if (typeof id !== 'string') throw new TypeError('The result has no call id.')
    const failure = typeof error === 'string' ? error : error ? JSON.stringify(error) : null
    const events = addCallEvents(calls.output({ type: 'tool_result', id, error: failure, ...present({ output }) }))
    if (!content) return understood(events)
    // Between two Events no message can show it.
    return [...events, ...(isOpen() ? hint(id, content) : unmapped(fields))]
  }
  return {
    tool_start({ tool_id: id, tool_name: name, server_label: server, display_name: title, content }) {
      if (typeof id !== 'string') throw new TypeError('The call has no id.')
      const events = addCallEvents(calls.start({ id, name, server, title }))
      return events.length === 0 ? SILENT : [...events, ...hint(id, content)]
    },
    tool_arguments_delta({ tool_id: id, delta, arguments: text }) {
      const argumentText = textOf(delta) || text
      return understoodIf(argumentText, addCallEvents(calls.inputDelta(id ?? '', argumentText ?? '')))
    },
    tool_finalized: ({ tool_id: id, args, arguments: text }) =>
      understood(addCallEvents(calls.input(id ?? '', args ?? text ?? undefined))),
    tool_result: complete,
    tool_complete: complete,
  }
}

const textOf = (delta: Fields['delta']) => (typeof delta === 'string' ? delta : delta?.text)

/** The events of a record that is understood if it holds this text, even an empty one. */
function understoodIf(text: string | null | undefined, events: readonly StreamEvent[]): readonly StreamEvent[] {
  return typeof text === 'string' ? understood(events) : events
}

function reasoningHandlers({ currentMessage }: Session): Handlers {
  const partHandler = (text: string | null | undefined, isComplete: boolean): Handler => {
    return ({ item_id, summary_index, sequence_number }) => {
      const message = currentMessage()
      const part = { summary_index: summary_index ?? 0, text: text ?? '', ...present({ sequence_number }) }
      const itemId = item_id ?? `${message.id}:reasoning`
      const events = isComplete
        ? settlePart(message, itemId, part.summary_index, part.text)
        : addPart(message, itemId, 'event', part)
      return understoodIf(text, events)
    }
  }
  const delta: Handler = (fields) => partHandler(textOf(fields.delta), false)(fields)
  const done: Handler = (fields) => partHandler(fields.part?.text ?? fields.text, true)(fields)
  const whole: Handler = ({ item_id, parts, combined_text: combined, summary }) => {
    const message = currentMessage()
    const wholeText = combined ?? (typeof summary === 'string' ? summary : undefined)
    const events = settleItem(message, item_id ?? `${message.id}:reasoning`, parts ?? [], wholeText ?? '')
    return Array.isArray(parts) ? understood(events) : understoodIf(wholeText, events)
  }
  return {
    reasoning_start: () => SILENT,
    reasoning_summary_part_added: (fields) => partHandler(fields.part?.text, false)(fields),
    reasoning_summary_text_delta: delta,
    reasoning_summary_delta: delta,
    reasoning_summary_text_done: done,
    /** For a part whose text was streamed, some servers send only that it is done. */
    reasoning_summary_part_done: (fields) => understood(done(fields)),
    reasoning_summary_done: whole,
    reasoning_complete: whole,
  }
}

const BUILT_IN = {
  web_search_call: ['in_progress', 'searching', 'completed', 'failed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed', 'failed'],
} as const

function builtInHandlers({ calls, addCallEvents }: Session): Handlers {
  const handlers: { [type: string]: Handler } = {}
  const segmentOf = (type: BuiltInSegment['type'], { item_id: id }: Fields): BuiltInSegment => {
    if (typeof id !== 'string') throw new TypeError('The call has no id.')
    return { type, id }
  }
  for (const type of ['web_search_call', 'code_interpreter_call'] as const) {
    for (const status of BUILT_IN[type]) {
      handlers[`${type}_${status}`] = (fields) =>
        understood(addCallEvents(calls.builtIn({ ...segmentOf(type, fields), status })))
    }
  }
  const type = 'code_interpreter_call'
  handlers[`${type}_code_delta`] = (fields) => {
    const text = textOf(fields.delta)
    return understoodIf(text, addCallEvents(calls.codeDelta(segmentOf(type, fields), text ?? '')))
  }
  handlers[`${type}_code_done`] = (fields) =>
    understoodIf(
      fields.code,
      addCallEvents(calls.builtIn({ ...segmentOf(type, fields), ...present({ code: fields.code }) })),
    )
  return handlers
}

function noticeHandlers({ ask, calls }: Session): Handlers {
  let lastError: string | undefined

  /** An error that another follows is not the end of the run. */
  function earlierError(message: string): StreamEvent[] {
    const earlier = lastError
    lastError = message
    return earlier === undefined || earlier === message ? [] : [{ type: 'status', message: earlier, level: 'error' }]
  }

  return {
    progress_update({ activity, server_label: server }) {
      if (!activity) return []
      return [{ type: 'status', message: server ? `${activity}: ${server}` : activity, level: 'info' }]
    },
    progress_hide: () => SILENT,
    mcp_list_tools: ({ tools, server_label }) => [
      { type: 'data', name: 'mcp_list_tools', data: present({ server_label, tools }) as Json },
    ],
    mcp_approval_request({ approval_request_id, item_id, tool_id, tool_name: name, server_label, arguments: args }) {
      const approvalId = approval_request_id ?? item_id ?? tool_id
      if (typeof approvalId !== 'string') throw new TypeError('The approval request has no id.')
      const callId = tool_id && calls.has(tool_id) ? { callId: tool_id } : {}
      const request = present({ name, server_label, arguments: args }) as Json
      return ask({ type: 'approval', approvalId, state: 'requested', request, ...callId })
    },
    error({ error, message }) {
      const { message: errorMessage, code } = (
        typeof error === 'object' && error !== null ? error : { message: error }
      ) as Failure
      const text = String(errorMessage || message || 'An error occurred')
      return [
        ...earlierError(text),
        { type: 'run-end', outcome: 'error', error: { message: text, ...present({ code }) } },
      ]
    },
  }
}

interface Failure {
  readonly message?: string | null
  readonly code?: string | null
}
