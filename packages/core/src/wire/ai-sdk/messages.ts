import type { Common, Role } from '../../event-fields.ts'
import type { Rows } from '../rows.ts'
import { dataPart } from './chunk.ts'
import type { Response } from './response.ts'

export interface Messages {
  readonly rows: Pick<Rows, 'message-start' | 'message-end' | 'message-retract'>
  /**
   * Whether an event belongs to a message of the assistant, or to none. Other messages are not drawn on this wire, except
   * those that a subagent receives, which no client has.
   */
  isDrawn(event: Common): boolean
}

export function createMessages({ emit }: Response): Messages {
  /** The roles of the main agent's open messages. */
  const roles = new Map<string, Role>()
  let current: string | undefined
  return {
    rows: {
      'message-start'({ messageId, role, agentId }) {
        if (agentId !== undefined) return
        roles.set(messageId, role)
        current = messageId
      },
      'message-end'({ messageId, agentId }) {
        if (agentId !== undefined) return
        roles.delete(messageId)
        if (current === messageId) current = undefined
      },
      'message-retract'(event) {
        emit(dataPart('retract', undefined, { messageIds: event.messageIds }, event))
      },
    },
    isDrawn({ messageId, agentId }) {
      if (agentId !== undefined) return true
      const role = roles.get(messageId ?? current ?? '')
      return role === undefined || role === 'assistant'
    },
  }
}
