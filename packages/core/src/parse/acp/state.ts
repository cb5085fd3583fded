import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { EventScope } from '../parser.ts'
import { createConversation } from './conversation.ts'
import { createProse, type Prose } from './prose.ts'
import type { ToolCall } from './raw.ts'
import { createTools, type Tools } from './tools.ts'

/** What is known of a connection so far, and how it would end. */
export interface State {
  readonly prose: Prose
  readonly tools: Tools
  /** Lets the user or the main agent speak; subagents speak inside the agent's message. */
  enter(role: Role, scope: EventScope, key?: string): StreamEvent[]
  callEvents(call: ToolCall, scope: EventScope): StreamEvent[] | undefined
  /** Something that stands between two texts. */
  aside(events: readonly StreamEvent[], scope: EventScope): StreamEvent[]
  /** The agent has been asked; agents may say again what. */
  setPrompt(text: string): void
  consumeEcho(text: string): boolean
  awaitApproval(approvalId: string, callId: string | undefined): void
  answerApproval(approvalId: string): void
  stop(reason: string): StreamEvent[]
  /** The agent works again. */
  resume(): void
  fail(): void
  end(): StreamEvent[]
}

export function createState(): State {
  const prose = createProse()
  const tools = createTools()
  /** Questions without an answer, by call where they are about one. */
  const questions = new Map<string, string | undefined>()
  const conversation = createConversation(() => [...prose.end(), ...expireQuestions()])
  let unechoedPrompt: string | undefined
  let hasPrompts = false
  let ending: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let hasSpoken = false

  function enter(role: Role, { agentId }: EventScope, key?: string): StreamEvent[] {
    if (agentId !== undefined) return []
    if (role === 'assistant') {
      unechoedPrompt = undefined
      hasSpoken = true
    }
    return conversation.enter(role, key)
  }

  /** Questions that nobody will answer any more. */
  function expireQuestions(): StreamEvent[] {
    const events = [...questions].map(
      ([approvalId, callId]): StreamEvent => ({
        type: 'approval',
        approvalId,
        state: 'expired',
        ...present({ callId }),
      }),
    )
    questions.clear()
    return events
  }

  /** A call that goes on was allowed to, though nobody may have logged the answer. */
  function impliedApproval({ toolCallId, status }: ToolCall): StreamEvent[] {
    if (status !== 'in_progress' && status !== 'completed') return []
    const approvalId = [...questions].find(([, callId]) => callId === toolCallId)?.[0]
    if (approvalId === undefined) return []
    questions.delete(approvalId)
    return [{ type: 'approval', approvalId, state: 'approved', callId: toolCallId }]
  }

  function outcome(): StreamEvent[] {
    if (ending === 'failed') return []
    if (ending === 'stopped') {
      return [{ type: 'run-end', outcome: reason === 'cancelled' ? 'cancelled' : 'success', ...present({ reason }) }]
    }
    if (questions.size > 0) return [{ type: 'run-end', outcome: 'awaiting-input' }]
    // Where no prompt was logged, no answer to one will be: nothing open means that all was said.
    if (hasPrompts || !hasSpoken || tools.hasOpen()) return []
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
    aside: (events, scope) => [...enter('assistant', scope), ...prose.end(), ...events],
    setPrompt(text) {
      unechoedPrompt = text
      hasPrompts = true
      ending = 'none'
    },
    consumeEcho(text) {
      const isEcho = unechoedPrompt !== undefined && text !== '' && unechoedPrompt.startsWith(text)
      if (isEcho) unechoedPrompt = unechoedPrompt?.slice(text.length)
      return isEcho
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
    fail() {
      ending = 'failed'
    },
    end: () => [...tools.settleAll(), ...outcome()],
  }
}
