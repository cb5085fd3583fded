import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import type { Calls } from './calls.ts'
import { lineMetadata, objectIn, status, textIn } from './fields.ts'

type Approval = EventOf<'approval'>
type Events = readonly StreamEvent[]

/** The questions between the program and its host, mostly whether a tool may be used. */
export function createControl(calls: Calls) {
  /** By request id: the tool that the question is about. */
  const openQuestions = new Map<string, { readonly tool: string | undefined; readonly callId: string | undefined }>()

  const agentOf = (callId: string | undefined) => present({ agentId: calls.get(callId)?.agentId })

  function approval(
    approvalId: string,
    state: Approval['state'],
    callId: string | undefined,
    fields: { readonly [Field in 'request' | 'answer' | 'message']?: Approval[Field] | undefined },
  ): Approval[] {
    return [{ type: 'approval', approvalId, state, ...present({ callId, ...fields }), ...agentOf(callId) }]
  }

  function deny(callId: string | undefined): void {
    const call = calls.get(callId)
    if (call !== undefined) call.isDenied = true
  }

  function settle(approvalId: string, state: Approval['state'], answer?: JsonObject): Approval[] {
    const callId = openQuestions.get(approvalId)?.callId
    openQuestions.delete(approvalId)
    if (state === 'denied') deny(callId)
    return approval(approvalId, state, callId, { message: textIn(answer ?? {}, 'message'), answer })
  }

  return {
    request(line: object): Events {
      const request = objectIn(line, 'request')
      const id = textIn(line, 'request_id')
      if (request.subtype === 'interrupt') return [{ type: 'control', action: 'stop', by: 'host' }]
      if (request.subtype !== 'can_use_tool' || id === undefined) return [lineMetadata('control_request', line)]
      const { subtype: _, ...fields } = request
      const callId = textIn(request, 'tool_use_id')
      remember(openQuestions, id, { tool: textIn(request, 'tool_name'), callId })
      const message = textIn(request, 'title', 'description', 'decision_reason')
      return approval(id, 'requested', callId, { request: fields, message })
    },
    response(line: object): Events {
      const response = objectIn(line, 'response')
      const id = textIn(response, 'request_id') ?? textIn(line, 'request_id')
      const question = id === undefined ? undefined : openQuestions.get(id)
      if (id === undefined || question === undefined) return [lineMetadata('control_response', line)]
      const { error } = response
      const answer = objectIn(response, 'response')
      if (answer.behavior !== 'allow')
        return settle(id, 'denied', typeof error === 'string' ? { ...answer, message: error } : answer)
      return settle(id, question.tool === 'AskUserQuestion' ? 'answered' : 'approved', answer)
    },
    cancel(line: object): Events {
      const id = textIn(line, 'request_id')
      if (id === undefined || !openQuestions.has(id)) return [lineMetadata('control_cancel_request', line)]
      return settle(id, 'expired')
    },
    /** The program itself did not allow a tool. */
    denied(line: JsonObject): Events {
      const callId = textIn(line, 'tool_use_id')
      const message = textIn(line, 'message', 'decision_reason')
      deny(callId)
      if (calls.get(callId)?.isAnswered)
        return message === undefined ? SILENT : [{ ...status(message, 'warn'), ...agentOf(callId) }]
      const request = present({ tool_name: line.tool_name, reason: line.decision_reason, input: line.tool_input })
      const approvalId = callId ?? textIn(line, 'uuid') ?? 'permission'
      return approval(approvalId, 'denied', callId, { request: request as JsonObject, message })
    },
    /** Whether a question has no answer yet. */
    isAsking: () => openQuestions.size > 0,
  }
}
