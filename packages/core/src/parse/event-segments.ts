import type { StreamEvent } from '../events.ts'
import { isJsonObject, isText, type JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { handlersOf } from './event-segments/handlers.ts'
import { createMillraceReader } from './event-segments/millrace-reader.ts'
import { type Fields, rootOf } from './event-segments/raw.ts'
import { createSession } from './event-segments/session.ts'
import { recordsIn, STORED } from './event-segments/stored.ts'
import { type Sign, sign } from './kit/signs.ts'
import type { Out } from './kit/voice.ts'
import { joined, type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/**
 * Events that are built from segments, as a server streams them. A server may send the same content in two forms; both
 * are read. What the protocol cannot express is in segments of Millrace's own types and under the key `millrace`, which
 * the wire of this name writes.
 */
export const eventSegments: Parser = {
  version: 5,
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
  let hasFailed = false
  let isEnded = false

  function read(value: unknown, record: RawRecord): readonly StreamEvent[] {
    const root = rootOf(value, record)
    if (root !== undefined && millraceReader.isMillrace(root)) return millraceReader.read(root) ?? unmapped(value)
    const fields = root as Fields | undefined
    const handle = fields && handlers.get(fields.type)
    if (fields === undefined || handle === undefined) return unmapped(value)
    const { type, metadata } = fields
    const out: Out = []
    handle(out, fields)
    session.pushMetadata(out, 'model', metadata?.model)
    session.pushMetadata(out, 'conversationId', metadata?.conversationId)
    if (type === 'error') hasFailed = true
    if (ENDS.has(type)) isEnded = true
    else if (out.length > 0) isEnded = false
    const sentAt = metadata?.timestamp
    return understood(typeof sentAt === 'number' ? out.map((event) => ({ sentAt, ...event })) : out)
  }

  return {
    push: (value, record) => joined(recordsIn(value).map((each) => read(each, record))),
    end() {
      if (millraceReader.hasRead() || hasFailed || !isEnded || session.isOpen()) return []
      return [{ type: 'run-end', outcome: 'success' }]
    },
  }
}

const isEvent = ({ event }: JsonObject) => isJsonObject(event) && Array.isArray(event.segments)
const isOurs = ({ millrace }: JsonObject) => isJsonObject(millrace) && isText(millrace.type)
const hasItem = ({ item_id: id }: JsonObject) => isText(id)

/** The certainty of each type, and the fields that it must have. Other streams have tokens, tools and errors too. */
const signs: { readonly [type: string]: Sign } = {
  run_start: sign(1, isOurs),
  millrace: sign(1, isOurs),
  event_start: sign(1, isEvent),
  event: sign(0.95, isEvent),
  event_complete: sign(1, isEvent),
  message_final: sign(1, isEvent),
  [STORED]: sign(0.85, isEvent),
  segment: sign(0.95, ({ segment }) => isJsonObject(segment) && isText(segment.type)),
  token: sign(0.7, ({ content }) => isText(content)),
  progress_update: sign(0.6, ({ activity }) => isText(activity)),
  progress_hide: sign(0.5),
  complete: sign(0.5),
  error: sign(0.3, ({ error }) => isText(error) || (isJsonObject(error) && 'code' in error)),
}

/** Families of types, by their beginning. */
const families: readonly (readonly [beginning: RegExp, sign: Sign])[] = [
  [/^(?:mcp_)?tool_(?:start|arguments_delta|finalized|result|complete)$/, sign(0.9, ({ tool_id: id }) => isText(id))],
  [/^reasoning_(?:start|complete|summary_)/, sign(0.9, hasItem)],
  [/^(?:web_search|code_interpreter)_call_/, sign(0.9, hasItem)],
  [/^mcp_(?:list_tools|approval_request)$/, sign(0.7)],
]

function recognize(record: RawRecord): Recognition | undefined {
  const [first] = recordsIn(record.value)
  const fields = rootOf(first, record)
  const type = fields?.type
  if (fields === undefined || !isText(type)) return undefined
  const found = Object.hasOwn(signs, type) ? signs[type] : families.find(([beginning]) => beginning.test(type))?.[1]
  if (!found?.fits(fields)) return undefined
  return { certainty: found.certainty, reason: `a record is a ${type} of Events and segments` }
}
