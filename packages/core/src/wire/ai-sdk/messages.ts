import type { Common, Role } from '../../event-fields.ts'
import type { Rows } from '../rows.ts'
import { dataPart } from './chunk.ts'
import type { Response } from './response.ts'

export interface Messages {
  readonly rows: Pick<Rows, 'message-start' | 'message-end' | 'message-retract'>
  /**
   * Whether an event stands in a message of the assistant, or in none: others are not drawn on this wire, but for what a
   * subagent is told, which no client has.
   */
  isDrawn(event: Common): boolean
}

export function createMessages({ emit }: Response): Messages {
  /** Of the main agent's open messages only. */
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
