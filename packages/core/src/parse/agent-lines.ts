import { isWellShaped } from '../event-shape.ts'
import type { StreamEvent } from '../events.ts'
import { isJsonObject, isText } from '../json.ts'
import type { Losses } from '../losses.ts'
import type { RawRecord } from '../source/source.ts'
import { type AgentLine, timeOf } from './agent-lines/lines.ts'
import { planLines } from './agent-lines/plan-lines.ts'
import { createJoin, proseLines, statusLines } from './agent-lines/prose-lines.ts'
import { dialogueLines, endOf, runLines } from './agent-lines/run-lines.ts'
import { createSeen, type Seen } from './agent-lines/seen.ts'
import { resultLines, toolLines } from './agent-lines/tool-lines.ts'
import { createMessages } from './anthropic-messages.ts'
import { givenNames } from './kit/call-names.ts'
import { namesIn } from './kit/rows.ts'
import { dispatch, type Handlers, type Parser, type ParserState, type Recognition, SILENT, unmapped } from './parser.ts'

const losses: Losses = {
  'other-roles': 'Only the assistant prints.',
  retract: 'A printed line cannot be retracted.',
  rewrite: 'Text only grows.',
  'tool-progress': 'A tool is silent between its call and its result.',
  'subagent-content': 'A line does not name the agent that printed it.',
  state: 'There is no shared state.',
  control: 'Requests of the user are not printed.',
}

/** The `{type, data}` lines that an agent prints to stdout, in the dialects of Claude, DeepAgents, OpenAI and Gemini. */
export const agentLines: Parser = { version: 6, losses, subagents: 'synchronous', recognize, create: createParser }

const linesOf = (seen: Seen): Handlers<AgentLine> => ({
  ...proseLines(seen),
  ...statusLines,
  ...toolLines(seen),
  ...resultLines(seen),
  ...planLines(seen),
  ...runLines(seen),
  ...dialogueLines,
})

function createParser(): ParserState {
  const seen = createSeen()
  const api = createMessages(givenNames)
  const map = dispatch(linesOf(seen))
  const join = createJoin()
  let recordKind: 'nothing' | 'api' | 'lines' = 'nothing'

  /** Updates the state with the events of a value that was understood. */
  function commit(events: readonly StreamEvent[], sentAt: number | undefined): readonly StreamEvent[] {
    if (!events.every(isWellShaped)) throw new TypeError('A field of the line has the wrong type.')
    const joined = join(events)
    for (const event of joined) seen.note(event)
    return sentAt === undefined ? joined : joined.map((event) => ({ sentAt, ...event }))
  }

  return {
    push(value, record) {
      if (isApiEvent(value)) {
        const apiEvents = api.push(value, record)
        const events = apiEvents === SILENT ? apiEvents : commit(apiEvents.map(runByAgent), timeOf(value.timestamp))
        if (recordKind === 'nothing') recordKind = 'api'
        return events
      }
      const line = lineOf(value)
      const mapped = line === undefined ? unmapped(value) : map(line, record)
      const isEmpty = mapped.length === 0 && mapped !== SILENT
      if (isEmpty || mapped.some(({ type }) => type === 'raw')) return unmapped(value)
      const events = mapped === SILENT ? mapped : commit(mapped, line?.sentAt)
      recordKind = 'lines'
      return events
    },
    end() {
      if (recordKind === 'api') return api.end()
      return seen.failure() === undefined ? [] : [endOf(seen)]
    },
  }
}

/**
 * A line without its time, which is not part of its content. If `data` is missing, the fields beside the type are used
 * instead.
 */
function lineOf(value: unknown): { type: string; data: object; sentAt: number | undefined } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const line = value as { readonly [field: string]: unknown }
  const { type, data: ownData, ...besideType } = line
  const fields = (ownData ?? besideType) as { readonly [field: string]: unknown }
  if (typeof type !== 'string' || typeof fields !== 'object' || Array.isArray(fields)) return undefined
  const time = line.timestamp ?? line.ts ?? fields.timestamp ?? fields.ts
  if (time === undefined) return { type, data: fields, sentAt: undefined }
  const { timestamp: _timestamp, ts: _ts, ...data } = fields
  return { type, data, sentAt: timeOf(time) }
}

/** The agent that prints the events of the API also runs the tools that they call. */
function runByAgent(event: StreamEvent): StreamEvent {
  return event.type === 'tool-start' && event.runBy === 'client' ? { ...event, runBy: 'agent' } : event
}

const API_TYPES = namesIn(
  'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping',
)

/** Whether a value is an event of the Claude API: its fields are beside its type, and it has no `data`. */
function isApiEvent(value: unknown): value is { readonly type: string; readonly timestamp?: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const { type, data, error } = value as { type?: unknown; data?: unknown; error?: unknown }
  if (data !== undefined) return false
  return (isText(type) && API_TYPES.has(type)) || (type === 'error' && error !== undefined && error !== null)
}

/** Types that other formats pair with a `data` object, too. */
const COMMON = namesIn('start status text delta content usage result error done')
const TYPES: ReadonlySet<string> = new Set(Object.keys(linesOf(createSeen())))

/** Recognises lines of stdout. Events of the Claude API are left to the parser of that format. */
function recognize({ value }: RawRecord): Recognition | undefined {
  if (isApiEvent(value)) return { certainty: 0.5, reason: `an event of the Claude API, "${value.type}"` }
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown }
  if (typeof type !== 'string' || !isJsonObject(data)) return undefined
  if (!TYPES.has(type)) return { certainty: 0.4, reason: 'an object of a type and its data' }
  return { certainty: COMMON.has(type) ? 0.85 : 0.95, reason: `a line of type "${type}" with its data` }
}
