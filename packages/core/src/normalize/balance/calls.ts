import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { Emit } from '../pass.ts'
import type { Places } from './places.ts'
import { createIds, createRecent } from './recent.ts'

interface OpenCall {
  /** The id under which it left: another one than it came with, if that was taken. */
  readonly id: string
  readonly agentId: string | undefined
  hasInput: boolean
}

type CallEvent = EventOf<'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

export interface Calls {
  start(event: EventOf<'tool-start'>): void
  inputDelta(event: EventOf<'tool-input-delta'>): void
  input(event: EventOf<'tool-input'>): void
  progress(event: EventOf<'tool-progress'>): void
  output(event: EventOf<'tool-output'>): void
  approval(event: EventOf<'approval'>): void
  /** The event, naming its call by the id under which that left. */
  named<Event extends StreamEvent & { readonly callId?: string }>(event: Event): Event
  /** Gives calls that were cut off an input, and, unless they may stay open, an output. */
  closeAll(isAwaiting: boolean, isCut: boolean): void
}

/** Every call starts once, has one input and at most one output; what cannot be placed is kept as `raw`. */
export function createCalls(emit: Emit, places: Places): Calls {
  const calls = new Map<string, OpenCall>()
  /** The ids of all calls that left lately, open or finished, by the id they came with. */
  const known = createRecent<string>()
  const ids = createIds()
  const approvals = new Map<string, EventOf<'approval'>>()

  function open(event: EventOf<'tool-start'>): OpenCall {
    places.ensure(event)
    const id = ids.claim(event.callId)
    const call = { id, agentId: event.agentId, hasInput: false }
    calls.set(event.callId, call)
    known.add(event.callId, id)
    known.add(id, id)
    emit({ ...named(places.named(event)), callId: id })
    return call
  }

  /** A call that was never announced: shown, and marked as found without its beginning. */
  function found(event: CallEvent): OpenCall {
    const agent = event.agentId === undefined ? {} : { agentId: event.agentId }
    const sentAt = event.sentAt === undefined ? {} : { sentAt: event.sentAt }
    const meta = { millrace: { orphan: true } }
    const { callId } = event
    return open({ type: 'tool-start', callId, name: 'unknown', runBy: 'agent', ...agent, ...sentAt, meta })
  }

  /** The call of an event; nothing where it has its output already. */
  function callOf(event: CallEvent): OpenCall | undefined {
    return calls.get(event.callId) ?? (known.has(event.callId) ? undefined : found(event))
  }

  function keep(event: StreamEvent): void {
    emit({ type: 'raw', value: event as unknown as Json, reason: 'unmapped' })
  }

  function give<Event extends CallEvent>(event: Event, call: OpenCall): void {
    emit(call.id === event.callId ? event : { ...event, callId: call.id })
  }

  function ensureInput(call: OpenCall, input: { input: Json } | { text: string; error: string } = { input: {} }): void {
    if (call.hasInput) return
    call.hasInput = true
    const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
    emit({ type: 'tool-input', callId: call.id, ...agent, ...input })
  }

  function named<Event extends StreamEvent & { readonly callId?: string; readonly parentCallId?: string }>(
    event: Event,
  ): Event {
    const { callId, parentCallId } = event
    const call = callId === undefined ? undefined : known.get(callId)
    const parent = parentCallId === undefined ? undefined : known.get(parentCallId)
    if ((call === undefined || call === callId) && (parent === undefined || parent === parentCallId)) return event
    return {
      ...event,
      ...(call !== undefined && { callId: call }),
      ...(parent !== undefined && { parentCallId: parent }),
    }
  }

  function closeApprovals(): void {
    for (const { approvalId, callId } of approvals.values()) {
      emit({ type: 'approval', approvalId, state: 'expired', ...(callId !== undefined && { callId }) })
    }
    approvals.clear()
  }

  return {
    start(event) {
      if (!calls.has(event.callId)) open(event)
    },
    inputDelta(event) {
      const call = callOf(event)
      if (call === undefined || call.hasInput) keep(event)
      else if (event.text !== '') give(event, call)
    },
    input(event) {
      const call = callOf(event)
      if (call === undefined || call.hasInput) keep(event)
      else {
        call.hasInput = true
        give(event, call)
      }
    },
    progress(event) {
      const call = callOf(event)
      if (call === undefined) keep(event)
      else {
        ensureInput(call)
        give(event, call)
      }
    },
    output(event) {
      const call = callOf(event)
      if (call === undefined) keep(event)
      else {
        ensureInput(call)
        calls.delete(event.callId)
        give(event, call)
      }
    },
    approval(event) {
      const call = event.callId === undefined ? undefined : calls.get(event.callId)
      // An answer belongs to the call of its question, even if that has its output by then.
      const callId = call?.id ?? approvals.get(event.approvalId)?.callId
      if (call !== undefined) ensureInput(call)
      else if (callId === undefined && !approvals.has(event.approvalId)) places.ensure(event)
      const { callId: _callId, ...rest } = places.named(event)
      const placed = callId === undefined ? rest : { ...rest, callId }
      const isRequest = event.state === 'requested'
      if (!isRequest && !approvals.has(event.approvalId)) emit({ ...placed, state: 'requested' })
      if (isRequest && approvals.has(event.approvalId)) return
      if (isRequest) approvals.set(event.approvalId, placed)
      else approvals.delete(event.approvalId)
      emit(placed)
    },
    named,
    closeAll(isAwaiting, isCut) {
      if (!isAwaiting) closeApprovals()
      const cut = { text: '', error: 'The stream ended before the input was complete.' }
      for (const [key, call] of calls) {
        ensureInput(call, isCut ? cut : undefined)
        if (isAwaiting) continue
        calls.delete(key)
        const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
        emit({ type: 'tool-output', callId: call.id, status: 'cancelled', output: null, ...agent })
      }
    },
  }
}
