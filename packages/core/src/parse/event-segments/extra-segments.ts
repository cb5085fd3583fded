import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject } from '../../json.ts'

/** The types of segments that are events of Millrace as they are. */
const EVENTS: ReadonlySet<string> = new Set(['source', 'file', 'status', 'error', 'data', 'todos', 'approval'])

type AnySegment = { readonly type: string; readonly millrace?: unknown }

/** The events of a segment of a type that Millrace adds to the protocol; undefined for any other type. */
export function extraEvents({ type, millrace, ...fields }: AnySegment): StreamEvent[] | undefined {
  const agent = isJsonObject(millrace) ? present({ agentId: millrace.agentId }) : {}
  if (EVENTS.has(type)) return [{ ...fields, ...agent, type } as StreamEvent]
  return type === 'subagent' ? subagentEvents(fields) : undefined
}

function subagentEvents(fields: { readonly [field: string]: unknown }): StreamEvent[] {
  const { agentId, name, task, callId, parentAgentId, status, summary } = fields
  const start = { type: 'subagent-start', agentId, name, ...present({ task, callId, parentAgentId }) }
  const end = { type: 'subagent-end', agentId, status, ...present({ summary }) }
  return (status === undefined ? [start] : [start, end]) as StreamEvent[]
}

/** The fields under `millrace` in a segment, by the type of the event that they belong to. */
const MILLRACE_FIELDS: { readonly [type: string]: readonly string[] } = {
  'block-start': ['agentId', 'variant'],
  'block-delta': ['agentId'],
  'tool-start': ['agentId', 'runBy', 'parentCallId'],
  'tool-input': ['agentId'],
  'tool-output': ['agentId', 'status'],
}

/** Adds the fields under `millrace` to the events of a segment. */
export function withMillraceFields({ millrace }: AnySegment, events: readonly StreamEvent[]): readonly StreamEvent[] {
  if (!isJsonObject(millrace) || events.length === 0) return events
  return events.map((event) => {
    const fields = (MILLRACE_FIELDS[event.type] ?? []).filter((field) => millrace[field] !== undefined)
    return { ...event, ...Object.fromEntries(fields.map((field) => [field, millrace[field]])) }
  })
}
