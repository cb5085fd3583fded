import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'

/** Who speaks to whom: each turn is a message of the user's and one of the agent's. */
export interface Conversation {
  /** The events that let this one speak, where another spoke last. `key` tells one message of the user's from the next. */
  enter(role: Role, key?: string): StreamEvent[]
  /** Ends what is open; `reason` is the agent's word for why it stopped. */
  end(reason?: string): StreamEvent[]
}

/** `beforeEnd` gives what must be told before a message ends. */
export function createConversation(beforeEnd: () => readonly StreamEvent[]): Conversation {
  let turnCount = 0
  let open: { readonly messageId: string; readonly role: Role; readonly key: string } | undefined

  function end(reason?: string): StreamEvent[] {
    if (open === undefined) return []
    const { messageId, role } = open
    const last = beforeEnd()
    open = undefined
    const step: StreamEvent[] = role === 'assistant' ? [{ type: 'step-end', ...present({ reason }) }] : []
    return [...last, ...step, { type: 'message-end', messageId }]
  }

  return {
    enter(role, key = '') {
      if (open?.role === role && open.key === key) return []
      const ended = end()
      if (role === 'user' || turnCount === 0) turnCount++
      const messageId = role === 'user' ? `prompt-${turnCount}` : `turn-${turnCount}`
      open = { messageId, role, key }
      const step: StreamEvent[] = role === 'assistant' ? [{ type: 'step-start', kind: 'model' }] : []
      return [...ended, { type: 'message-start', messageId, role }, ...step]
    },
    end,
  }
}
