import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, type Fields } from '../chunk-fields.ts'
import { metadataOf, type OpenCall } from './call.ts'
import { dataPart } from './chunk.ts'
import type { Response } from './response.ts'

export interface Approvals {
  push(event: EventOf<'approval'>): void
}

/** The client knows yes and no; what else an answer can be is kept in words of ours. */
const answers: { readonly [State in Exclude<ApprovalState, 'requested'>]: { approved: boolean; own: Fields } } = {
  approved: { approved: true, own: {} },
  denied: { approved: false, own: {} },
  answered: { approved: true, own: { approval: 'answered' } },
  expired: { approved: false, own: { approval: 'expired' } },
}

/** Questions about a call stand on its part; others are data parts of their own. */
export function createApprovals(response: Response, calls: ReadonlyMap<string, OpenCall>): Approvals {
  const { emit } = response
  /** What was asked outside any call, for as long as it is not answered. */
  const questions = new Map<string, { readonly message?: string; readonly request?: Json }>()

  function request(event: EventOf<'approval'>, call: OpenCall | undefined): void {
    const { approvalId, message, request } = event
    if (call === undefined) {
      questions.set(approvalId, event)
      emitData(event, {})
      if (hasAnswered()) response.startStep()
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
   * Whether all that was asked about calls is answered, and some have no output yet. A client sends such answers again
   * each time that a response finishes, without end, unless a later step has begun.
   */
  function hasAnswered(): boolean {
    let isAnswered = false
    for (const { approvalId, isAwaitingAnswer } of calls.values()) {
      if (isAwaitingAnswer) return false
      isAnswered ||= approvalId !== undefined
    }
    return isAnswered
  }

  function answer(event: EventOf<'approval'>, state: keyof typeof answers, call: OpenCall | undefined): void {
    const { approvalId, message, answer } = event
    // The client throws for an approval that it does not show, and takes back an output that came before the answer.
    if (call?.approvalId === approvalId) {
      call.isAwaitingAnswer = false
      const { approved, own } = answers[state]
      const hasMore = answer !== undefined || own.approval !== undefined
      const metadata = hasMore ? metadataOf(call, { ...own, answer }) : undefined
      emit(chunkOf('tool-approval-response', { approvalId, approved, reason: message, providerMetadata: metadata }))
    } else emitData(event, questions.get(approvalId) ?? {})
    questions.delete(approvalId)
    response.pauses.answer(approvalId)
  }

  function emitData(event: EventOf<'approval'>, asked: { readonly message?: string; readonly request?: Json }): void {
    const { approvalId, state, message = asked.message, request = asked.request, answer, callId } = event
    emit(dataPart('approval', approvalId, { approvalId, state, message, request, answer, callId }, event))
  }

  return {
    push(event) {
      const call = event.callId === undefined ? undefined : calls.get(event.callId)
      if (event.state === 'requested') request(event, call)
      else answer(event, event.state, call)
    },
  }
}
