import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { Common, Role } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { numberIn, type Sparse, textIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'

interface Session {
  parent: string | undefined
  title: string | undefined
  isAnnounced: boolean
  openMessage: string | undefined
}

type SubagentStart = { readonly name: string; readonly task?: string; readonly callId?: string }
type MessageDetails = Sparse<{ role: Role; sentAt: number | undefined; model: string | undefined }>

export type Sessions = ReturnType<typeof createSessions>

/** The sessions of a run. The first one is the main agent's; others are its subagents'. */
export function createSessions() {
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

  function leave(out: Out, id = '', messageId?: string, sentAt?: number | null): void {
    const session = sessionOf(id)
    if (messageId === undefined || session.openMessage !== messageId) return
    session.openMessage = undefined
    out.push({ type: 'message-end', messageId, ...present({ agentId: agentOf(id), sentAt }) })
  }

  return {
    /** Stores the bus's description of a session, which precedes its messages. */
    describe(id: string, parent: string | undefined, title: string | undefined): void {
      // A subagent's session may be described first, to a client that joins late: its parent is the main agent's.
      agentOf(parent ?? id)
      Object.assign(sessionOf(id), { parent, title })
    },
    isMain: (id: string | undefined) => agentOf(id) === undefined,
    agentOf,
    scopeOf({ sessionID, messageID, assistantMessageID, timestamp, time }: JsonObject): Common {
      return present({
        messageId: textIn(assistantMessageID ?? messageID),
        agentId: agentOf(textIn(sessionID)),
        sentAt: numberIn(timestamp ?? time),
      })
    },
    startSubagent,
    /** Forgets a subagent; returns whether it was announced, by its call or by a message. */
    end(id: string): boolean {
      const session = sessions.get(id)
      const wasAnnounced = session?.isAnnounced === true
      if (session !== undefined) session.isAnnounced = false
      return wasAnnounced
    },
    /** Opens a message unless it is open, and ends the previous one. Returns whether the message is new. */
    enter(out: Out, id = '', messageId?: string, { role, sentAt, model }: MessageDetails = {}): boolean {
      const session = sessionOf(id)
      // A subagent may send a message before its call names it.
      startSubagent(out, id, { name: session.title ?? id })
      const key = `${id}\n${messageId}`
      if (messageId === undefined || session.openMessage === messageId || seen.has(key)) return false
      leave(out, id, session.openMessage, sentAt)
      rememberOne(seen, key)
      session.openMessage = messageId
      out.push({
        type: 'message-start',
        messageId,
        role: role ?? 'assistant',
        ...present({ agentId: agentOf(id), sentAt, model }),
      })
      return true
    },
    leave,
  }
}
