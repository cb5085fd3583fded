import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import type { Calls } from './calls.ts'
import { lineMetadata, objectIn, status, textIn } from './fields.ts'
import type { PlainLine, SystemLine } from './raw.ts'

export interface Control {
  request(line: PlainLine<'control_request'>): readonly StreamEvent[]
  response(line: PlainLine<'control_response'>): readonly StreamEvent[]
  cancel(line: PlainLine<'control_cancel_request'>): readonly StreamEvent[]
  denied(line: SystemLine): readonly StreamEvent[]
  /** Whether a question has no answer yet. */
  isAsking(): boolean
}

/** The questions between the program and its host, mostly whether a tool may be used. */
export function createControl(calls: Calls): Control {
  /** By request id: the tool that the question is about. */
  const openQuestions = new Map<string, { readonly tool: string | undefined; readonly callId: string | undefined }>()

  function agentOf(callId: string | undefined): { agentId?: string } {
    const agentId = callId === undefined ? undefined : calls.get(callId)?.agentId
    return agentId === undefined ? {} : { agentId }
  }

  function ask(approvalId: string, request: JsonObject): StreamEvent[] {
    const callId = textIn(request, 'tool_use_id')
    remember(openQuestions, approvalId, { tool: textIn(request, 'tool_name'), callId })
    const { subtype: _, ...fields } = request
    const message = textIn(request, 'title', 'description', 'decision_reason')
    return [
      {
        type: 'approval',
        approvalId,
        state: 'requested',
        request: fields,
        ...present({ callId, message }),
        ...agentOf(callId),
      },
    ]
  }

  function settle(approvalId: string, state: 'approved' | 'denied' | 'answered' | 'expired', answer?: JsonObject) {
    const callId = openQuestions.get(approvalId)?.callId
    openQuestions.delete(approvalId)
    const call = callId === undefined ? undefined : calls.get(callId)
    if (call !== undefined && state === 'denied') call.isDenied = true
    const message = answer === undefined ? undefined : textIn(answer, 'message')
    const event: StreamEvent = {
      type: 'approval',
      approvalId,
      state,
      ...present({ callId, message, answer }),
      ...agentOf(callId),
    }
    return [event]
  }

  return {
    request(line) {
      const request = objectIn(line, 'request')
      const id = textIn(line, 'request_id')
      if (request.subtype === 'interrupt') return [{ type: 'control', action: 'stop', by: 'host' }]
      if (request.subtype === 'can_use_tool' && id !== undefined) return ask(id, request)
      return [lineMetadata('control_request', line)]
    },
    response(line) {
      const response = objectIn(line, 'response')
      const id = textIn(response, 'request_id') ?? textIn(line, 'request_id')
      const question = id === undefined ? undefined : openQuestions.get(id)
      if (id === undefined || question === undefined) return [lineMetadata('control_response', line)]
      const answer = objectIn(response, 'response')
      if (answer.behavior !== 'allow') return settle(id, 'denied', orError(answer, response.error))
      return settle(id, question.tool === 'AskUserQuestion' ? 'answered' : 'approved', answer)
    },
    cancel(line) {
      const id = textIn(line, 'request_id')
      return id !== undefined && openQuestions.has(id)
        ? settle(id, 'expired')
        : [lineMetadata('control_cancel_request', line)]
    },
    denied(line) {
      const callId = textIn(line, 'tool_use_id')
      const call = callId === undefined ? undefined : calls.get(callId)
      if (call !== undefined) call.isDenied = true
      const message = textIn(line, 'message', 'decision_reason')
      if (call?.isAnswered) return message === undefined ? SILENT : [{ ...status(message, 'warn'), ...agentOf(callId) }]
      const approvalId = callId ?? textIn(line, 'uuid') ?? 'permission'
      const request = present({ tool_name: line.tool_name, reason: line.decision_reason, input: line.tool_input })
      return [
        {
          type: 'approval',
          approvalId,
          state: 'denied',
          request: request as JsonObject,
          ...present({ callId, message }),
          ...agentOf(callId),
        },
      ]
    },
    isAsking: () => openQuestions.size > 0,
  }
}

function orError(answer: JsonObject, error: Json | undefined): JsonObject {
  return typeof error === 'string' ? { ...answer, message: error } : answer
}
