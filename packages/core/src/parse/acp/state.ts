import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import type { EventScope } from '../parser.ts'
import { type Content, createProse, mediaOf, textOf } from './prose.ts'
import type { ToolCall } from './tool-call.ts'
import { createTools } from './tools.ts'

export type State = ReturnType<typeof createState>

/** The state of a connection so far, and how it ends. */
export function createState() {
  const prose = createProse()
  const tools = createTools()
  /** The questions without an answer, each with the call that it is about, if any. */
  const questions = new Map<string, string | undefined>()
  /** Each turn has one message of the user and one of the agent. */
  let turnCount = 0
  let open: { readonly messageId: string; readonly role: Role; readonly key: string | undefined } | undefined
  let unechoedPrompt: { readonly text: string; readonly mediaCount: number } | undefined
  let hasPrompts = false
  let ending: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let hasAgentContent = false
  let failure: string | undefined

  function endMessage(out: Out, stopReason?: string): void {
    if (open === undefined) return
    const { messageId, role } = open
    open = undefined
    prose.end(out)
    // Questions that can no longer be answered.
    for (const approvalId of questions.keys()) out.push({ type: 'approval', approvalId, state: 'expired' })
    questions.clear()
    if (role === 'assistant') out.push({ type: 'step-end', ...present({ reason: stopReason }) })
    out.push({ type: 'message-end', messageId })
  }

  function openMessage(out: Out, role: Role, key: string | undefined): void {
    if (open?.role === role && open.key === key) return
    endMessage(out)
    if (role === 'user' || turnCount === 0) turnCount++
    const messageId = role === 'user' ? `prompt-${turnCount}` : `turn-${turnCount}`
    open = { messageId, role, key }
    out.push({ type: 'message-start', messageId, role })
    if (role === 'assistant') out.push({ type: 'step-start', kind: 'model' })
  }

  /**
   * Opens the message of the user or the main agent, unless it is open; a subagent has no message of its own. `key`
   * distinguishes one message of the user from the next.
   */
  function enter(out: Out, role: Role, { agentId }: EventScope, key?: string): void {
    if (agentId !== undefined) {
      // The message of the agent holds the work of its subagents.
      if (open?.role === 'user') openMessage(out, 'assistant', undefined)
      return
    }
    if (role === 'assistant') {
      unechoedPrompt = undefined
      hasAgentContent = true
    }
    openMessage(out, role, key)
  }

  /** Adds events that end the open text. */
  function pushAside(out: Out, scope: EventScope, ...events: readonly StreamEvent[]): void {
    enter(out, 'assistant', scope)
    prose.end(out)
    out.push(...events)
  }

  /** A call that continues was approved, even if the answer was not logged. */
  function pushImpliedApproval(out: Out, { toolCallId, status }: ToolCall): void {
    if (questions.size === 0 || (status !== 'in_progress' && status !== 'completed')) return
    const approvalId = [...questions].find(([, callId]) => callId === toolCallId)?.[0]
    if (approvalId === undefined) return
    questions.delete(approvalId)
    out.push({ type: 'approval', approvalId, state: 'approved' })
  }

  return {
    prose,
    tools,
    enter,
    /** Returns false if the call has ended. */
    pushCall(out: Out, call: ToolCall, scope: EventScope): boolean {
      const changes: Out = []
      if (!tools.update(changes, call, scope)) return false
      pushImpliedApproval(out, call)
      enter(out, 'assistant', scope)
      if (changes[0]?.type === 'tool-start') prose.end(out)
      out.push(...changes)
      return true
    },
    pushAside,
    /** Adds the failure of the turn before, which is not the end of the run if another prompt follows. */
    pushFailure(out: Out, scope: EventScope): void {
      if (failure !== undefined) pushAside(out, scope, { ...scope, type: 'status', message: failure, level: 'error' })
      failure = undefined
    },
    /** Notes a prompt, which agents may send back. */
    setPrompt(prompt: readonly Content[]): void {
      unechoedPrompt = { text: textOf(prompt), mediaCount: mediaOf(prompt).length }
      hasPrompts = true
      ending = 'none'
    },
    /** Whether the content repeats the next part of the prompt; if so, that part is consumed. */
    consumeEcho(contents: readonly Content[]): boolean {
      if (unechoedPrompt === undefined) return false
      const text = textOf(contents)
      const mediaCount = unechoedPrompt.mediaCount - mediaOf(contents).length
      if (!unechoedPrompt.text.startsWith(text) || mediaCount < 0) return false
      unechoedPrompt = { text: unechoedPrompt.text.slice(text.length), mediaCount }
      return true
    },
    awaitApproval(approvalId: string, callId?: string): void {
      if (questions.size < 8192) questions.set(approvalId, callId)
    },
    answerApproval: (approvalId: string) => void questions.delete(approvalId),
    stop(out: Out, stopReason: string): void {
      tools.settleAll(out)
      endMessage(out, stopReason)
      ending = 'stopped'
      reason = stopReason
    },
    /** The agent runs again. */
    resume(): void {
      ending = 'none'
    },
    fail(message: string): void {
      ending = 'failed'
      failure = message
    },
    end(): readonly StreamEvent[] {
      const out: Out = []
      tools.settleAll(out)
      if (ending === 'stopped') {
        out.push({ type: 'run-end', outcome: reason === 'cancelled' ? 'cancelled' : 'success', ...present({ reason }) })
      } else if (ending === 'none' && questions.size > 0) {
        out.push({ type: 'run-end', outcome: 'awaiting-input' })
      } else if (ending === 'none' && !hasPrompts && hasAgentContent && !tools.hasOpen()) {
        // Without a logged prompt there is no logged answer to it: if nothing is open, the agent has finished.
        endMessage(out)
        out.push({ type: 'run-end', outcome: 'success' })
      }
      return out
    },
  }
}
