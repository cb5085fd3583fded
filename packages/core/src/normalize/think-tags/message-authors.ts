import { rememberOne } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

/** Which messages are an assistant's: only their text is searched for tags. */
export interface MessageAuthors {
  start(event: EventOf<'message-start'>): void
  end(event: EventOf<'message-end'>): void
  endAgent(agentId: string): void
  /** The message of an event: the one it names, otherwise the one its agent started last. */
  messageOf(event: StreamEvent): string | undefined
  isAssistant(event: StreamEvent): boolean
}

export function createMessageAuthors(): MessageAuthors {
  /** By agent; the main agent is the empty string. */
  const latestMessages = new Map<string, string>()
  /** The open messages of users, systems and tools, by agent and id: two agents may use the same id. */
  const otherMessages = new Set<string>()
  const keyOf = (agentId: string | undefined, messageId: string) => `${agentId ?? ''}\n${messageId}`
  const messageOf = (event: StreamEvent) => event.messageId ?? latestMessages.get(event.agentId ?? '')

  return {
    start({ messageId, agentId, role }) {
      latestMessages.set(agentId ?? '', messageId)
      if (role === 'assistant') otherMessages.delete(keyOf(agentId, messageId))
      else rememberOne(otherMessages, keyOf(agentId, messageId))
    },
    end({ messageId, agentId }) {
      otherMessages.delete(keyOf(agentId, messageId))
    },
    endAgent(agentId) {
      latestMessages.delete(agentId)
    },
    messageOf,
    isAssistant(event) {
      const messageId = messageOf(event)
      return messageId === undefined || !otherMessages.has(keyOf(event.agentId, messageId))
    },
  }
}
