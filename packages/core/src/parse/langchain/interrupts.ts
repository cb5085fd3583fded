import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Call, Calls } from './calls.ts'
import type { GraphScope } from './emitted-message.ts'

interface Question {
  readonly request: Json
  readonly message: string | undefined
}

/** The most questions that are remembered, so that an endless stream does not exhaust memory. */
const MAX_QUESTIONS = 1024

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

  function request(out: Out, approvalId: string, asked: Question, scope: GraphScope, call?: Call): void {
    remember(waiting, approvalId, call?.callId, MAX_QUESTIONS)
    const fields = present({ ...asked, callId: call?.callId })
    out.push({ type: 'approval', approvalId, state: 'requested', ...scope.agent, ...call?.scope.agent, ...fields })
  }

  function askOne(out: Out, interrupt: JsonObject, scope: GraphScope): void {
    const value = interrupt.value ?? interrupt.payload ?? null
    const interruptId = textIn(interrupt.id) ?? textIn(interrupt.interrupt_id)
    const key = interruptId ?? JSON.stringify(value)
    if (askedKeys.has(key)) return
    rememberOne(askedKeys, key, MAX_QUESTIONS)
    const id = interruptId ?? `interrupt-${++minted}`
    isWaiting = true
    const actions = actionsOf(value)
    for (const [index, { review, ...action }] of actions.entries()) {
      const asked = { request: present({ ...action, review }), message: textIn(action.description) }
      request(out, actions.length === 1 ? id : `${id}:${index}`, asked, scope, callOf(action, scope))
    }
    if (actions.length > 0) return
    const { question, message } = objectIn(value)
    request(out, id, { request: value, message: textIn(value) ?? textIn(question) ?? textIn(message) }, scope)
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
function actionsOf(value: Json): readonly JsonObject[] {
  const list = objectsIn(Array.isArray(value) ? value : [value])
  const requests = list.filter(({ action_request }) => isJsonObject(action_request))
  // The older inbox has the form `{action_request: {action, args}, description, config}`.
  if (requests.length > 0)
    return requests.map(({ action_request, description, config = {} }) => ({
      ...objectIn(action_request),
      ...(description !== undefined && { description }),
      review: config,
    }))
  const { action_requests, actionRequests, review_configs, reviewConfigs } = objectIn(value)
  const reviews = review_configs ?? reviewConfigs
  return objectsIn(action_requests ?? actionRequests).map((action, index) => {
    const review = Array.isArray(reviews) ? reviews[index] : undefined
    return review === undefined ? action : { ...action, review }
  })
}
