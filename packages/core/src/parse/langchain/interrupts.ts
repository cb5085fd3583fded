import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Call, Calls } from './calls.ts'
import type { GraphScope } from './emitted-message.ts'

/** The most questions that are remembered, so that an endless stream does not exhaust memory. */
const MAX_QUESTIONS = 1024

export type Interrupts = ReturnType<typeof createInterrupts>

/** Questions that a graph stops for. Each is emitted once, even if several modes and graphs repeat it. */
export function createInterrupts(calls: Calls) {
  const askedKeys = new Set<string>()
  /** Approvals without an answer, each with the id of its call, if it has one. */
  const waiting = new Map<string, string | undefined>()
  let isWaiting = false
  let minted = 0

  /** The call of a request. Requests do not name their calls, but come in the order of the calls. */
  function callOf(action: JsonObject, scope: GraphScope): Call | undefined {
    const name = textIn(action.name) ?? textIn(action.action)
    const claimedCallIds = new Set(waiting.values())
    const isMeant = (call: Call) => call.name === name && !claimedCallIds.has(call.callId)
    return calls.open(scope).find(isMeant) ?? calls.openAnywhere().find(isMeant)
  }

  function request(
    out: Out,
    approvalId: string,
    action: JsonObject,
    review: Json | undefined,
    scope: GraphScope,
  ): void {
    const call = callOf(action, scope)
    remember(waiting, approvalId, call?.callId, MAX_QUESTIONS)
    out.push({
      type: 'approval',
      approvalId,
      state: 'requested',
      request: review === undefined ? action : { ...action, review },
      ...scope.agent,
      ...call?.scope.agent,
      ...present({ callId: call?.callId, message: textIn(action.description) }),
    })
  }

  function askOne(out: Out, interrupt: JsonObject, scope: GraphScope): void {
    const value = interrupt.value ?? interrupt.payload ?? null
    const interruptId = textIn(interrupt.id) ?? textIn(interrupt.interrupt_id)
    const key = interruptId ?? JSON.stringify(value)
    if (askedKeys.has(key)) return
    rememberOne(askedKeys, key, MAX_QUESTIONS)
    const id = interruptId ?? `interrupt-${++minted}`
    isWaiting = true
    const { actions, reviews } = actionsOf(value)
    for (const [index, action] of actions.entries())
      request(out, actions.length === 1 ? id : `${id}:${index}`, action, reviews[index], scope)
    if (actions.length > 0) return
    remember(waiting, id, undefined, MAX_QUESTIONS)
    const { question, message } = objectIn(value)
    const text = textIn(value) ?? textIn(question) ?? textIn(message)
    const fields = present({ request: value, message: text })
    out.push({ type: 'approval', approvalId: id, state: 'requested', ...fields, ...scope.agent })
  }

  return {
    ask(out: Out, interrupts: Json | undefined, scope: GraphScope): void {
      if (interrupts === undefined || interrupts === null) return
      if (!Array.isArray(interrupts) || !interrupts.every(isJsonObject)) keepRaw(out, { interrupts })
      else for (const interrupt of interrupts) askOne(out, interrupt, scope)
    },
    /** The answers to the questions whose calls continue with an event. */
    answersBefore(event: StreamEvent): readonly StreamEvent[] {
      if (waiting.size === 0 || (event.type !== 'step-start' && event.type !== 'tool-output')) return []
      isWaiting = false
      // A question without a call is answered when anything continues, a question with a call when that call does.
      const resumedCallId = event.type === 'tool-output' ? event.callId : undefined
      const answered = [...waiting].filter(([, callId]) => callId === undefined || callId === resumedCallId)
      return answered.map(([approvalId, callId]) => {
        waiting.delete(approvalId)
        return { type: 'approval', approvalId, state: 'answered', ...present({ callId }) }
      })
    },
    /** Whether the graph has not continued since its last question. */
    isWaiting: () => isWaiting,
  }
}

/** The actions of an approval request in the form of any version: one, or a list of them. */
function actionsOf(value: Json): { readonly actions: readonly JsonObject[]; readonly reviews: readonly Json[] } {
  const list = objectsIn(Array.isArray(value) ? value : [value])
  const requests = list.filter(({ action_request }) => isJsonObject(action_request))
  if (requests.length > 0)
    return { actions: requests.map(inboxAction), reviews: requests.map(({ config }) => config ?? {}) }
  const { action_requests, actionRequests, review_configs, reviewConfigs } = objectIn(value)
  const reviews = review_configs ?? reviewConfigs
  return { actions: objectsIn(action_requests ?? actionRequests), reviews: Array.isArray(reviews) ? reviews : [] }
}

/** The older inbox has the form `{action_request: {action, args}, description}`. */
function inboxAction(request: JsonObject): JsonObject {
  const { action_request, description } = request
  return { ...(action_request as JsonObject), ...(description !== undefined && { description }) }
}
