import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { EventScope } from '../parser.ts'
import { mediaOf, textOf } from './content.ts'
import { createConversation } from './conversation.ts'
import { createProse, type Prose } from './prose.ts'
import type { Content, ToolCall } from './raw.ts'
import { createTools, type Tools } from './tools.ts'

/** The state of a connection so far, and how it ends. */
export interface State {
  readonly prose: Prose
  readonly tools: Tools
  /** Opens the message of the user or the main agent, unless it is open; a subagent has no message of its own. */
  enter(role: Role, scope: EventScope, key?: string): StreamEvent[]
  callEvents(call: ToolCall, scope: EventScope): StreamEvent[] | undefined
  /** Events that end the open text. */
  aside(events: readonly StreamEvent[], scope: EventScope): StreamEvent[]
  /** The failure of the turn before, which is not the end of the run if another prompt follows. */
  takeFailure(scope: EventScope): StreamEvent[]
  /** Notes a prompt, which agents may send back. */
  setPrompt(prompt: readonly Content[]): void
  /** Whether the content repeats the next part of the prompt; if so, that part is consumed. */
  consumeEcho(contents: readonly Content[]): boolean
  awaitApproval(approvalId: string, callId: string | undefined): void
  answerApproval(approvalId: string): void
  stop(reason: string): StreamEvent[]
  /** The agent runs again. */
  resume(): void
  fail(message: string): void
  end(): StreamEvent[]
}

export function createState(): State {
  const prose = createProse()
  const tools = createTools()
  /** The questions without an answer, each with the call that it is about, if any. */
  const questions = new Map<string, string | undefined>()
  const conversation = createConversation(() => [...prose.end(), ...expireQuestions()])
  let unechoedPrompt: { readonly text: string; readonly mediaCount: number } | undefined
  let hasPrompts = false
  let ending: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let hasAgentContent = false
  let failure: string | undefined

  function enter(role: Role, { agentId }: EventScope, key?: string): StreamEvent[] {
    if (agentId !== undefined) return conversation.leaveUser()
    if (role === 'assistant') {
      unechoedPrompt = undefined
      hasAgentContent = true
    }
    return conversation.enter(role, key)
  }

  function aside(events: readonly StreamEvent[], scope: EventScope): StreamEvent[] {
    return [...enter('assistant', scope), ...prose.end(), ...events]
  }

  /** Questions that can no longer be answered. */
  function expireQuestions(): StreamEvent[] {
    const events = [...questions.keys()].map(
      (approvalId): StreamEvent => ({ type: 'approval', approvalId, state: 'expired' }),
    )
    questions.clear()
    return events
  }

  /** A call that continues was approved, even if the answer was not logged. */
  function impliedApproval({ toolCallId, status }: ToolCall): StreamEvent[] {
    if (status !== 'in_progress' && status !== 'completed') return []
    const approvalId = [...questions].find(([, callId]) => callId === toolCallId)?.[0]
    if (approvalId === undefined) return []
    questions.delete(approvalId)
    return [{ type: 'approval', approvalId, state: 'approved' }]
  }

  function outcome(): StreamEvent[] {
    if (ending === 'failed') return []
    if (ending === 'stopped') {
      return [{ type: 'run-end', outcome: reason === 'cancelled' ? 'cancelled' : 'success', ...present({ reason }) }]
    }
    if (questions.size > 0) return [{ type: 'run-end', outcome: 'awaiting-input' }]
    // Without a logged prompt there is no logged answer to it: if nothing is open, the agent has finished.
    if (hasPrompts || !hasAgentContent || tools.hasOpen()) return []
    return [...conversation.end(), { type: 'run-end', outcome: 'success' }]
  }

  return {
    prose,
    tools,
    enter,
    callEvents(call, scope) {
      const events = tools.update(call, scope)
      if (events === undefined) return undefined
      const isNew = events.some(({ type }) => type === 'tool-start')
      return [...impliedApproval(call), ...enter('assistant', scope), ...(isNew ? prose.end() : []), ...events]
    },
    aside,
    takeFailure(scope) {
      const message = failure
      failure = undefined
      return message === undefined ? [] : aside([{ ...scope, type: 'status', message, level: 'error' }], scope)
    },
    setPrompt(prompt) {
      unechoedPrompt = { text: textOf(prompt), mediaCount: mediaOf(prompt).length }
      hasPrompts = true
      ending = 'none'
    },
    consumeEcho(contents) {
      if (unechoedPrompt === undefined) return false
      const text = textOf(contents)
      const mediaCount = unechoedPrompt.mediaCount - mediaOf(contents).length
      if (!unechoedPrompt.text.startsWith(text) || mediaCount < 0) return false
      unechoedPrompt = { text: unechoedPrompt.text.slice(text.length), mediaCount }
      return true
    },
    awaitApproval(approvalId, callId) {
      if (questions.size < 8192) questions.set(approvalId, callId)
    },
    answerApproval(approvalId) {
      questions.delete(approvalId)
    },
    stop(stopReason) {
      const events = [...tools.settleAll(), ...conversation.end(stopReason)]
      ending = 'stopped'
      reason = stopReason
      return events
    },
    resume() {
      ending = 'none'
    },
    fail(message) {
      ending = 'failed'
      failure = message
    },
    end: () => [...tools.settleAll(), ...outcome()],
  }
}
