import type { Common } from '../event-fields.ts'
import { isJsonObject, isText, type JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import type { Out } from './kit/voice.ts'
import { type BusState, pushBusEvent, pushPart } from './opencode/bus.ts'
import { createEnding, type RawError } from './opencode/failures.ts'
import { pushNext } from './opencode/next.ts'
import { createParts, type Part } from './opencode/parts.ts'
import { createSessions } from './opencode/sessions.ts'
import { type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/** OpenCode: the lines of `opencode run --format json`, and the events of its server's bus. */
export const opencode: Parser = {
  version: 5,
  losses: {
    citations: 'Text carries no citations.',
    'tool-nesting': 'No call names another.',
    sources: 'Pages that were read are named in the outputs of tools.',
    control: 'The stream does not contain what the user requests.',
  },
  recognize,
  create,
}

/** The lines that the command prints: finished parts, each with the type of its part. */
const lines: { readonly [type: string]: string } = {
  step_start: 'step-start',
  step_finish: 'step-finish',
  text: 'text',
  reasoning: 'reasoning',
  tool_use: 'tool',
}

const BUS =
  /^(message|session|server|permission|question|todo|file|lsp|storage|installation|command|tui|pty|vcs|ide|project|mcp|workspace|worktree)\./

function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, part, properties, sessionID, error } = unwrapped(value)
  if (!isText(type)) return undefined
  if (isJsonObject(part) && Object.hasOwn(lines, type) && part.type === lines[type])
    return { certainty: 1, reason: `a record is a line ${type} of OpenCode's` }
  if (type === 'error' && isText(sessionID) && error !== undefined)
    return { certainty: 0.9, reason: "a record is a failure of OpenCode's" }
  if (!isJsonObject(properties) || !BUS.test(type)) return undefined
  return { certainty: 0.95, reason: `a record is ${type} of OpenCode's bus` }
}

const NEXT = 'session.next.'

function create(): ParserState {
  const sessions = createSessions()
  const ending = createEnding()
  const state: BusState = { sessions, ending, parts: createParts(sessions, ending) }
  /** Some servers send everything twice, as parts and as newer events: the first dialect that arrives is read. */
  let dialect: 'parts' | 'next' | undefined

  function readBus(out: Out, type: string, properties: JsonObject): boolean {
    const eventDialect = type.startsWith(NEXT) ? 'next' : type.startsWith('message.part.') ? 'parts' : undefined
    if (eventDialect !== undefined && dialect !== undefined && eventDialect !== dialect) return true
    const isUnderstood =
      eventDialect === 'next'
        ? readNext(out, type.slice(NEXT.length), properties, state)
        : pushBusEvent(out, type, properties, state)
    if (isUnderstood) dialect ??= eventDialect
    return isUnderstood
  }

  function read(out: Out, { type, timestamp, part, error, sessionID, properties }: JsonObject): boolean {
    if (!isText(type)) return false
    const sentAt = timestamp as number | undefined
    if (Object.hasOwn(lines, type) && isJsonObject(part))
      return pushPart(out, part as unknown as Part, state, true, sentAt)
    if (type !== 'error' || error === undefined) return isJsonObject(properties) && readBus(out, type, properties)
    if (!sessions.isMain(sessionID as string | undefined)) return false
    ending.fail(out, error as unknown as RawError, sentAt)
    return true
  }

  return {
    push(value) {
      const out: Out = []
      return read(out, unwrapped(value as JsonObject)) ? understood(out) : unmapped(value)
    },
    end: ending.events,
  }
}

/** Prompts, and texts that the server adds to the conversation. */
const ROLES: ReadonlyMap<string, 'user' | 'system'> = new Map([
  ['prompted', 'user'],
  ['synthetic', 'system'],
  ['context.updated', 'system'],
])

function readNext(out: Out, name: string, properties: JsonObject, { sessions, ending }: BusState): boolean {
  const { sessionID, prompt, messageID, text } = properties
  const scope: Common = sessions.scopeOf(properties)
  const session = isText(sessionID) ? sessionID : undefined
  const role = ROLES.get(name)
  const whole = role === 'user' ? (prompt as JsonObject | undefined)?.text : text
  if (role === undefined || !isText(whole)) {
    const content: Out = []
    if (!pushNext(content, name, properties, scope, ending)) return false
    sessions.enter(out, session, scope.messageId, { sentAt: scope.sentAt })
    out.push(...content)
    return true
  }
  const blockId = `${messageID as string}:0`
  sessions.enter(out, session, scope.messageId, { role, sentAt: scope.sentAt })
  out.push(
    { ...scope, type: 'block-start', blockId, kind: 'text' },
    { ...scope, type: 'block-delta', blockId, text: whole },
    { ...scope, type: 'block-end', blockId },
  )
  return true
}

/** A bus for several projects wraps each event with its project. */
function unwrapped(value: JsonObject): JsonObject {
  return isJsonObject(value.payload) ? value.payload : value
}
