import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { unmapped } from '../parser.ts'
import type { Ordered } from './ordered.ts'
import type { RawOwn, RawProse, RawSegment, RawStatus, RawSubagent, RawTodos, RawTool } from './raw.ts'
import { untagged } from './tags.ts'
import { addTool, type Drawn, questionEvents } from './tools.ts'

type Agent = { readonly agentId?: string }

/** The todo lists that were drawn lately: a later call that writes one has no piece of its own. */
export type Lists = Map<string, RawTodos>

type Rows = {
  readonly [Type in RawSegment['type']]: (segment: Extract<RawSegment, { readonly type: Type }>) => void
}

/** How many lists are remembered. */
const MAX_LISTS = 256

/** The events that make these segments, in a message or, with `agent`, in a subagent. */
export function addSegments(segments: readonly RawSegment[], agent: Agent, lists: Lists, out: Ordered): void {
  const own = (segment: RawOwn) => addOwn(segment, agent, out)

  const rows: Rows = {
    text: (segment) => addProse(segment, agent, out),
    reasoning: (segment) => addProse(segment, agent, out),
    tool: (segment) => addTool(segment, drawnFor(segment, segments, lists.get(agent.agentId ?? '')), agent, out),
    todos(segment) {
      remember(lists, agent.agentId ?? '', segment, MAX_LISTS)
      const { listId, items, meta } = segment
      const event: StreamEvent = { type: 'todos', listId, op: 'set', items, ...present({ meta }), ...agent }
      out.begin(segment, event)
      if (segment.endedAt !== segment.startedAt) out.end(segment, { ...event, op: 'update', items: [] })
    },
    status: (segment) => addStatus(segment, agent, out),
    subagent: (segment) => addSubagent(segment, agent, lists, out),
    approval(segment) {
      const [asked, ...answers] = questionEvents(segment)
      if (asked !== undefined) out.begin(segment, { ...asked, ...present({ meta: segment.meta }), ...agent })
      for (const answer of answers) out.end(segment, { ...answer, ...agent })
    },
    source: own,
    file: own,
    data: own,
    error: own,
  }
  for (const segment of segments) {
    if (!Object.hasOwn(rows, segment.type)) for (const raw of unmapped(segment)) out.begin(segment, raw)
    else rows[segment.type](segment as never)
  }
}

/** What is drawn instead of a call: the subagent that it started, or the list that it wrote. */
function drawnFor(tool: RawTool, segments: readonly RawSegment[], known: RawTodos | undefined): Drawn {
  if (tool.shownAs === undefined) return { piece: tool, events: [] }
  const later = segments.slice(segments.indexOf(tool) + 1)
  if (tool.shownAs === 'subagent') {
    const isItsOwn = (segment: RawSegment) => segment.type === 'subagent' && segment.callId === tool.callId
    return { piece: later.find(isItsOwn) ?? tool, events: [] }
  }
  // A list stands where it was written first: behind the first calls that did, and before all others.
  const next =
    known === undefined || later[0]?.type === 'todos' ? later.find((each) => each.type === 'todos') : undefined
  return { piece: next ?? tool, events: [written(tool.callId, next ?? known)] }
}

/** Says that a call wrote a list: it changes nothing in it, for the list stands there as it became. */
function written(callId: string, list: RawTodos | undefined): StreamEvent {
  const { listId = 'todos', endedAt: sentAt } = list ?? {}
  return { type: 'todos', listId, op: 'update', items: [], callId, ...present({ sentAt }) }
}

function addProse(segment: RawProse, agent: Agent, out: Ordered): void {
  const { id: blockId, citations, signature, encrypted, state } = segment
  const { kind, text, variant, meta } = untagged(segment)
  out.begin(segment, { type: 'block-start', blockId, kind, ...present({ variant, meta }), ...agent })
  if (text !== '') out.after(segment, { type: 'block-delta', blockId, text, ...agent })
  const patch = present({ citations, signature, encrypted })
  if (Object.keys(patch).length > 0) out.after(segment, { type: 'block-patch', blockId, ...patch, ...agent })
  if (state === 'live') return
  out.end(segment, { type: 'block-end', blockId, ...(state === 'interrupted' && { interrupted: true }), ...agent })
}

function addStatus(segment: RawStatus, agent: Agent, out: Ordered): void {
  const { lines, meta } = segment
  for (const [place, { message, level, at: sentAt }] of lines.entries()) {
    const first = place === 0 ? present({ meta, sentAt: segment.startedAt }) : {}
    out.after(segment, { type: 'status', message, level, ...present({ sentAt }), ...first, ...agent })
  }
}

function addSubagent(segment: RawSubagent, agent: Agent, lists: Lists, out: Ordered): void {
  const { agentId, name, task, callId, state, summary, segments, meta } = segment
  const parentAgentId = agent.agentId
  const start = present({ task, callId, parentAgentId, meta })
  out.begin(segment, { type: 'subagent-start', agentId, name, ...start })
  addSegments(segments, { agentId }, lists, out)
  if (state !== 'live') out.end(segment, { type: 'subagent-end', agentId, status: state, ...present({ summary }) })
}

/** Data that were replaced later say so by their end. */
function addOwn(segment: RawOwn, agent: Agent, out: Ordered): void {
  const { startedAt, endedAt, seqs: _seqs, ...fields } = segment
  const event = { ...fields, ...agent } as StreamEvent
  out.begin(segment, event)
  if (segment.type === 'data' && segment.id !== undefined && startedAt !== endedAt) out.end(segment, event)
}
