import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { lineMetadata, objectIn, onlyTextIn, status, textIn } from './raw.ts'

/** The state of a tool call. */
export interface Call {
  readonly name: string
  readonly agentId: string | undefined
  hasInput: boolean
  isAnswered: boolean
  isDenied: boolean
  /** The task of the subagent that the call starts; undefined if the tool is not a known subagent tool. */
  task: string | undefined
  description: string | undefined
  /** The call returned at once, and its subagent keeps running. */
  isLaunched: boolean
}

const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent'])

export type Calls = ReturnType<typeof createCalls>

export function createCalls() {
  const calls = new Map<string, Call>()

  function find(fits: (call: Call, callId: string) => boolean): string | undefined {
    for (const [callId, call] of calls) if (fits(call, callId)) return callId
    return undefined
  }

  return {
    get: (callId: string | undefined) => (callId === undefined ? undefined : calls.get(callId)),
    /** Records an event that is about to be emitted. */
    note(event: StreamEvent): void {
      if (event.type === 'tool-start') {
        const { callId, name, agentId } = event
        const open = { hasInput: false, isAnswered: false, isDenied: false, isLaunched: false }
        remember(calls, callId, { name, agentId, ...open, task: undefined, description: undefined })
      } else if (event.type === 'tool-input') {
        const call = calls.get(event.callId)
        if (call === undefined) return
        call.hasInput = true
        const input = (event.input ?? {}) as JsonObject
        if (typeof input.description === 'string') call.description = input.description
        if (SUBAGENT_TOOLS.has(call.name)) call.task = taskOf(input)
      } else if (event.type === 'tool-output') {
        const call = calls.get(event.callId)
        if (call !== undefined) call.isAnswered = true
      }
    },
    /** The call that a result without an id answers: the oldest call of its agent that has no result. */
    oldestOf: (agentId: string | undefined) => find((call) => !call.isAnswered && call.agentId === agentId),
    /** Of the calls that are not taken: that of a subagent with this task, else the oldest that started a subagent. */
    subagentCall(task: string | undefined, isTaken: (callId: string) => boolean): string | undefined {
      const isFree = (call: Call, callId: string) => call.task !== undefined && !isTaken(callId)
      return find((call, callId) => isFree(call, callId) && call.task === task) ?? find(isFree)
    },
  }
}

/** Returns an empty string if a subagent is named without a task, and undefined if none is named. */
function taskOf(input: JsonObject): string | undefined {
  return textIn(input, 'prompt', 'description') ?? (typeof input.subagent_type === 'string' ? '' : undefined)
}

/** The name of an MCP server's tool is `mcp__<server>__<tool>`. */
const OF_SERVER = /^mcp__(.+?)__/

/** A call as the agent makes it: the agent runs its tools, except those that the provider runs. */
export function fromAgent(event: EventOf<'tool-start'>): EventOf<'tool-start'> {
  const server = event.server ?? OF_SERVER.exec(event.name)?.[1]
  return { ...event, runBy: event.runBy === 'client' ? 'agent' : event.runBy, ...present({ server }) }
}

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
      const message = onlyTextIn(line, 'message', 'decision_reason')
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
