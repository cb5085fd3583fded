import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { Emit } from '../pass.ts'
import { createApprovals } from './approvals.ts'
import type { Blocks } from './blocks.ts'
import type { MessageScopes } from './message-scopes.ts'
import { createIds, createRecent } from './recent.ts'

interface OpenCall {
  /** The incoming id. */
  readonly key: string
  /** The emitted id: it differs from the incoming one if that was taken. */
  readonly id: string
  readonly agentId: string | undefined
  readonly runBy: RunBy
  /** The number of its agent's step. If the agent has gone on to another, the output was given elsewhere. */
  readonly step: number
  hasInput: boolean
}

type CallEvent = EventOf<'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

export interface Calls {
  /** Ids of the client's calls in earlier runs: a call of this run gets another one, an output for them keeps it. */
  reserve(callIds: readonly string[]): void
  start(event: EventOf<'tool-start'>): void
  inputDelta(event: EventOf<'tool-input-delta'>): void
  input(event: EventOf<'tool-input'>): void
  partialOutput(event: EventOf<'tool-progress'>): void
  output(event: EventOf<'tool-output'>): void
  approval(event: EventOf<'approval'>): void
  /** The event with the emitted ids of its call and its parent call. */
  withCallIds<Event extends StreamEvent & { readonly callId?: string }>(event: Event): Event
  /** The agent begins another step: nobody awaits the outputs of its earlier calls any more. */
  beginStep(agentId: string | undefined): void
  /** Whether a question has no answer, or a call of the last step that the client runs has no output. */
  isAwaiting(): boolean
  /** Whether questions were asked and each has its answer, and no call is open. */
  isSettled(): boolean
  /** Adds an input to calls that were cut off, and an output unless they may stay open. */
  closeAll(isAwaiting: boolean, isCut: boolean): void
}

/**
 * Every call starts once, has one input and at most one output; what fits no call is kept as `raw`. A call that continues
 * or has its output expires the questions about it that have no answer.
 */
