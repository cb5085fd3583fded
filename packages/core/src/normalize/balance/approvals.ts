import { isSameJson } from '../../data/same-json.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { Emit } from '../pass.ts'
import type { MessageScopes } from './message-scopes.ts'
import { createIds, createRecent } from './recent.ts'

type Approval = EventOf<'approval'>

interface OpenApproval {
  /** The emitted request, with the emitted ids of the approval and of its call. */
  readonly emitted: Approval
  readonly request: Content
  /** The number of its agent's step. If the agent has gone on to another, nobody awaits the answer. */
  readonly step: number
}

/** What two requests, or two answers, of one approval are compared by. */
type Content = { readonly [field: string]: Json | undefined }

interface AnsweredApproval {
  readonly request: Content
  readonly answer: Content
}

/** The calls that questions are about. */
export interface AskingCalls {
  /** Completes the input of an open call. Returns the emitted id of the call; undefined if no such call is open. */
  completeInput(callId: string): string | undefined
  /** The emitted id of the last call with this id, open or not. */
  emittedId(callId: string): string
  /** The number of the agent's current step. */
  stepOf(agentId: string | undefined): number
  /** Closes the blocks of an agent that asks, and of the agent of the call that it asks about. */
  closeProse(agentId: string | undefined, callId: string | undefined): void
}

export interface Approvals {
  push(event: Approval): void
  /** What a person last answered about a call. */
  decisionOf(callId: string): Approval['state'] | undefined
  /** A call continues, or has its output: its questions without an answer expire. */
  expireOf(callId: string): void
  /** Whether a question has no answer, and its agent has not begun another step since. */
  isAwaiting(): boolean
  /** Whether questions were asked and each has its answer. */
  areAnswered(): boolean
  expireAll(): void
}

/**
 * Every approval has one request and at most one answer, and keeps its first. An equal repeat is dropped. A different
 * answer is kept as `raw`. A different request while the approval is open is dropped; after the answer it is another
 * approval, with another id. An answer without a request is preceded by one with its fields. A question closes the text
 * before it, which the agent could only continue after the answer: whoever waits for the text to end sees the question.
 */
export function createApprovals(emit: Emit, scopes: MessageScopes, calls: AskingCalls): Approvals {
  /** By emitted id. */
  const open = new Map<string, OpenApproval>()
  const answered = createRecent<AnsweredApproval>()
  /** By the emitted id of a call, the emitted ids of the open approvals about it. */
  const openOfCall = new Map<string, Set<string>>()
  const ids = createIds()
  /** By incoming id, the emitted id of the last approval if that differs. */
  const renamed = createRecent<string>()
  /** By the emitted id of a call. */
  const decisions = createRecent<Approval['state']>()
  let hasAsked = false

  function ask(event: Approval): OpenApproval {
    calls.closeProse(event.agentId, event.callId)
    const callId = event.callId === undefined ? undefined : calls.completeInput(event.callId)
    if (callId === undefined) scopes.ensure(event)
    const approvalId = ids.claim(event.approvalId)
    if (approvalId !== event.approvalId) renamed.add(event.approvalId, approvalId)
    const emitted = withIds(event, approvalId, callId)
    const approval = { emitted, request: requestOf(event), step: calls.stepOf(event.agentId) }
    hasAsked = true
    open.set(approvalId, approval)
    if (callId !== undefined) idsOf(callId).add(approvalId)
    emit(emitted)
    return approval
  }

  function idsOf(callId: string): Set<string> {
    const ids = openOfCall.get(callId) ?? new Set()
    openOfCall.set(callId, ids)
    return ids
  }

  function withIds(event: Approval, approvalId: string, callId: string | undefined): Approval {
    const { callId: _incoming, ...rest } = scopes.withMessageId(event)
    return { ...rest, approvalId, ...(callId !== undefined && { callId }) }
  }

  /** An answer belongs to the call of its request. */
  function answer(event: Approval, { emitted: { approvalId, callId }, request }: OpenApproval): void {
    open.delete(approvalId)
    if (callId !== undefined) {
      forgetOfCall(callId, approvalId)
      decisions.add(callId, event.state)
    }
    answered.addNew(approvalId, { request, answer: answerOf(event) })
    emit(withIds(event, approvalId, callId))
  }

  function forgetOfCall(callId: string, approvalId: string): void {
    const ids = openOfCall.get(callId)
    ids?.delete(approvalId)
    if (ids?.size === 0) openOfCall.delete(callId)
  }

  function expire(approvalId: string, reason: Pick<Approval, 'reason'>): void {
    const approval = open.get(approvalId)
    if (approval !== undefined) answer({ type: 'approval', approvalId, state: 'expired', ...reason }, approval)
  }

  /** What makes a request another one: also a call that has the id of an earlier call. */
  function requestOf({ callId, message, request }: Approval): Content {
    return { callId: callId === undefined ? undefined : calls.emittedId(callId), message, request }
  }

  function pushRequest(event: Approval, id: string): void {
    if (open.has(id)) return
    const before = answered.get(id)
    if (before === undefined || !isSameJson(before.request, requestOf(event))) ask(event)
  }

  function pushAnswer(event: Approval, id: string): void {
    const before = answered.get(id)
    if (before === undefined) answer(event, open.get(id) ?? ask(impliedRequest(event)))
    else if (!isSameJson(before.answer, answerOf(event))) keepAsRaw(event)
  }

  function keepAsRaw(event: Approval): void {
    emit({ type: 'raw', value: event as unknown as Json, reason: 'unmapped' })
  }

  return {
    push(event) {
      const id = renamed.get(event.approvalId) ?? event.approvalId
      if (event.state === 'requested') pushRequest(event, id)
      else pushAnswer(event, id)
    },
    decisionOf: (callId) => decisions.get(callId),
    expireOf(callId) {
      for (const approvalId of [...(openOfCall.get(callId) ?? [])]) expire(approvalId, { reason: 'went-on' })
    },
    isAwaiting: () => [...open.values()].some(({ emitted, step }) => step === calls.stepOf(emitted.agentId)),
    areAnswered: () => hasAsked && open.size === 0,
    expireAll() {
      for (const approvalId of [...open.keys()]) expire(approvalId, {})
    },
  }
}

/** Without `reason`: that a question expired is one answer, whether the stream reports it or this pass. */
const answerOf = ({ state, message, answer, remember, input }: Approval): Content => ({
  state,
  message,
  answer,
  remember,
  input,
})

/** The request of an answer that none was asked for. */
function impliedRequest({ reason: _reason, remember: _remember, input: _input, ...event }: Approval): Approval {
  return { ...event, state: 'requested' }
}
