import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Place } from './sessions.ts'

interface Asked {
  readonly id: string
  readonly tool?: { readonly callID?: string }
  readonly callID?: string
  readonly title?: string
  readonly permission?: string
  readonly patterns?: readonly string[]
  readonly questions?: readonly { readonly question?: string }[]
}

interface Answered {
  readonly requestID?: string
  readonly permissionID?: string
  readonly reply?: string
  readonly response?: string
  readonly answers?: Json
}

/** Something that only a person may decide: whether a tool runs, or what the answer to a question is. */
export function askedEvent(properties: JsonObject, place: Place): StreamEvent {
  const { id, tool, callID, title, permission, patterns, questions } = properties as unknown as Asked
  const asked = questions?.find(({ question }) => question)?.question
  const wanted = permission === undefined ? undefined : [permission, ...(patterns ?? [])].join(' ')
  return {
    ...place,
    type: 'approval',
    approvalId: id,
    state: 'requested',
    request: properties,
    ...present({ callId: tool?.callID ?? callID, message: title ?? asked ?? wanted }),
  }
}

export function answeredEvent(properties: JsonObject, place: Place, isRejected: boolean): StreamEvent {
  const { requestID, permissionID, reply, response, answers } = properties as unknown as Answered
  const said = reply ?? response
  const state = isRejected || said === 'reject' ? 'denied' : said === undefined ? 'answered' : 'approved'
  return {
    ...place,
    type: 'approval',
    approvalId: requestID ?? permissionID ?? '',
    state,
    ...present({ answer: answers ?? said }),
  }
}
