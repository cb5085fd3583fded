import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { busEvents } from './opencode/bus.ts'
import { failure } from './opencode/failures.ts'
import { nextEvents } from './opencode/next.ts'
import type { BusEvent, Line } from './opencode/raw.ts'
import { recognize } from './opencode/recognize.ts'
import { createState, type State } from './opencode/state.ts'
import { type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** OpenCode: the lines of `opencode run --format json`, and the events of its server's bus. */
export const opencode: Parser = {
  version: 4,
  losses: {
    citations: 'Text carries no citations.',
    'tool-nesting': 'No call names another.',
    sources: 'Pages that were read are named in the outputs of tools.',
    control: 'The stream does not contain what the user requests.',
  },
  recognize,
  create,
}

/** The lines that the command prints: finished parts. */
const LINES: ReadonlySet<string> = new Set<Line['type']>([
  'step_start',
  'step_finish',
  'text',
  'reasoning',
  'tool_use',
  'error',
])

const NEXT = 'session.next.'

function create(): ParserState {
  const state = createState()
  /** Some servers send everything twice, as parts and as newer events: the first dialect that arrives is read. */
  let dialect: 'parts' | 'next' | undefined

  function readBus({ type, properties }: BusEvent): readonly StreamEvent[] | undefined {
    const eventDialect = type.startsWith(NEXT) ? 'next' : type.startsWith('message.part.') ? 'parts' : undefined
    if (eventDialect !== undefined && dialect !== undefined && eventDialect !== dialect) return SILENT
    const events =
      eventDialect === 'next'
        ? readNext(type.slice(NEXT.length), properties, state)
        : busEvents(type, properties, state)
    if (events !== undefined) dialect ??= eventDialect
    return events
  }

  return {
    push(value) {
      const raw = unwrapped(value)
      if (isLine(raw)) return readLine(raw, state) ?? unmapped(value)
      return isBusEvent(raw) ? (readBus(raw) ?? unmapped(value)) : unmapped(value)
    },
    end: () => state.end(),
  }
}

function readLine({ type, timestamp: sentAt, part, error, sessionID }: Line, state: State) {
  if (type !== 'error') return part === undefined ? undefined : state.part(part, true, sentAt)
  if (error === undefined || !state.sessions.isMain(sessionID)) return undefined
  const end = failure(error)
  state.fail(end)
  return [{ ...end, ...present({ sentAt }) }]
}

function readNext(name: string, properties: JsonObject, state: State): readonly StreamEvent[] | undefined {
  const { sessionID, prompt, messageID, text } = properties
  const scope = state.scopeOf(properties)
  const session = typeof sessionID === 'string' ? sessionID : undefined
  const promptText = name === 'prompted' ? (prompt as { readonly text?: string } | undefined)?.text : text
  if ((name === 'prompted' || name === 'synthetic' || name === 'context.updated') && typeof promptText === 'string') {
    const blockId = `${messageID as string}:0`
    const role = name === 'prompted' ? 'user' : 'system'
    return [
      ...state.sessions.enter(session, scope.messageId, role, present({ sentAt: scope.sentAt })),
      { ...scope, type: 'block-start', blockId, kind: 'text' },
      { ...scope, type: 'block-delta', blockId, text: promptText },
      { ...scope, type: 'block-end', blockId },
    ]
  }
  const events = nextEvents(name, properties, scope, state.steps)
  return (
    events &&
    understood([
      ...state.sessions.enter(session, scope.messageId, 'assistant', present({ sentAt: scope.sentAt })),
      ...events,
    ])
  )
}

/** A bus for several projects wraps each event with its project. */
function unwrapped(value: unknown): unknown {
  const { payload } = (value ?? {}) as { readonly payload?: unknown }
  return typeof payload === 'object' && payload !== null ? payload : value
}

function isLine(value: unknown): value is Line {
  const { type, part, error } = (value ?? {}) as Partial<Line>
  return typeof type === 'string' && LINES.has(type) && (typeof part === 'object' || error !== undefined)
}

function isBusEvent(value: unknown): value is BusEvent {
  const { type, properties } = (value ?? {}) as Partial<BusEvent>
  return typeof type === 'string' && typeof properties === 'object' && properties !== null
}
