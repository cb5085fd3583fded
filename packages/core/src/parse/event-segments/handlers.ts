import { present } from '../../data/present.ts'
import type { Json } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { idOf } from './calls.ts'
import { addText, settleText } from './message.ts'
import { type Fields, required, textOf } from './raw.ts'
import { addPart, itemIdOf, settleItem, settlePart } from './reasoning.ts'
import type { Session } from './session.ts'
import { STORED } from './stored.ts'

/** Adds the events of a record. Throws if the record is not understood. */
export type Handler = (out: Out, fields: Fields) => void

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

const silent: Handler = () => {}

function eventHandlers({ begin, finish, segment, currentMessage, endOpen }: Session): Handlers {
  const timeOf = ({ event, metadata }: Fields) => metadata?.timestamp ?? event?.ts ?? undefined
  const start: Handler = (out, fields) => begin(out, required(fields.event), timeOf(fields))
  const end: Handler = (out, fields) => finish(out, required(fields.event), timeOf(fields))
  const text: Handler = (out, { content, sequence_number: sequence }) =>
    addText(out, currentMessage(), 'event', textOf(content), sequence)
  return {
    event: start,
    event_start: start,
    event_complete: end,
    message_final: end,
    [STORED]: end,
    segment: (out, { segment: raw }) => segment(out, required(raw)),
    token: text,
    text_token: text,
    text_start: text,
    text_done: (out, { content }) => settleText(out, currentMessage(), textOf(content)),
    complete: endOpen,
    done: endOpen,
  }
}

/** A display hint is transient and not part of the Event, because the other form has none. */
function pushHint(out: Out, fields: Fields): void {
  const { content } = fields
  if (content) out.push({ type: 'data', name: 'hint', id: idOf(fields), data: { content }, transient: true })
}

function toolHandlers({ calls, isOpen }: Session): Handlers {
  const complete: Handler = (out, fields) => {
    calls.output(out, fields)
    // Between two Events no message can show it.
    if (isOpen()) pushHint(out, fields)
    else if (fields.content) out.push(...unmapped(fields))
  }
  return {
    tool_start(out, fields) {
      calls.start(out, fields)
      if (out.length > 0) pushHint(out, fields)
    },
    tool_arguments_delta: (out, fields) => calls.inputDelta(out, fields, textOf(fields.delta ?? fields.arguments)),
    tool_finalized: (out, fields) => calls.input(out, fields, fields.args ?? fields.arguments ?? undefined),
    tool_result: complete,
    tool_complete: complete,
  }
}

function reasoningHandlers({ currentMessage }: Session): Handlers {
  const addDelta = (out: Out, fields: Fields, text: string) => {
    const { summary_index = null, sequence_number = null } = fields
    const message = currentMessage()
    addPart(out, message, itemIdOf(message, fields), 'event', { text, summary_index, sequence_number })
  }
  const delta: Handler = (out, fields) => addDelta(out, fields, textOf(fields.delta))
  const settle = (out: Out, fields: Fields, text: string) =>
    settlePart(out, currentMessage(), itemIdOf(currentMessage(), fields), { ...fields, text })
  const whole: Handler = (out, fields) => {
    required(fields.parts ?? fields.combined_text ?? textIn(fields.summary))
    settleItem(out, currentMessage(), fields)
  }
  return {
    reasoning_start: silent,
    reasoning_summary_part_added: (out, fields) => addDelta(out, fields, textOf(fields.part?.text)),
    reasoning_summary_text_delta: delta,
    reasoning_summary_delta: delta,
    reasoning_summary_text_done: (out, fields) => settle(out, fields, textOf(fields.text)),
    /** For a part whose text was streamed, some servers send only that it is done. */
    reasoning_summary_part_done: (out, fields) => settle(out, fields, fields.part?.text ?? fields.text ?? ''),
    reasoning_summary_done: whole,
    reasoning_complete: whole,
  }
}

const BUILT_IN = {
  web_search_call: ['in_progress', 'searching', 'completed', 'failed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed', 'failed'],
}

function builtInHandlers({ calls }: Session): Handlers {
  const handlers: { [type: string]: Handler } = {
    code_interpreter_call_code_delta: (out, fields) => calls.codeDelta(out, fields, textOf(fields.delta)),
    code_interpreter_call_code_done: (out, fields) => calls.builtIn(out, { ...fields, code: textOf(fields.code) }),
  }
  for (const [type, statuses] of Object.entries(BUILT_IN))
    for (const status of statuses)
      handlers[`${type}_${status}`] = (out, fields) => calls.builtIn(out, { ...fields, type, status })
  return handlers
}

function noticeHandlers({ calls }: Session): Handlers {
  let lastError: string | undefined

  return {
    progress_update(out, { activity, server_label: server }) {
      const message = required(activity || undefined)
      out.push({ type: 'status', message: server ? `${message}: ${server}` : message, level: 'info' })
    },
    progress_hide: silent,
    mcp_list_tools: (out, { tools, server_label }) =>
      out.push({ type: 'data', name: 'mcp_list_tools', data: present({ server_label, tools }) as Json }),
    mcp_approval_request: calls.ask,
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
