import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'

/** The messages of the user and the agent: each turn has one of both. */
export interface Conversation {
  /** Opens a message of the role, unless it is open. `key` distinguishes one message of the user from the next. */
  enter(role: Role, key?: string): StreamEvent[]
  /** If a message of the user is open, opens that of the agent, which holds the work of its subagents. */
  leaveUser(): StreamEvent[]
  /** Ends the open message; `reason` is the stop reason of the agent. */
  end(reason?: string): StreamEvent[]
}

/** `beforeEnd` returns the events that must precede the end of a message. */
export function createConversation(beforeEnd: () => readonly StreamEvent[]): Conversation {
  let turnCount = 0
  let open: { readonly messageId: string; readonly role: Role; readonly key: string | undefined } | undefined

  function end(reason?: string): StreamEvent[] {
    if (open === undefined) return []
    const { messageId, role } = open
    const last = beforeEnd()
    open = undefined
    const step: StreamEvent[] = role === 'assistant' ? [{ type: 'step-end', ...present({ reason }) }] : []
    return [...last, ...step, { type: 'message-end', messageId }]
  }

  function enter(role: Role, key?: string): StreamEvent[] {
    if (open?.role === role && open.key === key) return []
    const ended = end()
    if (role === 'user' || turnCount === 0) turnCount++
    const messageId = role === 'user' ? `prompt-${turnCount}` : `turn-${turnCount}`
    open = { messageId, role, key }
    const step: StreamEvent[] = role === 'assistant' ? [{ type: 'step-start', kind: 'model' }] : []
    return [...ended, { type: 'message-start', messageId, role }, ...step]
  }

  return { enter, leaveUser: () => (open?.role === 'user' ? enter('assistant') : []), end }
}
