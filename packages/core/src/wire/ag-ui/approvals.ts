import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import { isFollowed } from '../responses.ts'
import type { Rows } from '../rows.ts'
import { customChunk, payloadOf } from './chunk.ts'
import type { Interrupt, Stream } from './stream.ts'

type Answered = Exclude<ApprovalState, 'requested'>

/** An answer in the input of the next run. A question that expired has no answer. */
const answers: { readonly [State in Answered]: (answer: Json | undefined) => Fields } = {
  approved: (answer) => ({ status: 'resolved', payload: answer ?? { approved: true } }),
  denied: (answer) => ({ status: 'resolved', payload: answer ?? { approved: false } }),
  answered: (answer) => ({ status: 'resolved', payload: answer ?? undefined }),
  expired: () => ({ status: 'cancelled' }),
}

/**
 * A chunk is sent when a question is asked and when it is answered. While it is open it is an interrupt: the run
 * finishes with it, and the next run begins with the answer.
 */
export function approvalRows(stream: Stream): Pick<Rows, 'approval'> {
  return {
    approval(event) {
      const { approvalId, state, answer } = event
      if (state === 'requested') stream.pauses.ask(approvalId, interruptOf(event, stream.idOf), isFollowed(event))
      else stream.answer(approvalId, answers[state](answer))
      stream.emit(customChunk(event, payloadOf(event, stream.idOf)))
    },
  }
}

/** The schema of the answer to the question whether a call may run. */
const YES_OR_NO = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
} as const

/** The reason is not `tool_call`: some clients take the answer to such an interrupt for the result of the call. */
function interruptOf(event: EventOf<'approval'>, idOf: Stream['idOf']): Interrupt {
  const { approvalId, callId, message, request, agentId } = event
  const details = isJsonObject(request) ? request : {}
  const { reason, responseSchema, expiresAt } = details
  return {
    ...defined({
      reason: typeof reason === 'string' ? reason : callId === undefined ? 'input_required' : 'approval',
      message,
      toolCallId: callId === undefined ? undefined : idOf(callId),
      responseSchema: isJsonObject(responseSchema) ? responseSchema : callId === undefined ? undefined : YES_OR_NO,
      expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
      metadata: request === undefined ? undefined : { request },
      subagentRunId: agentId,
    }),
    id: approvalId,
  }
}
