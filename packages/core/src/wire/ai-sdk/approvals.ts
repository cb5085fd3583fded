import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import { metadataOf, type OpenCall } from './call.ts'
import { dataPart } from './chunk.ts'
import type { Response } from './response.ts'

export interface Approvals {
  push(event: EventOf<'approval'>): void
}

/** The client knows only approved and denied; any other state is kept in our own fields. */
const answers: { readonly [State in Exclude<ApprovalState, 'requested'>]: { approved: boolean; extra: Fields } } = {
  approved: { approved: true, extra: {} },
  denied: { approved: false, extra: {} },
  answered: { approved: true, extra: { approval: 'answered' } },
  expired: { approved: false, extra: { approval: 'expired' } },
}

/** The call ran although nobody answered. The client refuses an output of a call that was not approved. */
const WENT_ON = { approved: true, extra: { approval: 'expired' } } as const

/** The fields of an answer that the client's part has no field for. */
const answerFields = ({ answer, reason, remember, input }: EventOf<'approval'>) => ({ answer, reason, remember, input })

/** A question about a call belongs to the call's part; any other question is a data part. */
export function createApprovals(response: Response, calls: ReadonlyMap<string, OpenCall>): Approvals {
  const { emit } = response
  /** The open questions that are not about a call. */
  const questions = new Map<string, { readonly message?: string; readonly request?: Json }>()

  function request(event: EventOf<'approval'>, call: OpenCall | undefined): void {
    const { approvalId, message, request } = event
    if (call === undefined) {
      questions.set(approvalId, event)
      emitData(event, {})
      if (hasAnsweredCall()) response.startStep()
    } else {
      call.approvalId = approvalId
      call.isAwaitingAnswer = true
      const { callId } = call
      emit(
        chunkOf('tool-approval-request', {
          approvalId,
          toolCallId: callId,
          reason: message,
          approvalDescriptor: request,
        }),
      )
    }
    response.pauses.ask(approvalId, approvalId)
  }

  /**
   * Whether all questions about calls are answered and at least one of those calls has no output. A client sends such
   * answers again each time a response finishes, without end, unless a later step has begun.
   */
  function hasAnsweredCall(): boolean {
    let isAnswered = false
    for (const { approvalId, isAwaitingAnswer } of calls.values()) {
      if (isAwaitingAnswer) return false
      isAnswered ||= approvalId !== undefined
    }
    return isAnswered
  }

  function answer(event: EventOf<'approval'>, state: keyof typeof answers, call: OpenCall | undefined): void {
    const { approvalId, message } = event
    // The client throws for an approval that it does not show, and removes an output that came before the answer.
    if (call?.approvalId === approvalId) {
      call.isAwaitingAnswer = false
      const { approved, extra } = event.reason === 'went-on' ? WENT_ON : answers[state]
      const more = defined({ ...extra, ...answerFields(event) })
      const metadata = Object.keys(more).length > 0 ? metadataOf(call, more) : undefined
      emit(chunkOf('tool-approval-response', { approvalId, approved, reason: message, providerMetadata: metadata }))
    } else emitData(event, questions.get(approvalId) ?? {})
    questions.delete(approvalId)
    response.pauses.answer(approvalId)
  }

  function emitData(
    event: EventOf<'approval'>,
    question: { readonly message?: string; readonly request?: Json },
  ): void {
    const { approvalId, state, message = question.message, request = question.request, callId } = event
    const fields = { approvalId, state, message, request, ...answerFields(event), callId }
    emit(dataPart('approval', approvalId, fields, event))
  }

  return {
    push(event) {
      const call = event.callId === undefined ? undefined : calls.get(event.callId)
      if (event.state === 'requested') request(event, call)
      else answer(event, event.state, call)
    },
  }
}
