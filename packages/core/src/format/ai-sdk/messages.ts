import type { Common, Role } from '../../event-fields.ts'
import { dataPart } from './chunk.ts'
import type { Response } from './response.ts'
import type { Rows } from './rows.ts'

export interface Messages {
  readonly rows: Pick<Rows, 'message-start' | 'message-end' | 'message-retract'>
  /** Whether an event stands in a message of the assistant, or in none: others are not drawn on this wire. */
  isDrawn(event: Common): boolean
}

export function createMessages({ emit }: Response): Messages {
  /** Of the open messages only. */
  const roles = new Map<string, Role>()
  /** The message that each agent is in; the main agent is the empty string. */
  const current = new Map<string, string>()
  return {
    rows: {
      'message-start'({ messageId, role, agentId = '' }) {
        roles.set(messageId, role)
        current.set(agentId, messageId)
      },
      'message-end'({ messageId, agentId = '' }) {
        roles.delete(messageId)
        if (current.get(agentId) === messageId) current.delete(agentId)
      },
      'message-retract'(event) {
        emit(dataPart('retract', undefined, { messageIds: event.messageIds }, event))
      },
    },
    isDrawn({ messageId, agentId = '' }) {
      const role = roles.get(messageId ?? current.get(agentId) ?? '')
      return role === undefined || role === 'assistant'
    },
  }
}
