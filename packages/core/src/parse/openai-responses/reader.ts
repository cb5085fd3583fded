import type { StreamEvent } from '../../events.ts'
import { dispatch, type Handlers, type ParserState, SILENT, understood, unmapped } from '../parser.ts'
import { callRows } from './call-rows.ts'
import { closeItem, openItem, repeatItem, wholeItem } from './items.ts'
import { beginResponse, continueResponse, failRun, finishResponse, isRepeated } from './lifecycle.ts'
import { proseRows } from './prose-rows.ts'
import type { RawEvent, RawItem, RawResponse } from './raw.ts'
import { addSlot, createRun, ensureOpen, findSlot, MAX_HELD, type Run, type Slot } from './state.ts'

/** Reads responses from the API itself, or from an agent's loop around it. */
interface ResponseReader extends ParserState {
  readonly run: Run
  /** Reads an item that arrives outside the stream of its response, which may already have contained it. */
  pushItem(item: RawItem): readonly StreamEvent[]
}

export function createResponseReader(caller: Run['caller']): ResponseReader {
  const run = createRun(caller)
  const handlers = handlersOf(run)
  const readEvent = dispatch(handlers)
  let repeatedSlots = new Set<Slot>()
  let repeatedResponse = run.response

  return {
    run,
    push(value, record) {
      const { type } = value as RawEvent
      if (type !== undefined && type in handlers) return readEvent(value, record)
      const whole = wholeResponse(value)
      if (whole !== undefined) return readWholeResponse(run, whole)
      return isStatusOnly(value) ? SILENT : unmapped(value)
    },
    pushItem(item) {
      if (repeatedResponse !== run.response || repeatedSlots.size >= MAX_HELD) repeatedSlots = new Set()
      repeatedResponse = run.response
      return repeatItem(run, item, undefined, repeatedSlots)
    },
    end() {
      const { response, reason, ending } = run
      if (response.isOpen || ending !== 'stopped') return []
      const isAwaiting = reason === 'completed' && (response.unanswered.size > 0 || run.pendingApprovals.size > 0)
      const outcome = isAwaiting ? 'awaiting-input' : 'success'
      return [{ type: 'run-end', outcome, ...(reason !== undefined && { reason }) }]
    },
  }
}

function handlersOf(run: Run): Handlers<RawEvent> {
  const nothing = () => SILENT
  const completed = ({ response }: { readonly response: RawResponse }) => finishResponse(run, response, 'completed')
  return {
    ...proseRows(run),
    ...callRows(run),
    'response.created': ({ response }) =>
      isRepeated(run, response) ? understood(continueResponse(run, response)) : beginResponse(run, response),
    'response.queued': ({ response }) => [
      ...continueResponse(run, response),
      { type: 'status', message: 'The response is queued', level: 'info' },
    ],
    'response.in_progress': ({ response }) => understood(continueResponse(run, response)),
    'response.completed': completed,
    'response.done': completed,
    'response.incomplete': ({ response }) =>
      finishResponse(run, response, response.incomplete_details?.reason ?? 'incomplete'),
    'response.failed': ({ response }) => [...finishResponse(run, response, 'failed'), ...failRun(run, response.error)],
    'response.cancelled'({ response }) {
      const events = finishResponse(run, response, 'cancelled')
      run.ending = 'cancelled'
      return [...events, { type: 'run-end', outcome: 'cancelled' }]
    },
    error: ({ error, ...flat }) => failRun(run, error ?? flat),
    'response.output_item.added'({ item, output_index }) {
      const before = findSlot(run.response, { item_id: item.id ?? null, output_index: output_index ?? null })
      if (before?.isDone === false && before.type === item.type && before.id === item.id) return SILENT
      ensureOpen(run)
      return openItem(run, addSlot(run.response, item, output_index), item)
    },
    'response.output_item.done'(raw) {
      const { item, output_index } = raw
      const before = findSlot(run.response, { item_id: item.id ?? null, output_index: output_index ?? null })
      ensureOpen(run)
      const isSameItem = before?.type === item.type && (!before.isDone || before.id === item.id)
      if (before === undefined || !isSameItem) return wholeItem(run, item, output_index, raw).events
      return before.isDone ? SILENT : closeItem(run, before, item, raw)
    },
    'response.compaction.compacting': () => [{ type: 'status', message: 'Compacting the conversation', level: 'info' }],
    /** Audio arrives in fragments that no event may hold: they stay in their records. */
    'response.audio.delta': nothing,
    'response.audio.done': nothing,
    'response.audio.transcript.done': nothing,
    'response.shell_call_output_content.done': nothing,
    keepalive: nothing,
    ping: nothing,
  }
}

/** A response that was not streamed. */
function wholeResponse(value: unknown): RawResponse | undefined {
  const { type, object } = value as { readonly type?: unknown; readonly object?: unknown }
  return type === undefined && object === 'response' ? (value as RawResponse) : undefined
}

/** A response in the background is asked for again and again until it ends. */
function readWholeResponse(run: Run, response: RawResponse): readonly StreamEvent[] {
  const { status, error, incomplete_details } = response
  const start = isRepeated(run, response) ? continueResponse(run, response) : beginResponse(run, response)
  if (status === 'queued' || status === 'in_progress') return understood(start)
  const events = [...start, ...finishResponse(run, response, incomplete_details?.reason ?? status ?? 'completed')]
  if (status === 'failed') return [...events, ...failRun(run, error)]
  if (status !== 'cancelled') return events
  run.ending = 'cancelled'
  return [...events, { type: 'run-end', outcome: 'cancelled' }]
}

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['type', 'item_id', 'output_index', 'sequence_number'])

/** Whether an event only reports the status of an item, as `response.web_search_call.searching` does. */
function isStatusOnly(value: unknown): boolean {
  const { type, output_index, item_id } = value as { readonly [field: string]: unknown }
  if (typeof type !== 'string' || !type.startsWith('response.')) return false
  if (output_index === undefined && item_id === undefined) return false
  for (const field in value as object) if (!REFERENCE_FIELDS.has(field)) return false
  return true
}
