import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'

/** The message, agent and time of an event. */
export interface EventScope {
  readonly messageId?: string
  readonly agentId?: string
  readonly sentAt?: number
}

interface Session {
  readonly parent: string | undefined
  readonly title: string | undefined
  isAnnounced: boolean
  openMessage: string | undefined
}

/** The sessions of a run. The first one is the main agent's; others are its subagents'. */
export interface Sessions {
  /** Stores the bus's description of a session, which precedes its messages. */
  describe(id: string, parent: string | undefined, title: string | undefined): void
  isMain(id: string | undefined): boolean
  agentOf(id: string | undefined): string | undefined
  /** The start of a subagent by its call. */
  startSubagent(
    id: string,
    start: { readonly name: string; readonly task?: string; readonly callId: string },
  ): StreamEvent[]
  /** Forgets a subagent; returns whether it was announced, by its call or by a message. */
  end(id: string): boolean
  /** The events that open a message unless it is open, and end the previous one. */
  enter(session: string | undefined, messageId: string | undefined, role: Role, more?: MessageDetails): StreamEvent[]
  leave(session: string | undefined, messageId: string, sentAt: number | undefined): StreamEvent[]
}

interface MessageDetails {
  readonly sentAt?: number | undefined
  readonly model?: string | undefined
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>()
  const seen = new Set<string>()
  let main: string | undefined

  function sessionOf(id: string): Session {
    const fresh = { parent: undefined, title: undefined, isAnnounced: false, openMessage: undefined }
    return sessions.get(id) ?? remember(sessions, id, fresh)
  }

  function agentOf(id: string | undefined): string | undefined {
    if (id === undefined) return undefined
    main ??= id
    return id === main ? undefined : id
  }

  /** The start of a subagent that sends a message before its call names it. */
  function announce(agentId: string | undefined): StreamEvent[] {
    if (agentId === undefined) return []
    const session = sessionOf(agentId)
    if (session.isAnnounced) return []
    session.isAnnounced = true
    const parentAgentId = session.parent === undefined ? undefined : agentOf(session.parent)
    return [{ type: 'subagent-start', agentId, name: session.title ?? agentId, ...present({ parentAgentId }) }]
  }

  function close(id: string, sentAt: number | undefined): StreamEvent[] {
    const session = sessionOf(id)
    const messageId = session.openMessage
    session.openMessage = undefined
    const agentId = agentOf(id)
    return messageId === undefined ? [] : [{ type: 'message-end', messageId, ...present({ agentId, sentAt }) }]
  }

  return {
    describe(id, parent, title) {
      // A subagent's session may be described first, to a client that joins late: its parent is the main agent's.
      agentOf(parent ?? id)
      const { isAnnounced, openMessage } = sessionOf(id)
      sessions.set(id, { parent, title, isAnnounced, openMessage })
    },
    isMain: (id) => id === undefined || agentOf(id) === undefined,
    agentOf,
    startSubagent(id, start) {
      const agentId = agentOf(id)
      const session = sessionOf(id)
      if (agentId === undefined || session.isAnnounced) return []
      session.isAnnounced = true
      const parentAgentId = session.parent === undefined ? undefined : agentOf(session.parent)
      return [{ type: 'subagent-start', agentId, ...start, ...present({ parentAgentId }) }]
    },
    end(id) {
      const session = sessions.get(id)
      const wasAnnounced = session?.isAnnounced === true
      if (session !== undefined) session.isAnnounced = false
      return wasAnnounced
    },
    enter(id = '', messageId, role, { sentAt, model } = {}) {
      const agentId = agentOf(id)
      const session = sessionOf(id)
      const started = announce(agentId)
      const key = `${id}\n${messageId}`
      if (messageId === undefined || session.openMessage === messageId || seen.has(key)) return started
      const ended = close(id, sentAt)
      rememberOne(seen, key)
      session.openMessage = messageId
      return [...started, ...ended, { type: 'message-start', messageId, role, ...present({ agentId, sentAt, model }) }]
    },
    leave: (id = '', messageId, sentAt) => (sessionOf(id).openMessage === messageId ? close(id, sentAt) : []),
  }
}
