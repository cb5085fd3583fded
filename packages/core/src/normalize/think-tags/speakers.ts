import { rememberOne } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

/** Who speaks: only what an assistant says is looked into. */
export interface Speakers {
  start(event: EventOf<'message-start'>): void
  end(event: EventOf<'message-end'>): void
  endAgent(agentId: string): void
  /** The message that an event belongs to: the one it names, else the one its agent started last. */
  messageOf(event: StreamEvent): string | undefined
  isAssistant(event: StreamEvent): boolean
}

export function createSpeakers(): Speakers {
  /** By agent; the main agent is the empty string. */
  const latest = new Map<string, string>()
  /** The open messages of users, systems and tools. */
  const others = new Set<string>()
  const messageOf = (event: StreamEvent) => event.messageId ?? latest.get(event.agentId ?? '')

  return {
    start({ messageId, agentId, role }) {
      latest.set(agentId ?? '', messageId)
      if (role === 'assistant') others.delete(messageId)
      else rememberOne(others, messageId)
    },
    end({ messageId }) {
      others.delete(messageId)
    },
    endAgent(agentId) {
      latest.delete(agentId)
    },
    messageOf,
    isAssistant(event) {
      const messageId = messageOf(event)
      return messageId === undefined || !others.has(messageId)
    },
  }
}