export function createCalls(emit: Emit, scopes: MessageScopes, blocks: Pick<Blocks, 'closeOfAgent'>): Calls {
  const calls = new Map<string, OpenCall>()
  /** The emitted ids of recent calls, open or finished, by their incoming ids. */
  const sentIds = createRecent<string>()
  /** The incoming ids of recent calls, by an emitted one that differs: a host answers by the id that it sees. */
  const renamed = createRecent<string>()
  const ids = createIds()
  const reserved = new Set<string>()
  /** By agent, how many steps it has begun. */
  const stepCounts = createRecent<number>()
  const stepOf = (agentId: string | undefined) => stepCounts.get(agentId ?? '') ?? 0
  const approvals = createApprovals(emit, scopes, { completeInput, emittedId, stepOf, closeProse })

  function open(event: EventOf<'tool-start'>): OpenCall {
    scopes.ensure(event)
    const isReturned = reserved.has(event.callId) && event.meta?.millrace?.orphan === true
    const id = isReturned ? event.callId : ids.claim(event.callId)
    const call = {
      key: event.callId,
      id,
      agentId: event.agentId,
      runBy: event.runBy,
      step: stepOf(event.agentId),
      hasInput: false,
    }
    calls.set(event.callId, call)
    sentIds.add(event.callId, id)
    if (id !== event.callId) {
      sentIds.addNew(id, id)
      renamed.addNew(id, event.callId)
    }
    emit(withCallIds(scopes.withMessageId(event)))
    return call
  }

  /** Starts a call that was never announced, marked as an orphan. */
  function openOrphan(event: CallEvent): OpenCall {
    const agent = event.agentId === undefined ? {} : { agentId: event.agentId }
    const sentAt = event.sentAt === undefined ? {} : { sentAt: event.sentAt }
    const meta = { millrace: { orphan: true } }
    const { callId } = event
    return open({ type: 'tool-start', callId, name: 'unknown', runBy: 'agent', ...agent, ...sentAt, meta })
  }

  /** The call of an event; undefined if it already has its output. */
  function callOf(event: CallEvent): OpenCall | undefined {
    return openCall(event.callId) ?? (sentIds.has(event.callId) ? undefined : openOrphan(event))
  }

  /** The open call with this incoming or emitted id. */
  function openCall(callId: string): OpenCall | undefined {
    const incoming = calls.get(callId)
    if (incoming !== undefined) return incoming
    const found = calls.get(renamed.get(callId) ?? '')
    return found?.id === callId ? found : undefined
  }

  function keepAsRaw(event: StreamEvent): void {
    emit({ type: 'raw', value: event as unknown as Json, reason: 'unmapped' })
  }

  function send<Event extends CallEvent>(event: Event, call: OpenCall): void {
    emit(call.id === event.callId ? event : { ...event, callId: call.id })
  }

  function ensureInput(call: OpenCall, input: { input: Json } | { text: string; error: string } = { input: {} }): void {
    if (call.hasInput) return
    call.hasInput = true
    const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
    emit({ type: 'tool-input', callId: call.id, ...agent, ...input })
  }

  function completeInput(callId: string): string | undefined {
    const call = openCall(callId)
    if (call !== undefined) ensureInput(call)
    return call?.id
  }

  function closeProse(agentId: string | undefined, callId: string | undefined): void {
    const call = callId === undefined ? undefined : openCall(callId)
    blocks.closeOfAgent(agentId)
    if (call !== undefined) blocks.closeOfAgent(call.agentId)
  }

  function emittedId(callId: string): string {
    return sentIds.get(callId) ?? callId
  }

  function withCallIds<Event extends StreamEvent & { readonly callId?: string; readonly parentCallId?: string }>(
    event: Event,
  ): Event {
    const { callId, parentCallId } = event
    const call = callId === undefined ? undefined : sentIds.get(callId)
    const parent = parentCallId === undefined ? undefined : sentIds.get(parentCallId)
    if ((call === undefined || call === callId) && (parent === undefined || parent === parentCallId)) return event
    return {
      ...event,
      ...(call !== undefined && { callId: call }),
      ...(parent !== undefined && { parentCallId: parent }),
    }
  }

  return {
    reserve(callIds) {
      for (const id of callIds) {
        reserved.add(id)
        ids.claim(id)
      }
    },
    start(event) {
      if (!calls.has(event.callId)) open(event)
    },
    inputDelta(event) {
      const call = callOf(event)
      if (call === undefined || call.hasInput) keepAsRaw(event)
      else if (event.text !== '') send(event, call)
    },
    input(event) {
      const call = callOf(event)
      if (call === undefined || call.hasInput) keepAsRaw(event)
      else {
        call.hasInput = true
        send(event, call)
      }
    },
    partialOutput(event) {
      const call = callOf(event)
      if (call === undefined) keepAsRaw(event)
      else {
        ensureInput(call)
        // It says nothing about an open question: an agent may describe the call while it waits for the answer.
        send(event, call)
      }
    },
    output(event) {
      const call = callOf(event)
      if (call === undefined) {
        // A parser closes at the end what its stream leaves open. The host may have added the output meanwhile.
        if (event.status !== 'cancelled' || event.output !== null) keepAsRaw(event)
      } else {
        ensureInput(call)
        approvals.expireOf(call.id)
        calls.delete(call.key)
        send(asDecided(event, approvals.decisionOf(call.id)), call)
      }
    },
    approval: approvals.push,
    withCallIds,
    beginStep(agentId) {
      stepCounts.add(agentId ?? '', stepOf(agentId) + 1)
    },
    isAwaiting: () =>
      approvals.isAwaiting() ||
      [...calls.values()].some((call) => call.runBy === 'client' && call.step === stepOf(call.agentId)),
    isSettled: () => calls.size === 0 && approvals.areAnswered(),
    closeAll(isAwaiting, isCut) {
      if (!isAwaiting) approvals.expireAll()
      const cut = { text: '', error: 'The stream ended before the input was complete.' }
      for (const [key, call] of calls) {
        ensureInput(call, isCut ? cut : undefined)
        if (isAwaiting) continue
        calls.delete(key)
        const agent = call.agentId === undefined ? {} : { agentId: call.agentId }
        const status = approvals.decisionOf(call.id) === 'denied' ? 'denied' : 'cancelled'
        emit({ type: 'tool-output', callId: call.id, status, output: null, ...agent })
      }
    },
  }
}

/** A call that a person denied has failed for that reason; one that a person approved and that did not run was cut off. */
function asDecided(event: EventOf<'tool-output'>, decision: EventOf<'approval'>['state'] | undefined): typeof event {
  if (decision === 'denied' && event.status === 'error') return { ...event, status: 'denied' }
  return decision === 'approved' && event.status === 'denied' ? { ...event, status: 'cancelled' } : event
}
