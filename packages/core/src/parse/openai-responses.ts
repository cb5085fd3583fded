import { present } from '../data/present.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { cutCalls } from './kit/cut-calls.ts'
import type { Out } from './kit/voice.ts'
import { inputRows } from './openai-responses/inputs.ts'
import { itemRows, repeatItem } from './openai-responses/items.ts'
import { continueResponse, endResponse, enterResponse, failRun } from './openai-responses/lifecycle.ts'
import { proseRows } from './openai-responses/prose.ts'
import type { RawEvent, RawItem, RawResponse } from './openai-responses/raw.ts'
import { createRun, type Rows, type Run } from './openai-responses/state.ts'
import { type Parser, type ParserState, type Recognition, SILENT, understood, unmapped } from './parser.ts'

/** OpenAI Responses, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const openaiResponses: Parser = {
  version: 4,
  losses: {
    'other-roles': 'A response holds only messages of the model.',
    retract: 'A message that has begun is never retracted.',
    subagents: 'A response is the work of one model.',
    'subagent-content': 'A response is the work of one model.',
    state: 'There is no shared state.',
    control: 'What the user requests is part of the next request.',
  },
  recognize,
  create: () => createResponseReader('client'),
}

/** Reads responses from the API itself, or from an agent's loop around it. */
interface ResponseReader extends ParserState {
  readonly run: Run
  /** Reads an item that arrives outside the stream of its response, which may already have contained it. */
  pushItem(out: Out, item: RawItem): boolean
}

export function createResponseReader(caller: Run['caller']): ResponseReader {
  const run = createRun(caller)
  return {
    run,
    push(value) {
      const { type, object } = value as RawEvent & { readonly object?: unknown }
      const row = rows.get(type)
      const out: Out = []
      if (row !== undefined)
        return row(out, value as never, run) === false && out.length === 0 ? unmapped(value) : understood(out)
      if (type !== undefined || object !== 'response') return isStatusOnly(value) ? SILENT : unmapped(value)
      readWhole(out, run, value as RawResponse)
      return understood(out)
    },
    pushItem(out, item) {
      return repeatItem(out, run, item, undefined, run.response.repeatedSlots) !== false
    },
    end() {
      const { response, reason, ending } = run
      if (response.isOpen || ending !== 'stopped') return []
      const cut = cutCalls(reason === 'completed' ? [] : response.unanswered)
      return [...cut, { type: 'run-end', outcome: 'success', ...present({ reason }) }]
    },
  }
}

const silent = () => {}
const ends =
  (status: string) =>
  (out: Out, { response }: { readonly response: RawResponse }, run: Run): void =>
    endResponse(out, run, response, status)

const eventRows: Rows = {
  ...proseRows,
  ...inputRows,
  ...itemRows,
  'response.created': (out, { response }, run) => enterResponse(out, run, response),
  'response.queued'(out, { response }, run) {
    continueResponse(out, run, response)
    out.push({ type: 'status', message: 'The response is queued', level: 'info' })
  },
  'response.in_progress': (out, { response }, run) => continueResponse(out, run, response),
  'response.completed': ends('completed'),
  'response.done': ends('completed'),
  'response.incomplete': ends('incomplete'),
  'response.failed': ends('failed'),
  'response.cancelled': ends('cancelled'),
  error: (out, { error, ...flat }, run) => failRun(out, run, error ?? flat),
  'response.compaction.compacting': (out) =>
    out.push({ type: 'status', message: 'Compacting the conversation', level: 'info' }),
  /** Audio arrives in fragments that no event may hold: they stay in their records. */
  'response.audio.delta': silent,
  'response.audio.done': silent,
  'response.audio.transcript.done': silent,
  'response.shell_call_output_content.done': silent,
  keepalive: silent,
  ping: silent,
}
const rows = new Map<string, (out: Out, raw: never, run: Run) => unknown>(Object.entries(eventRows))

/** A response that was not streamed. One in the background is asked for again and again until it ends. */
function readWhole(out: Out, run: Run, response: RawResponse): void {
  const { status } = response
  enterResponse(out, run, response)
  if (status !== 'queued' && status !== 'in_progress') endResponse(out, run, response, status ?? 'completed')
}

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['type', 'item_id', 'output_index', 'sequence_number'])

/** Whether an event only reports the status of an item, as `response.web_search_call.searching` does. */
function isStatusOnly(value: unknown): boolean {
  const { type, output_index, item_id } = value as { readonly [field: string]: unknown }
  if (typeof type !== 'string' || !type.startsWith('response.')) return false
  if (output_index === undefined && item_id === undefined) return false
  return Object.keys(value as object).every((field) => REFERENCE_FIELDS.has(field))
}

/** Whether a value is an event of a Responses stream, for formats that wrap one. */
export function isResponseEvent(value: unknown): boolean {
  const type = isJsonObject(value) ? value.type : undefined
  return typeof type === 'string' && (type.startsWith('response.') || type === 'error')
}

function recognize({ value }: RawRecord): Recognition | undefined {
  // The Realtime protocol has events of the same names; each of those has an id.
  if (!isJsonObject(value) || 'event_id' in value) return undefined
  const { type, object, output } = value
  const isWhole = type === undefined && object === 'response' && Array.isArray(output)
  if (isWhole) return { certainty: 1, reason: 'a record is a whole response' }
  if (typeof type !== 'string') return undefined
  if (type.startsWith('response.') && hasReference(value)) return { certainty: 1, reason: `a record is a ${type}` }
  if (type === 'keepalive' || type === 'ping') return { certainty: 0.3, reason: `a record is a ${type}` }
  const isError = type === 'error' && ('param' in value || 'sequence_number' in value)
  return isError ? { certainty: 0.6, reason: 'a record is an error with its parameter or number' } : undefined
}

/** Every event of a response names its response, its item or its number. */
function hasReference({ response, item, output_index, item_id, sequence_number }: JsonObject): boolean {
  const isNumbered = typeof output_index === 'number' || typeof sequence_number === 'number'
  return isNumbered || isJsonObject(response) || isJsonObject(item) || typeof item_id === 'string'
}
