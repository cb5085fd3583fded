import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'

/** The roles of the open messages. */
export interface Roles {
  start(event: EventOf<'message-start'>): void
  end(event: EventOf<'message-end'>): void
  of(event: Common): Role
}

interface OpenMessage {
  readonly messageId: string
  readonly agentId: string | undefined
  readonly role: Role
}

export function createRoles(): Roles {
  /** In the order in which they began. */
  const open: OpenMessage[] = []
  /** How many open messages are not the assistant's. While there are none, no search is needed. */
  let others = 0

  return {
    start({ messageId, agentId, role }) {
      open.push({ messageId, agentId, role })
      if (role !== 'assistant') others++
    },
    end({ messageId, agentId }) {
      const index = open.findLastIndex((one) => one.messageId === messageId && one.agentId === agentId)
      const [ended] = index === -1 ? [] : open.splice(index, 1)
      if (ended !== undefined && ended.role !== 'assistant') others--
    },
    of({ messageId, agentId }) {
      if (others === 0) return 'assistant'
      const isMeant = (one: OpenMessage) => messageId === undefined || one.messageId === messageId
      return open.findLast((one) => one.agentId === agentId && isMeant(one))?.role ?? 'assistant'
    },
  }
}
