import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { EventScope } from './sessions.ts'

interface ApprovalRequest {
  readonly id: string
  readonly tool?: { readonly callID?: string }
  readonly callID?: string
  readonly title?: string
  readonly permission?: string
  readonly patterns?: readonly string[]
  readonly questions?: readonly { readonly question?: string }[]
}

interface ApprovalAnswer {
  readonly requestID?: string
  readonly permissionID?: string
  readonly reply?: string
  readonly response?: string
  readonly answers?: Json
}

/** A decision for the user: whether a tool runs, or the answer to a question. */
export function requestEvent(properties: JsonObject, scope: EventScope): EventOf<'approval'> {
  const { id, tool, callID, title, permission, patterns, questions } = properties as unknown as ApprovalRequest
  if (typeof id !== 'string') throw new TypeError('A question has no id.')
  const questionText = questions?.find(({ question }) => question)?.question
  const permissionText = permission === undefined ? undefined : [permission, ...(patterns ?? [])].join(' ')
  return {
    ...scope,
    type: 'approval',
    approvalId: id,
    state: 'requested',
    request: properties,
    ...present({ callId: tool?.callID ?? callID, message: title ?? questionText ?? permissionText }),
  }
}

export function answerEvent(properties: JsonObject, scope: EventScope, isRejected: boolean): EventOf<'approval'> {
  const { requestID, permissionID, reply, response, answers } = properties as unknown as ApprovalAnswer
  const approvalId = requestID ?? permissionID
  if (typeof approvalId !== 'string') throw new TypeError('An answer names no question.')
  const reaction = reply ?? response
  const state = isRejected || reaction === 'reject' ? 'denied' : reaction === undefined ? 'answered' : 'approved'
  return {
    ...scope,
    type: 'approval',
    approvalId,
    state,
    ...present({ answer: answers ?? reaction }),
  }
}
