import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { RunError } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { understood } from '../parser.ts'
import { createGrowingTexts } from './growing-texts.ts'
import { partEvents, type Steps } from './parts.ts'
import type { Part } from './raw.ts'
import { createSessions, type EventScope, type Sessions } from './sessions.ts'
import { createToolParts } from './tool-part.ts'

/** The state of a stream, and how it would end. */
export interface State {
  readonly sessions: Sessions
  readonly steps: Steps
  scopeOf(properties: JsonObject): EventScope
  part(part: Part, isWhole: boolean, sentAt: number | undefined): readonly StreamEvent[] | undefined
  delta(session: string, messageId: string, blockId: string, text: string): StreamEvent[]
  addQuestion(id: string): void
  removeQuestion(id: string): void
  /** Notes how the main agent failed. */
  fail(end: EventOf<'run-end'>): void
  /** The events of a session that works again. */
  busy(session: string | undefined): StreamEvent[]
  idle(session: string | undefined): void
  end(): StreamEvent[]
}

/** A step with one of these finish reasons is followed by another. */
const GOING_ON: ReadonlySet<string> = new Set(['tool-calls', 'tool_calls', 'tool_use'])

export function createState(): State {
  const sessions = createSessions()
  const texts = createGrowingTexts()
  const tools = createToolParts(texts, sessions)
  let ending: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let failure: RunError | undefined
  const openQuestions = new Set<string>()

  /** A failure is not the end of the run if the main agent goes on. */
  function resume(): StreamEvent[] {
    const error = failure
    failure = undefined
    ending = 'none'
    return error === undefined ? [] : [{ type: 'error', ...error }]
  }

  const steps: Steps = {
    begin: resume,
    end(stepReason) {
      reason = stepReason
      if (ending !== 'failed') ending = GOING_ON.has(stepReason ?? '') ? 'none' : 'stopped'
    },
  }

  return {
    sessions,
    steps,
    scopeOf({ sessionID, messageID, assistantMessageID, timestamp, time }) {
      const messageId = assistantMessageID ?? messageID
      const sentAt = timestamp ?? time
      return present({
        messageId: typeof messageId === 'string' ? messageId : undefined,
        agentId: typeof sessionID === 'string' ? sessions.agentOf(sessionID) : undefined,
        sentAt: typeof sentAt === 'number' ? sentAt : undefined,
      })
    },
    part(part, isWhole, sentAt) {
      const { sessionID, messageID } = part
      const scope = present({ messageId: messageID, agentId: sessions.agentOf(sessionID), sentAt })
      const events = partEvents(part, { texts, tools, steps, scope, isWhole })
      return events && understood([...sessions.enter(sessionID, messageID, 'assistant', { sentAt }), ...events])
    },
    delta(session, messageId, blockId, text) {
      const scope = present({ messageId, agentId: sessions.agentOf(session) })
      const isNew = !texts.has(blockId)
      texts.add(blockId, text)
      const start: StreamEvent[] = isNew ? [{ ...scope, type: 'block-start', blockId, kind: 'text' }] : []
      const entered = sessions.enter(session, messageId, 'assistant')
      return [...entered, ...start, { ...scope, type: 'block-delta', blockId, text }]
    },
    addQuestion(id) {
      rememberOne(openQuestions, id)
    },
    removeQuestion(id) {
      openQuestions.delete(id)
    },
    fail({ error }) {
      ending = 'failed'
      failure = error
    },
    busy: (session) => (sessions.isMain(session) ? resume() : []),
    idle(session) {
      if (sessions.isMain(session) && ending !== 'failed') ending = 'stopped'
    },
    end() {
      if (ending === 'failed') return []
      if (openQuestions.size > 0) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      return ending === 'stopped' ? [{ type: 'run-end', outcome: 'success', ...present({ reason }) }] : []
    },
  }
}
