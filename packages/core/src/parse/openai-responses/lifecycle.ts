import { present } from '../../data/present.ts'
import { isSameJson } from '../../data/same-json.ts'
import type { JsonObject } from '../../json.ts'
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
function beginResponse(out: Out, run: Run, raw: RawResponse): void {
  const model = present({ model: raw.model })
  const messageId = raw.id || `response-${run.responseCount + 1}`
  if (!run.isStarted) out.push({ type: 'run-start', ...model })
  if (run.response.isOpen) closeResponse(out, run, undefined, undefined)
  out.push({ type: 'message-start', messageId, role: 'assistant', ...model, ...sentAtField(raw.created_at) })
  out.push({ type: 'step-start', kind: 'model', ...present({ name: run.stepName }) })
  run.metadata = addDetails(out, run, raw)
  run.responseCount += 1
  run.isStarted = true
  run.ending = 'none'
  run.response = createResponse(messageId, run.ids.claim(messageId))
  run.response.isOpen = true
}

/** A response that continues, or whose start was missed. */
export function continueResponse(out: Out, run: Run, raw: RawResponse): void {
  if (run.response.isOpen) run.metadata = { ...run.metadata, ...addDetails(out, run, raw) }
  else beginResponse(out, run, raw)
}

/** A response that is created. It may be asked for again: then it is the open one, of which no item was read. */
export function enterResponse(out: Out, run: Run, raw: RawResponse): void {
  const { isOpen, count, messageId } = run.response
  const isRepeated = isOpen && count === 0 && messageId === raw.id
  if (isRepeated) continueResponse(out, run, raw)
  else beginResponse(out, run, raw)
}

/** Fields that other events carry, or that only hold the progress of the response. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['object', 'status', 'output', 'output_text', 'usage', 'error'])

/** Adds the other fields of a response, and returns them. Each event holds all: only changed fields are emitted. */
function addDetails(out: Out, run: Run, response: RawResponse): JsonObject {
  const details = Object.entries(response).filter(([field, value]) => !READ_ELSEWHERE.has(field) && value !== null)
  const changes = details.filter(([field, value]) => !isSameJson([run.metadata[field]], [value]))
  out.push(...metadata(Object.fromEntries(changes)))
  return Object.fromEntries(details) as JsonObject
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
export function endResponse(out: Out, run: Run, raw: RawResponse, status: string): void {
  const repeatedSlots = new Set<Slot>()
  const reason = raw.incomplete_details?.reason ?? status
  continueResponse(out, run, raw)
  for (const [index, item] of (raw.output ?? []).entries()) repeatItem(out, run, item, index, repeatedSlots)
  addUsage(out, raw)
  closeResponse(out, run, reason, raw.completed_at)
  run.reason = reason
  if (run.ending === 'none') run.ending = 'stopped'
  if (status === 'failed') failRun(out, run, raw.error)
  if (status !== 'cancelled') return
  run.ending = 'cancelled'
  out.push({ type: 'run-end', outcome: 'cancelled' })
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
export function failRun(out: Out, run: Run, error: RawError | string | null | undefined): void {
  const hasFailed = run.ending === 'failed'
  const { message, code, type }: RawError = typeof error === 'string' ? { message: error } : (error ?? {})
  const runError = { message: message || 'The response failed', ...present({ code: (code ?? type)?.toString() }) }
  run.ending = 'failed'
  if (!hasFailed || error) out.push({ type: 'run-end', outcome: 'error', error: runError })
}
