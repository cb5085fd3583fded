import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { countsOf, keepUncounted, type Spellings, usageEvents } from '../kit/counts.ts'
import { numberIn } from '../kit/fields.ts'
import { metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { completeInput } from './calls.ts'
import { repeatItem } from './items.ts'
import { closeParts } from './prose.ts'
import type { RawError, RawResponse } from './raw.ts'
import { createResponse, type Run, type Slot } from './state.ts'

/** A response begins: one message, made in one step. The previous one ends, even if the stream did not end it. */
export function beginResponse(out: Out, run: Run, raw: RawResponse): true {
  const details = detailsOf(raw)
  const model = present({ model: raw.model })
  const messageId = raw.id || `response-${run.responseCount + 1}`
  if (!run.isStarted) out.push({ type: 'run-start', ...model })
  if (run.response.isOpen) closeResponse(out, run, undefined, undefined)
  out.push({ type: 'message-start', messageId, role: 'assistant', ...model, ...sentAtField(raw.created_at) })
  out.push({ type: 'step-start', kind: 'model', ...present({ name: run.stepName }) })
  out.push(...changesOf(run.metadata, details))
  run.responseCount += 1
  run.metadata = details
  run.isStarted = true
  run.ending = 'none'
  run.response = createResponse(messageId, run.ids.claim(messageId))
  run.response.isOpen = true
  return true
}

/** The new metadata of a response that continues. */
export function continueResponse(out: Out, run: Run, raw: RawResponse): true {
  if (!run.response.isOpen) return beginResponse(out, run, raw)
  const details = detailsOf(raw)
  out.push(...changesOf(run.metadata, details))
  run.metadata = { ...run.metadata, ...details }
  return true
}

/** A response that is created, or asked for, again: the open one, of which no item was read. */
export function enterResponse(out: Out, run: Run, raw: RawResponse): true {
  const { isOpen, count, messageId } = run.response
  const isRepeated = isOpen && count === 0 && messageId === raw.id
  return isRepeated ? continueResponse(out, run, raw) : beginResponse(out, run, raw)
}

/** Fields that other events carry, or that only hold the progress of the response. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['object', 'status', 'output', 'output_text', 'usage', 'error'])

/** The fields of a response besides its content, its usage and its error. */
function detailsOf(response: RawResponse): JsonObject {
  const details = Object.entries(response).filter(([field, value]) => !READ_ELSEWHERE.has(field) && value !== null)
  return Object.fromEntries(details) as JsonObject
}

/** Each event holds the whole response: only changed fields are emitted. */
function changesOf(before: JsonObject, details: JsonObject) {
  return metadata(Object.fromEntries(Object.entries(details).filter(([field, value]) => !isSame(before[field], value))))
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const fields = Object.keys(one)
  if (fields.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false
  return fields.every((field) => isSame((one as JsonObject)[field], (other as JsonObject)[field]))
}

/** `input_tokens` include cached tokens, `output_tokens` include reasoning. */
const SPELLINGS: Spellings = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  reasoningTokens: [['output_tokens_details', 'reasoning_tokens']],
  cacheReadTokens: [['input_tokens_details', 'cached_tokens']],
  cacheWriteTokens: [['input_tokens_details', 'cache_write_tokens']],
}
const COST: Spellings = { costUsd: ['cost', ['cost', 'total_cost']] }

/** xAI reports its cost in ticks. */
const TICKS_OF_A_DOLLAR = 1e10

function addUsage(out: Out, { usage, model }: RawResponse): void {
  if (!usage) return
  const ticks = numberIn(usage.cost_in_usd_ticks)
  const cost = present({ costUsd: ticks === undefined ? undefined : ticks / TICKS_OF_A_DOLLAR })
  const counts = { ...countsOf(usage, SPELLINGS), ...cost, ...countsOf(usage, COST) }
  const meta = keepUncounted('openai', usage, SPELLINGS, ['total_tokens'])
  out.push(...usageEvents(counts, { scope: 'step', ...present({ model }), ...meta }))
}

/** A response ends: repeated items are read if they were not streamed. */
export function finishResponse(out: Out, run: Run, raw: RawResponse, reason: string): true {
  const repeatedSlots = new Set<Slot>()
  continueResponse(out, run, raw)
  for (const [index, item] of (raw.output ?? []).entries()) repeatItem(out, run, item, index, repeatedSlots)
  addUsage(out, raw)
  closeResponse(out, run, reason, raw.completed_at)
  run.reason = reason
  if (run.ending === 'none') run.ending = 'stopped'
  return true
}

/** End reasons that leave a response incomplete. */
const BROKEN: ReadonlySet<string | undefined> = new Set(['failed', 'cancelled', undefined])

function closeResponse(out: Out, { response }: Run, reason: string | undefined, at: number | null | undefined): void {
  const { messageId, slots } = response
  const isBroken = BROKEN.has(reason)
  for (const slot of slots) closeParts(out, slot, isBroken)
  if (!isBroken) for (const { call } of slots) if (call !== undefined) completeInput(out, call, {})
  response.isOpen = false
  out.push({ type: 'step-end', ...present({ reason }) })
  const cut = isBroken && { interrupted: true }
  if (messageId !== undefined) out.push({ type: 'message-end', messageId, ...cut, ...sentAtField(at) })
}

/** Larger than any current time in seconds: such a time is in milliseconds. */
const MILLISECONDS = 1e11

/** The provider sends seconds, a gateway may send milliseconds; anonymised recordings have zero. */
function sentAtField(time: number | null | undefined): { sentAt?: number } {
  if (typeof time !== 'number' || time <= 0) return {}
  return { sentAt: time > MILLISECONDS ? time : Math.round(time * 1000) }
}

/** An error that ends the run. An empty error does not replace an earlier one. */
export function failRun(out: Out, run: Run, error: RawError | string | null | undefined): true {
  const hasFailed = run.ending === 'failed'
  run.ending = 'failed'
  if (!hasFailed || error) out.push({ type: 'run-end', outcome: 'error', error: errorOf(error) })
  return true
}

function errorOf(error: RawError | string | null | undefined): RunError {
  if (typeof error === 'string') return { message: error }
  const code = error?.code ?? error?.type ?? undefined
  return { message: error?.message || 'The response failed', ...(code !== undefined && { code: String(code) }) }
}
