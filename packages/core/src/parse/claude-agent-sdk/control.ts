import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import type { Calls } from './calls.ts'
import { aside, objectIn, status, wordIn } from './fields.ts'
import type { PlainLine, SystemLine } from './raw.ts'

export interface Control {
  request(line: PlainLine<'control_request'>): readonly StreamEvent[]
  response(line: PlainLine<'control_response'>): readonly StreamEvent[]
  cancel(line: PlainLine<'control_cancel_request'>): readonly StreamEvent[]
  denied(line: SystemLine): readonly StreamEvent[]
  /** Whether somebody was asked and has not answered. */
  isAsking(): boolean
}

/** The questions between the program and its host: above all whether a tool may be used. */
export function createControl(calls: Calls): Control {
  /** By request, the tool that is asked about. */
  const asked = new Map<string, { readonly tool: string | undefined; readonly callId: string | undefined }>()

  function agentOf(callId: string | undefined): { agentId?: string } {
    const agentId = callId === undefined ? undefined : calls.get(callId)?.agentId
    return agentId === undefined ? {} : { agentId }
  }

  function ask(approvalId: string, request: JsonObject): StreamEvent[] {
    const callId = wordIn(request, 'tool_use_id')
    remember(asked, approvalId, { tool: wordIn(request, 'tool_name'), callId })
    const { subtype: _, ...rest } = request
    const message = wordIn(request, 'title', 'description', 'decision_reason')
    return [
      {
        type: 'approval',
        approvalId,
        state: 'requested',
        request: rest,
        ...present({ callId, message }),
        ...agentOf(callId),
      },
    ]
  }

  function settle(approvalId: string, state: 'approved' | 'denied' | 'answered' | 'expired', answer?: JsonObject) {
    const callId = asked.get(approvalId)?.callId
    asked.delete(approvalId)
    const call = callId === undefined ? undefined : calls.get(callId)
    if (call !== undefined && state === 'denied') call.isDenied = true
    const message = answer === undefined ? undefined : wordIn(answer, 'message')
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
      const id = wordIn(line, 'request_id')
      if (request.subtype === 'interrupt') return [{ type: 'control', action: 'stop', by: 'host' }]
      if (request.subtype === 'can_use_tool' && id !== undefined) return ask(id, request)
      return [aside('control_request', line)]
    },
    response(line) {
      const response = objectIn(line, 'response')
      const id = wordIn(response, 'request_id') ?? wordIn(line, 'request_id')
      const question = id === undefined ? undefined : asked.get(id)
      if (id === undefined || question === undefined) return [aside('control_response', line)]
      const answer = objectIn(response, 'response')
      if (answer.behavior !== 'allow') return settle(id, 'denied', orError(answer, response.error))
      return settle(id, question.tool === 'AskUserQuestion' ? 'answered' : 'approved', answer)
    },
    cancel(line) {
      const id = wordIn(line, 'request_id')
      return id !== undefined && asked.has(id) ? settle(id, 'expired') : [aside('control_cancel_request', line)]
    },
    denied(line) {
      const callId = wordIn(line, 'tool_use_id')
      const call = callId === undefined ? undefined : calls.get(callId)
      if (call !== undefined) call.isDenied = true
      const message = wordIn(line, 'message', 'decision_reason')
      if (call?.isAnswered) return message === undefined ? SILENT : [{ ...status(message, 'warn'), ...agentOf(callId) }]
      const approvalId = callId ?? wordIn(line, 'uuid') ?? 'permission'
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
    isAsking: () => asked.size > 0,
  }
}

function orError(answer: JsonObject, error: Json | undefined): JsonObject {
  return typeof error === 'string' ? { ...answer, message: error } : answer
}
