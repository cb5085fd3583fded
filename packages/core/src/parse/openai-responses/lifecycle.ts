import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { completeInput } from './calls.ts'
import { repeatItem } from './items.ts'
import { detailsOf, metadataEvents } from './metadata.ts'
import { closeParts } from './prose.ts'
import type { RawError, RawResponse } from './raw.ts'
import { nextResponse, type Run, type Slot } from './state.ts'
import { usageEvents } from './usage.ts'

/** A response begins: one message, made in one step. The previous one ends, even if the stream did not end it. */
export function beginResponse(run: Run, raw: RawResponse): StreamEvent[] {
  const details = detailsOf(raw)
  const before = run.response
  const response = nextResponse(run, raw.id)
  const { messageId = response.prefix } = response
  const model = present({ model: raw.model })
  const events: StreamEvent[] = [
    ...(run.isStarted ? [] : [{ type: 'run-start' as const, ...model }]),
    ...(before.isOpen ? closeResponse(run, undefined, undefined) : []),
    { type: 'message-start', messageId, role: 'assistant', ...model, ...sentAtField(raw.created_at) },
    { type: 'step-start', kind: 'model', ...present({ name: run.stepName }) },
    ...metadataEvents(run.metadata, details),
  ]
  run.metadata = details
  run.isStarted = true
  run.ending = 'none'
  run.response = response
  response.isOpen = true
  return events
}

/** Whether a `response.created` repeats that of the open response. */
export function isRepeated({ response }: Run, { id }: RawResponse): boolean {
  return response.isOpen && response.count === 0 && response.messageId === id
}

/** The new metadata of a response that continues. */
export function continueResponse(run: Run, raw: RawResponse): StreamEvent[] {
  if (!run.response.isOpen) return beginResponse(run, raw)
  const details = detailsOf(raw)
  const events = metadataEvents(run.metadata, details)
  run.metadata = { ...run.metadata, ...details }
  return events
}

/** A response ends: repeated items are read if they were not streamed. */
export function finishResponse(run: Run, raw: RawResponse, reason: string): StreamEvent[] {
  const repeatedSlots = new Set<Slot>()
  const events = [
    ...continueResponse(run, raw),
    ...(raw.output ?? []).flatMap((item, index) => repeatItem(run, item, index, repeatedSlots)),
    ...usageEvents(raw.usage, raw.model),
    ...closeResponse(run, reason, raw.completed_at),
  ]
  run.reason = reason
  if (run.ending === 'none') run.ending = 'stopped'
  return events
}

/** End reasons that leave a response incomplete. */
const BROKEN: ReadonlySet<string | undefined> = new Set(['failed', 'cancelled', undefined])

function closeResponse({ response }: Run, reason: string | undefined, at: number | null | undefined): StreamEvent[] {
  const { messageId } = response
  const isBroken = BROKEN.has(reason)
  const cut = isBroken ? { interrupted: true } : {}
  const open = response.slots
    .flatMap((slot) => closeParts(slot))
    .map((event) => (event.type === 'block-end' ? { ...event, ...cut } : event))
  const inputs = isBroken
    ? []
    : response.slots.flatMap(({ call }) => (call === undefined ? [] : completeInput(call, {})))
  response.isOpen = false
  const step: StreamEvent = { type: 'step-end', ...present({ reason }) }
  if (messageId === undefined) return [...open, ...inputs, step]
  return [...open, ...inputs, step, { type: 'message-end', messageId, ...cut, ...sentAtField(at) }]
}

/** Larger than any current time in seconds: such a time is in milliseconds. */
const MILLISECONDS = 1e11

/** The provider sends seconds, a gateway may send milliseconds; anonymised recordings have zero. */
function sentAtField(time: number | null | undefined): { sentAt?: number } {
  if (typeof time !== 'number' || time <= 0) return {}
  return { sentAt: time > MILLISECONDS ? time : Math.round(time * 1000) }
}

/** An error that ends the run. An empty error does not replace an earlier one. */
export function failRun(run: Run, error: RawError | string | null | undefined): StreamEvent[] {
  const hasFailed = run.ending === 'failed'
  run.ending = 'failed'
  if (hasFailed && !error) return []
  return [{ type: 'run-end', outcome: 'error', error: errorOf(error) }]
}

function errorOf(error: RawError | string | null | undefined): RunError {
  if (typeof error === 'string') return { message: error }
  const code = error?.code ?? error?.type ?? undefined
  return { message: error?.message || 'The response failed', ...(code !== undefined && { code: String(code) }) }
}
