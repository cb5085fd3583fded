import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import { isFollowed } from '../responses.ts'
import { metadataOf, type OpenCall } from './call.ts'
import { dataPart, providerMetadata } from './chunk.ts'
import type { Response } from './response.ts'

export interface Approvals {
  push(event: EventOf<'approval'>): void
}

type Answered = Exclude<ApprovalState, 'requested'>

/** The client knows only approved and denied; any other state is kept in our own fields. */
const answers: { readonly [State in Answered]: { approved: boolean; extra: Fields } } = {
  approved: { approved: true, extra: {} },
  denied: { approved: false, extra: {} },
  answered: { approved: true, extra: { approval: 'answered' } },
  expired: { approved: false, extra: { approval: 'expired' } },
}

/** The call ran although nobody answered. The client refuses an output of a call that was not approved. */
const WENT_ON = { approved: true, extra: { approval: 'expired' } } as const

/** The fields of an answer that the client's part has no field for. */
const answerFields = ({ answer, reason, remember, input }: EventOf<'approval'>) => ({ answer, reason, remember, input })

interface Question {
  readonly message?: string
  readonly request?: Json
  readonly agentId?: string
}

/** The call that stands for a question about no call. */
const questionCall = (approvalId: string): Fields => ({
  toolCallId: `question/${approvalId}`,
  dynamic: true,
  providerExecuted: true,
})

/**
 * A question about a call belongs to the call's part. Any other question is a call of its own, named `question`, because
 * clients can answer nothing but calls. It has an output as soon as it is answered: a client sends answers without an
 * output again each time a response finishes.
 */
export function createApprovals(response: Response, calls: ReadonlyMap<string, OpenCall>): Approvals {
  const { emit, pauses } = response
  /** The open questions that are not about a call. */
  const questions = new Map<string, Question>()

  function request(event: EventOf<'approval'>, call: OpenCall | undefined): void {
    const { approvalId, message, request } = event
    if (call === undefined) ask(event)
    else {
      call.approvalId = approvalId
      call.isAwaitingAnswer = true
    }
    const toolCallId = call?.callId ?? questionCall(approvalId).toolCallId
    emit(chunkOf('tool-approval-request', { approvalId, toolCallId, reason: message, approvalDescriptor: request }))
    pauses.ask(approvalId, approvalId, isFollowed(event))
  }

  function ask(event: EventOf<'approval'>): void {
    const { approvalId, message, request, agentId, meta } = event
    questions.set(approvalId, event)
    const metadata = providerMetadata({ question: true, agentId }, meta)
    const call = { ...questionCall(approvalId), toolName: 'question', title: message, providerMetadata: metadata }
    emit(chunkOf('tool-input-start', call))
    emit(chunkOf('tool-input-available', { ...call, input: defined({ message, request }) }))
  }

  function answer(event: EventOf<'approval'>, state: Answered, call: OpenCall | undefined): void {
    const { approvalId } = event
    // The client throws for an approval that it does not show, and removes an output that came before the answer.
    if (call?.approvalId === approvalId) answerCall(event, state, call)
    else if (questions.has(approvalId)) answerQuestion(event, state)
    else emit(approvalPart(event, {}))
    questions.delete(approvalId)
    pauses.answer(approvalId)
  }

  function answerCall(event: EventOf<'approval'>, state: Answered, call: OpenCall): void {
    call.isAwaitingAnswer = false
    const { approved, extra } = event.reason === 'went-on' ? WENT_ON : answers[state]
    const more = defined({ ...extra, ...answerFields(event) })
    emitAnswer(event, approved, Object.keys(more).length > 0 ? metadataOf(call, more) : undefined)
  }

  function answerQuestion(event: EventOf<'approval'>, state: Answered): void {
    const { approved, extra } = answers[state]
    const { approvalId, answer, meta } = event
    const { agentId } = questions.get(approvalId) ?? {}
    const marks = { question: true, ...extra, ...answerFields(event), agentId }
    emitAnswer(event, approved, providerMetadata(marks, meta))
    const { toolCallId } = questionCall(approvalId)
    if (approved)
      emit(chunkOf('tool-output-available', { ...questionCall(approvalId), output: answer ?? { approved } }))
    else emit(chunkOf('tool-output-denied', { toolCallId }))
  }

  function emitAnswer(
    { approvalId, message }: EventOf<'approval'>,
    approved: boolean,
    metadata: Json | undefined,
  ): void {
    emit(chunkOf('tool-approval-response', { approvalId, approved, reason: message, providerMetadata: metadata }))
  }

  return {
    push(event) {
      const call = event.callId === undefined ? undefined : calls.get(event.callId)
      if (event.state === 'requested') request(event, call)
      else answer(event, event.state, call)
    },
  }
}

/** A question or an answer as a data part, for a client that has no part for it. A later one replaces it. */
export function approvalPart(event: EventOf<'approval'>, question: Question) {
  const { approvalId, state, message = question.message, request = question.request, callId } = event
  const fields = { approvalId, state, message, request, ...answerFields(event), callId }
  return dataPart('approval', approvalId, fields, event)
}
