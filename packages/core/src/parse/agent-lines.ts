import { isWellShaped } from '../event-shape.ts'
import type { StreamEvent } from '../events.ts'
import type { Losses } from '../losses.ts'
import { type Blocks, join } from './agent-lines/implicit-blocks.ts'
import { type AgentLine, timeOf } from './agent-lines/lines.ts'
import { planLines } from './agent-lines/plan-lines.ts'
import { proseLines, statusLines } from './agent-lines/prose-lines.ts'
import { isApiEvent, recognize } from './agent-lines/recognize.ts'
import { resultLines } from './agent-lines/result-lines.ts'
import { endOf, runLines } from './agent-lines/run-lines.ts'
import { createSeen } from './agent-lines/seen.ts'
import { toolLines } from './agent-lines/tool-lines.ts'
import { givenNames } from './anthropic-messages/call-names.ts'
import { createMessages } from './anthropic-messages.ts'
import { dispatch, type Parser, type ParserState, SILENT, unmapped } from './parser.ts'

const losses: Losses = {
  'other-roles': 'Only the assistant prints.',
  retract: 'A printed line cannot be retracted.',
  rewrite: 'Text only grows.',
  'tool-progress': 'A tool is silent between its call and its result.',
  approvals: 'An agent in a sandbox requests no approval.',
  'subagent-content': 'A line does not name the agent that printed it.',
  state: 'There is no shared state.',
  control: 'Requests of the user are not printed.',
}

/** The `{type, data}` lines that an agent prints to stdout, in the dialects of Claude, DeepAgents, OpenAI and Gemini. */
export const agentLines: Parser = { version: 3, losses, recognize, create: createParser }

function createParser(): ParserState {
  const seen = createSeen()
  const api = createMessages(givenNames)
  const map = dispatch<AgentLine>({
    ...proseLines(seen),
    ...statusLines,
    ...toolLines(seen),
    ...resultLines(seen),
    ...planLines(seen),
    ...runLines(seen),
  })
  let blocks: Blocks = { count: 0, open: undefined }
  let recordKind: 'nothing' | 'api' | 'lines' = 'nothing'

  /** Updates the state with the events of a value that was understood. */
  function commit(events: readonly StreamEvent[], sentAt: number | undefined): readonly StreamEvent[] {
    const joined = join(events, blocks)
    if (!joined.events.every(isWellShaped)) throw new TypeError('A field of the line has the wrong type.')
    blocks = joined.blocks
    for (const event of joined.events) seen.note(event)
    return sentAt === undefined ? joined.events : joined.events.map((event) => ({ sentAt, ...event }))
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
      if (mapped.some(({ type }) => type === 'raw')) return unmapped(value)
      if (mapped.length === 0 && mapped !== SILENT) return mapped
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
  const fields = (line.data ?? fieldsBesideType(line)) as { readonly [field: string]: unknown }
  const { type } = line
  if (typeof type !== 'string' || typeof fields !== 'object' || Array.isArray(fields)) return undefined
  const time = line.timestamp ?? line.ts ?? fields.timestamp ?? fields.ts
  if (time === undefined) return { type, data: fields, sentAt: undefined }
  const { timestamp: _timestamp, ts: _ts, ...data } = fields
  return { type, data, sentAt: timeOf(time) }
}

function fieldsBesideType({ type: _type, data: _data, ...otherFields }: { readonly [field: string]: unknown }): object {
  return otherFields
}

/** The agent that prints the events of the API also runs the tools that they call. */
function runByAgent(event: StreamEvent): StreamEvent {
  return event.type === 'tool-start' && event.runBy === 'client' ? { ...event, runBy: 'agent' } : event
}
