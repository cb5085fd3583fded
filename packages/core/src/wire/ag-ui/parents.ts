/**
 * Which message of the client holds a call: calls that are made beside each other stand in one, after the text that
 * announced them. Whoever sends the conversation back to a model needs it so.
 */
export interface Parents {
  /** The agent has said a text that calls may follow. */
  announce(agentId: string | undefined, messageId: string): void
  /** What was said or came back since belongs between those calls and the next. */
  part(agentId: string | undefined): void
  /** The message of a call that starts; `own` is one for it and those beside it, where no text announced them. */
  of(agentId: string | undefined, own: string): string
}

export function createParents(): Parents {
  const parents = new Map<string, string>()
  return {
    announce: (agentId = '', messageId) => void parents.set(agentId, messageId),
    part: (agentId = '') => void parents.delete(agentId),
    of(agentId = '', own) {
      const parent = parents.get(agentId) ?? own
      parents.set(agentId, parent)
      return parent
    },
  }
}
