import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Blocks } from './blocks.ts'
import { type BuiltIn, builtInOf, isStatusOf, plainStatus } from './built-in.ts'
import type { Place } from './drafts.ts'
import { besides, pieceWith, type Stream } from './stream.ts'

interface Call {
  readonly place: Place
  readonly builtIn: BuiltIn | undefined
  /** The segment as it was said last. */
  segment: JsonObject
}

type CallRows = Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

const TOLD = {
  start: new Set(['callId', 'name', 'title', 'server']),
  input: new Set(['callId', 'input']),
  output: new Set(['callId', 'output', 'error']),
  unsaid: new Set(['callId', 'output']),
  callId: new Set(['callId']),
} as const

/** Takes the place of an error that has words on the wire which nobody has said. */
const NOT_SAID = ''

/** Calls: a segment when they start, again with their arguments, and another one for the result. */
export function callRows(stream: Stream, blocks: Blocks): CallRows {
  const { drafts } = stream
  const calls = new Map<string, Call>()

  function start(event: EventOf<'tool-start'>): void {
    const { callId: id, name, title, server, runBy, parentCallId, agentId } = event
    blocks.leave()
    const builtIn = builtInOf(event)
    const own = besides({ agentId, parentCallId, runBy: runBy === 'agent' ? undefined : runBy })
    const timed = defined({ server_label: server, display_name: title, started_at: stream.timeOf(event) })
    const place = drafts.add(drafts.of(event))
    const { index } = place
    const segment: JsonObject =
      builtIn === undefined
        ? { type: 'tool_call', id, name, args: {}, ...timed, ...own }
        : { type: builtIn, id, output_index: index, sequence_number: index, status: 'in_progress', ...timed, ...own }
    drafts.put(place, segment)
    remember(calls, id, { place, builtIn, segment })
    const shown = { server_label: server, display_name: title }
    const plain =
      builtIn === undefined
        ? { type: 'tool_start', fields: { tool_id: id, tool_name: name, ...shown } }
        : { type: `${builtIn}_in_progress`, fields: { item_id: id, ...shown } }
    stream.sayEither(event, TOLD.start, place, segment, plain)
  }

  function change(call: Call, fields: JsonObject): void {
    call.segment = { ...call.segment, ...fields }
    drafts.put(call.place, call.segment)
  }

  function input(event: EventOf<'tool-input'>): void {
    const { callId, input: args = {} } = event
    const call = calls.get(callId)
    if (call === undefined) return
    const code = call.builtIn === 'code_interpreter_call' ? codeOf(args) : undefined
    change(call, code === undefined ? { args } : { code })
    const plain =
      code === undefined
        ? { type: 'tool_finalized', fields: { tool_id: callId, args } }
        : { type: 'code_interpreter_call_code_done', fields: { item_id: callId, code } }
    // With an error the arguments are not all that there is to say: they may be none at all.
    stream.sayEither(event, event.error === undefined ? TOLD.input : TOLD.callId, call.place, call.segment, plain)
  }

  function progress(event: EventOf<'tool-progress'>): void {
    const call = calls.get(event.callId)
    const status = isJsonObject(event.data) ? event.data.status : undefined
    const isNews = call?.builtIn !== undefined && isStatusOf(call.builtIn, status) && status !== call.segment.status
    if (isNews) {
      change(call, { status })
      stream.sayEither(event, TOLD.callId, call.place, call.segment, plainStatus(call.segment))
    } else stream.sayOwn(event)
  }

  function output(event: EventOf<'tool-output'>): void {
    const { callId, output, status, agentId } = event
    const call = calls.get(callId)
    calls.delete(callId)
    const failure = failureOf(event)
    const isTold = call?.builtIn === undefined || output !== null || event.error !== undefined
    if (isTold) {
      const result = defined({ output, error: failure })
      const own = besides({ agentId, status: status === 'ok' || status === 'error' ? undefined : status })
      const segment = { type: 'tool_result', id: callId, ...result, ...ended(event), ...own }
      const place = drafts.add(call?.place.draft ?? drafts.of(event))
      drafts.put(place, segment)
      const plain = { type: 'tool_result', fields: { tool_id: callId, ...result } }
      if (failure === event.error) stream.sayEither(event, TOLD.output, place, segment, plain)
      else stream.sayEither({ ...event, error: NOT_SAID }, TOLD.unsaid, place, segment, plain)
    }
    if (call?.builtIn === undefined) return
    change(call, { status: status === 'ok' ? 'completed' : 'failed', ...ended(event) })
    // The end is told already: this is for those who look at the status alone.
    if (isTold) stream.repeatEither(call.place, call.segment, plainStatus(call.segment))
    else stream.sayEither(event, TOLD.callId, call.place, call.segment, plainStatus(call.segment))
  }

  function ended(event: EventOf<'tool-output'>): JsonObject {
    return defined({ completed_at: stream.timeOf(event) })
  }

  return {
    'tool-start': start,
    'tool-input-delta'({ callId, text, sentAt, meta }) {
      stream.emit(pieceWith({ type: 'tool_arguments_delta', tool_id: callId, delta: text }, sentAt, meta))
    },
    'tool-input': input,
    'tool-progress': progress,
    'tool-output': output,
  }
}

/** The code of an interpreter, where it is all that the input holds. */
function codeOf(input: Json): string | undefined {
  if (!isJsonObject(input) || Object.keys(input).length !== 1) return undefined
  return typeof input.code === 'string' ? input.code : undefined
}

/** A result has failed if it has an error: where nobody said one, the output has the words for it, or we do. */
function failureOf({ status, output, error }: EventOf<'tool-output'>): string | undefined {
  if (status === 'ok' || error !== undefined) return error
  return typeof output === 'string' && output !== '' ? output : WORDS[status]
}

const WORDS = { error: 'failed', denied: 'denied', cancelled: 'cancelled' } as const
