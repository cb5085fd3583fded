import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { defined, underMillrace } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Blocks } from './blocks.ts'
import type { SegmentSlot } from './drafts.ts'
import { deltaWith, type StandaloneEvent, type Stream } from './stream.ts'

interface Call {
  readonly slot: SegmentSlot
  readonly builtIn: BuiltIn | undefined
  /** The segment as it was last sent. */
  segment: JsonObject
}

type CallRows = Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

const CARRIED = {
  start: new Set(['callId', 'name', 'title', 'server']),
  input: new Set(['callId', 'input']),
  output: new Set(['callId', 'output', 'error']),
  withoutError: new Set(['callId', 'output']),
  callId: new Set(['callId']),
} as const

/** Stands under `millrace` for a missing error, if the wire's error text is not the event's. */
const NO_ERROR_TEXT = ''

/** Calls: a segment when they start, the same segment with their arguments, and another segment for the result. */
export function callRows(stream: Stream, blocks: Blocks): CallRows {
  const { drafts } = stream
  const calls = new Map<string, Call>()

  function start(event: EventOf<'tool-start'>): void {
    const { callId: id, name, title, server, runBy, parentCallId, agentId } = event
    blocks.stopDeltas()
    const builtIn = builtInOf(event)
    const extra = underMillrace({ agentId, parentCallId, runBy: runBy === 'agent' ? undefined : runBy })
    const timed = defined({ server_label: server, display_name: title, started_at: stream.timeOf(event) })
    const slot = drafts.add(drafts.of(event))
    drafts.expect(slot.draft, 1)
    const { index } = slot
    const segment: JsonObject =
      builtIn === undefined
        ? { type: 'tool_call', id, name, args: {}, ...timed, ...extra }
        : { type: builtIn, id, output_index: index, sequence_number: index, status: 'in_progress', ...timed, ...extra }
    drafts.put(slot, segment)
    remember(calls, id, { slot, builtIn, segment })
    const shown = { server_label: server, display_name: title }
    const standalone =
      builtIn === undefined
        ? { type: 'tool_start', fields: { tool_id: id, tool_name: name, ...shown } }
        : { type: `${builtIn}_in_progress`, fields: { item_id: id, ...shown } }
    stream.emitEither(event, CARRIED.start, slot, segment, standalone)
  }

  function update(call: Call, fields: JsonObject): void {
    call.segment = { ...call.segment, ...fields }
    drafts.put(call.slot, call.segment)
  }

  function input(event: EventOf<'tool-input'>): void {
    const { callId, input: args = {} } = event
    const call = calls.get(callId)
    if (call === undefined) return
    const code = call.builtIn === 'code_interpreter_call' ? codeOf(args) : undefined
    update(call, code === undefined ? { args } : { code })
    const standalone =
      code === undefined
        ? { type: 'tool_finalized', fields: { tool_id: callId, args } }
        : { type: 'code_interpreter_call_code_done', fields: { item_id: callId, code } }
    // With an error, the arguments do not express the whole event: there may be none.
    stream.emitEither(
      event,
      event.error === undefined ? CARRIED.input : CARRIED.callId,
      call.slot,
      call.segment,
      standalone,
    )
  }

  function addProgress(event: EventOf<'tool-progress'>): void {
    const call = calls.get(event.callId)
    const status = isJsonObject(event.data) ? event.data.status : undefined
    const isNews = call?.builtIn !== undefined && isStatusOf(call.builtIn, status) && status !== call.segment.status
    if (isNews) {
      update(call, { status })
      stream.emitEither(event, CARRIED.callId, call.slot, call.segment, statusEvent(call.segment))
    } else stream.emitMillrace(event)
  }

  function output(event: EventOf<'tool-output'>): void {
    const { callId, output, status, agentId } = event
    const call = calls.get(callId)
    calls.delete(callId)
    if (call !== undefined) drafts.expect(call.slot.draft, -1)
    const failure = failureOf(event)
    const hasResult = call?.builtIn === undefined || output !== null || event.error !== undefined
    if (hasResult) {
      blocks.stopDeltas()
      const result = defined({ output, error: failure })
      const extra = underMillrace({ agentId, status: status === 'ok' || status === 'error' ? undefined : status })
      const segment = { type: 'tool_result', id: callId, ...result, ...ended(event), ...extra }
      const slot = drafts.add(call?.slot.draft ?? drafts.of(event))
      drafts.put(slot, segment)
      const standalone = { type: 'tool_result', fields: { tool_id: callId, ...result } }
      if (failure === event.error) stream.emitEither(event, CARRIED.output, slot, segment, standalone)
      else stream.emitEither({ ...event, error: NO_ERROR_TEXT }, CARRIED.withoutError, slot, segment, standalone)
    }
    if (call?.builtIn === undefined) return
    update(call, { status: status === 'ok' ? 'completed' : 'failed', ...ended(event) })
    // The end was already sent: this is for clients that read only the status.
    if (hasResult) stream.repeatEither(call.slot, call.segment, statusEvent(call.segment))
    else stream.emitEither(event, CARRIED.callId, call.slot, call.segment, statusEvent(call.segment))
  }

  function ended(event: EventOf<'tool-output'>): JsonObject {
    return defined({ completed_at: stream.timeOf(event) })
  }

  return {
    'tool-start': start,
    'tool-input-delta'({ callId, text, sentAt, meta }) {
      stream.emit(deltaWith({ type: 'tool_arguments_delta', tool_id: callId, delta: text }, sentAt, meta))
    },
    'tool-input': input,
    'tool-progress': addProgress,
    'tool-output': output,
  }
}

/** The code of an interpreter; undefined if the input contains anything else. */
function codeOf(input: Json): string | undefined {
  if (!isJsonObject(input) || Object.keys(input).length !== 1) return undefined
  return typeof input.code === 'string' ? input.code : undefined
}

/** The error of a result. Clients recognise a failure by it, so a failure without one uses its output or a default. */
function failureOf({ status, output, error }: EventOf<'tool-output'>): string | undefined {
  if (status === 'ok' || error !== undefined) return error
  return typeof output === 'string' && output !== '' ? output : DEFAULT_ERRORS[status]
}

const DEFAULT_ERRORS = { error: 'failed', denied: 'denied', cancelled: 'cancelled' } as const

/** Tools that providers run and that the protocol has segments for. */
type BuiltIn = 'web_search_call' | 'code_interpreter_call'

/** The status of a running tool. */
const BUSY: { readonly [Tool in BuiltIn]: string } = {
  web_search_call: 'searching',
  code_interpreter_call: 'interpreting',
}

const NAMES: { readonly [name: string]: BuiltIn } = {
  web_search: 'web_search_call',
  code_interpreter: 'code_interpreter_call',
}

function builtInOf({ name, runBy }: EventOf<'tool-start'>): BuiltIn | undefined {
  return runBy === 'provider' && Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
}

function isStatusOf(builtIn: BuiltIn, status: Json | undefined): status is string {
  return status === BUSY[builtIn]
}

/** The standalone event of a tool's new status. */
function statusEvent({ type, status, id }: JsonObject): StandaloneEvent {
  return { type: `${type}_${status}`, fields: { item_id: id } }
}
