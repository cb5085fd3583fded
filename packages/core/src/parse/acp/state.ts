import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Place } from './content.ts'
import { createProse, type Prose } from './prose.ts'
import type { ToolCall } from './raw.ts'
import { createTools, type Tools } from './tools.ts'
import { createTurns } from './turns.ts'

/** What is known of a connection so far, and how it would end. */
export interface State {
  readonly prose: Prose
  readonly tools: Tools
  /** Lets the user or the main agent speak; subagents speak inside the agent's message. */
  enter(role: Role, place: Place, key?: string): StreamEvent[]
  callEvents(call: ToolCall, place: Place): StreamEvent[] | undefined
  /** Something that stands between two texts. */
  aside(events: readonly StreamEvent[], place: Place): StreamEvent[]
  /** The agent has been asked; agents may say again what. */
  ask(said: string): void
  isEcho(said: string): boolean
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
  const turns = createTurns(() => [...prose.end(), ...expired()])
  let asked: string | undefined
  let hasPrompts = false
  let ending: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let hasSpoken = false

  function enter(role: Role, { agentId }: Place, key?: string): StreamEvent[] {
    if (agentId !== undefined) return []
    if (role === 'assistant') {
      asked = undefined
      hasSpoken = true
    }
    return turns.enter(role, key)
  }

  /** Questions that nobody will answer any more. */
  function expired(): StreamEvent[] {
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
    return [...turns.end(), { type: 'run-end', outcome: 'success' }]
  }

  return {
    prose,
    tools,
    enter,
    callEvents(call, place) {
      const events = tools.update(call, place)
      if (events === undefined) return undefined
      const isNew = events.some(({ type }) => type === 'tool-start')
      return [...impliedApproval(call), ...enter('assistant', place), ...(isNew ? prose.end() : []), ...events]
    },
    aside: (events, place) => [...enter('assistant', place), ...prose.end(), ...events],
    ask(said) {
      asked = said
      hasPrompts = true
      ending = 'none'
    },
    isEcho(said) {
      const isEcho = asked !== undefined && said !== '' && asked.startsWith(said)
      if (isEcho) asked = asked?.slice(said.length)
      return isEcho
    },
    awaitApproval(approvalId, callId) {
      if (questions.size < 8192) questions.set(approvalId, callId)
    },
    answerApproval(approvalId) {
      questions.delete(approvalId)
    },
    stop(said) {
      const events = [...tools.settleAll(), ...turns.end(said)]
      ending = 'stopped'
      reason = said
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
