import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { Call, Calls } from './calls.ts'
import type { GraphScope } from './emitted-message.ts'
import { wordOf } from './message.ts'

/** Questions that a graph stops for. Each is emitted once, even if several modes and graphs repeat it. */
export interface Interrupts {
  ask(interrupts: Json | undefined, scope: GraphScope): readonly StreamEvent[]
  /** Adds the answers to the questions whose calls have continued. */
  withAnswers(events: StreamEvent[]): StreamEvent[]
  /** Whether the graph has not continued since its last question. */
  isWaiting(): boolean
}

/** The most questions that are remembered, so that an endless stream does not exhaust memory. */
const MAX_QUESTIONS = 1024

export function createInterrupts(calls: Calls): Interrupts {
  const askedKeys = new Set<string>()
  /** Approvals without an answer, each with the id of its call, if it has one. */
  const waiting = new Map<string, string | undefined>()
  let isWaiting = false
  let minted = 0

  /** The call of a request. Requests do not name their calls, but come in the order of the calls. */
  function callOf(action: JsonObject, scope: GraphScope): Call | undefined {
    const name = wordOf(action.name) ?? wordOf(action.action)
    const claimedCallIds = new Set(waiting.values())
    const isMeant = (call: Call) => call.name === name && !claimedCallIds.has(call.callId)
    return calls.open(scope).find(isMeant) ?? calls.openAnywhere().find(isMeant)
  }

  function request(approvalId: string, action: JsonObject, review: Json | undefined, scope: GraphScope): StreamEvent {
    const call = callOf(action, scope)
    remember(waiting, approvalId, call?.callId, MAX_QUESTIONS)
    const message = wordOf(action.description)
    return {
      type: 'approval',
      approvalId,
      state: 'requested',
      request: review === undefined ? action : { ...action, review },
      ...present({ callId: call?.callId, message, agentId: call?.scope.agentId ?? scope.agentId }),
    }
  }

  function askOne(interrupt: JsonObject, scope: GraphScope): StreamEvent[] {
    const value = interrupt.value ?? interrupt.payload ?? null
    const interruptId = wordOf(interrupt.id) ?? wordOf(interrupt.interrupt_id)
    const key = interruptId ?? JSON.stringify(value)
    if (askedKeys.has(key)) return []
    rememberOne(askedKeys, key, MAX_QUESTIONS)
    const id = interruptId ?? `interrupt-${++minted}`
    isWaiting = true
    const { actions, reviews } = actionsOf(value)
    if (actions.length === 0) {
      remember(waiting, id, undefined, MAX_QUESTIONS)
      return [question(id, value, scope)]
    }
    return actions.map((action, index) =>
      request(actions.length === 1 ? id : `${id}:${index}`, action, reviews[index], scope),
    )
  }

  /** A question without a call is answered when anything continues, a question with a call when that call does. */
  function answerEvents(resumedCallId: string | undefined): StreamEvent[] {
    const answered = [...waiting].filter(([, callId]) => callId === undefined || callId === resumedCallId)
    return answered.map(([approvalId, callId]) => {
      waiting.delete(approvalId)
      return { type: 'approval', approvalId, state: 'answered', ...present({ callId }) }
    })
  }

  return {
    ask(interrupts, scope) {
      if (interrupts === undefined || interrupts === null) return SILENT
      if (!Array.isArray(interrupts) || !interrupts.every(isJsonObject)) return unmapped({ interrupts })
      return understood(interrupts.flatMap((interrupt) => askOne(interrupt, scope)))
    },
    withAnswers(events) {
      if (waiting.size === 0) return events
      return events.flatMap((event) => {
        if (event.type !== 'step-start' && event.type !== 'tool-output') return [event]
        isWaiting = false
        return [...answerEvents(event.type === 'tool-output' ? event.callId : undefined), event]
      })
    },
    isWaiting: () => isWaiting,
  }
}

function question(approvalId: string, value: Json, { agentId }: GraphScope): StreamEvent {
  const message = wordOf(value) ?? (isJsonObject(value) ? (wordOf(value.question) ?? wordOf(value.message)) : undefined)
  return { type: 'approval', approvalId, state: 'requested', ...present({ request: value, message, agentId }) }
}

/** The actions of an approval request in the form of any version: one, or a list of them. */
function actionsOf(value: Json): { readonly actions: readonly JsonObject[]; readonly reviews: readonly Json[] } {
  if (Array.isArray(value)) {
    const requests = value.filter(isJsonObject).filter((request) => isJsonObject(request.action_request))
    return { actions: requests.map(inboxAction), reviews: requests.map((request) => request.config ?? {}) }
  }
  if (!isJsonObject(value)) return { actions: [], reviews: [] }
  if (isJsonObject(value.action_request)) return { actions: [inboxAction(value)], reviews: [value.config ?? {}] }
  const actions = value.action_requests ?? value.actionRequests
  const reviews = value.review_configs ?? value.reviewConfigs
  return {
    actions: Array.isArray(actions) ? actions.filter(isJsonObject) : [],
    reviews: Array.isArray(reviews) ? reviews : [],
  }
}

/** The older inbox has the form `{action_request: {action, args}, description}`. */
function inboxAction(request: JsonObject): JsonObject {
  const { action_request, description } = request
  return { ...(action_request as JsonObject), ...(description !== undefined && { description }) }
}
