import type { StreamEvent } from '../events.ts'
import { type Handler, handlersOf } from './event-segments/handlers.ts'
import { createMillraceReader } from './event-segments/millrace-reader.ts'
import type { Fields } from './event-segments/raw.ts'
import { rootOf, STORED } from './event-segments/raw.ts'
import { recognize } from './event-segments/recognize.ts'
import { createSession } from './event-segments/session.ts'
import { type Parser, type ParserState, SILENT, unmapped } from './parser.ts'

/**
 * Events that are built from segments, as a server streams them. A server may send the same content in two forms; both
 * are read. What the protocol cannot express is in segments of Millrace's own types and under the key `millrace`, which
 * the wire of this name writes.
 */
export const eventSegments: Parser = {
  version: 4,
  losses: {},
  recognize,
  create,
}

/** The types of the records that end a stream. */
const ENDS: ReadonlySet<string> = new Set(['complete', 'done', 'message_final', STORED])

function create(): ParserState {
  const session = createSession()
  const handlers = handlersOf(session)
  const millraceReader = createMillraceReader()
  let ending: 'none' | 'ended' | 'failed' = 'none'

  function read(handle: Handler, fields: Fields): readonly StreamEvent[] {
    const { metadata } = fields
    const events = handle(fields)
    if (events.length === 0 && events !== SILENT) return events
    const newMetadata = [
      ...session.metadataOnce('model', metadata?.model),
      ...session.metadataOnce('conversationId', metadata?.conversationId),
    ]
    return newMetadata.length === 0 ? events : [...events, ...newMetadata]
  }

  return {
    push(value, record) {
      const root = rootOf(value, record)
      if (root !== undefined && millraceReader.isMillrace(root)) return millraceReader.read(root) ?? unmapped(value)
      const fields = root as Fields | undefined
      const handle = fields && handlers.get(fields.type)
      if (fields === undefined || handle === undefined) return unmapped(value)
      const events = read(handle, fields)
      if (fields.type === 'error') ending = 'failed'
      else if (ending !== 'failed' && events.length > 0) ending = 'none'
      if (ending !== 'failed' && ENDS.has(fields.type)) ending = 'ended'
      const sentAt = fields.metadata?.timestamp
      return typeof sentAt === 'number' && events.length > 0 ? events.map((event) => ({ sentAt, ...event })) : events
    },
    end() {
      if (millraceReader.hasRead() || ending === 'failed' || session.isOpen()) return []
      if (ending !== 'ended') return []
      return [{ type: 'run-end', outcome: session.isAwaiting() ? 'awaiting-input' : 'success' }]
    },
  }
}
