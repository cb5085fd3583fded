import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { Common, Role } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { numberIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'

interface Session {
  parent: string | undefined
  title: string | undefined
  isAnnounced: boolean
  openMessage: string | undefined
}

/** The sessions of a run. The first one is the main agent's; others are its subagents'. */
export interface Sessions {
  /** Stores the bus's description of a session, which precedes its messages. */
  describe(id: string, parent: string | undefined, title: string | undefined): void
  isMain(id: string | undefined): boolean
  agentOf(id: string | undefined): string | undefined
  scopeOf(properties: JsonObject): Common
  startSubagent(out: Out, id: string, start: SubagentStart): void
  /** Forgets a subagent; returns whether it was announced, by its call or by a message. */
  end(id: string): boolean
  /** Opens a message unless it is open, and ends the previous one. Returns whether the message is new. */
  enter(out: Out, session: string | undefined, messageId: string | undefined, message?: MessageDetails): boolean
  leave(out: Out, session: string | undefined, messageId: string, sentAt: number | undefined): void
}

interface SubagentStart {
  readonly name: string
  readonly task?: string
  readonly callId?: string
}

interface MessageDetails {
  readonly role?: Role
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

  function startSubagent(out: Out, id: string, start: SubagentStart): void {
    const session = sessionOf(id)
    if (agentOf(id) === undefined || session.isAnnounced) return
    session.isAnnounced = true
    out.push({ type: 'subagent-start', agentId: id, ...start, ...present({ parentAgentId: agentOf(session.parent) }) })
  }

  function leave(out: Out, id: string, messageId: string | undefined, sentAt: number | undefined): void {
    const session = sessionOf(id)
    if (messageId === undefined || session.openMessage !== messageId) return
    session.openMessage = undefined
    out.push({ type: 'message-end', messageId, ...present({ agentId: agentOf(id), sentAt }) })
  }

  return {
    describe(id, parent, title) {
      // A subagent's session may be described first, to a client that joins late: its parent is the main agent's.
      agentOf(parent ?? id)
      Object.assign(sessionOf(id), { parent, title })
    },
    isMain: (id) => agentOf(id) === undefined,
    agentOf,
    scopeOf({ sessionID, messageID, assistantMessageID, timestamp, time }) {
      const messageId = assistantMessageID ?? messageID
      return present({
        messageId: typeof messageId === 'string' ? messageId : undefined,
        agentId: typeof sessionID === 'string' ? agentOf(sessionID) : undefined,
        sentAt: numberIn(timestamp ?? time),
      })
    },
    startSubagent,
    end(id) {
      const session = sessions.get(id)
      const wasAnnounced = session?.isAnnounced === true
      if (session !== undefined) session.isAnnounced = false
      return wasAnnounced
    },
    enter(out, id = '', messageId, { role = 'assistant', sentAt, model } = {}) {
      const session = sessionOf(id)
      // A subagent may send a message before its call names it.
      startSubagent(out, id, { name: session.title ?? id })
      const key = `${id}\n${messageId}`
      if (messageId === undefined || session.openMessage === messageId || seen.has(key)) return false
      leave(out, id, session.openMessage, sentAt)
      rememberOne(seen, key)
      session.openMessage = messageId
      out.push({ type: 'message-start', messageId, role, ...present({ agentId: agentOf(id), sentAt, model }) })
      return true
    },
    leave: (out, id = '', messageId, sentAt) => leave(out, id, messageId, sentAt),
  }
}
