import type { StreamEvent } from '../events.ts'
import { rootOf, STORED } from './event-segments/fields.ts'
import { handlersOf } from './event-segments/handlers.ts'
import { createOwnReader } from './event-segments/own.ts'
import type { Fields } from './event-segments/raw.ts'
import { recognize } from './event-segments/recognize.ts'
import { createSession } from './event-segments/session.ts'
import { type Parser, type ParserState, SILENT, unmapped } from './parser.ts'

/**
 * Events that are built from segments, as a server streams them; it may say one thing in two forms, and both are read.
 * What the protocol cannot say, segments of our own types and the key `millrace` can: the wire of this name writes them.
 */
export const eventSegments: Parser = {
  version: 3,
  losses: {},
  recognize,
  create,
}

/** How records say that all is over. */
const ENDS: ReadonlySet<string> = new Set(['complete', 'done', 'message_final', STORED])

function create(): ParserState {
  const session = createSession()
  const handlers = handlersOf(session)
  const own = createOwnReader()
  let ending: 'none' | 'ended' | 'failed' = 'none'

  function read(fields: Fields): readonly StreamEvent[] {
    const handle = handlers.get(fields.type)
    if (handle === undefined) return unmapped(fields)
    const { metadata } = fields
    const events = handle(fields)
    if (events.length === 0 && events !== SILENT) return events
    const named = [
      ...session.once('model', metadata?.model),
      ...session.once('conversationId', metadata?.conversationId),
    ]
    return named.length === 0 ? events : [...events, ...named]
  }

  return {
    push(value, record) {
      const root = rootOf(value, record)
      if (root !== undefined && own.isOwn(root)) return own.read(root) ?? unmapped(value)
      const fields = root as Fields | undefined
      if (fields === undefined || !handlers.has(fields.type)) return unmapped(value)
      const events = read(fields)
      if (fields.type === 'error') ending = 'failed'
      else if (ending !== 'failed' && events.length > 0) ending = 'none'
      if (ending !== 'failed' && ENDS.has(fields.type)) ending = 'ended'
      const sentAt = fields.metadata?.timestamp
      return typeof sentAt === 'number' && events.length > 0 ? events.map((event) => ({ sentAt, ...event })) : events
    },
    end() {
      if (own.hasRead() || ending === 'failed' || session.isOpen()) return []
      if (ending !== 'ended') return []
      return [{ type: 'run-end', outcome: session.isAwaiting() ? 'awaiting-input' : 'success' }]
    },
  }
}
