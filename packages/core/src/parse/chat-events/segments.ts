import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isEmpty } from '../kit/keep.ts'
import { unmapped } from '../parser.ts'
import type { OrderedEvents } from './ordered.ts'
import type { RawEventSegment, RawProse, RawSegment, RawStatus, RawSubagent, RawTodos, RawTool } from './raw.ts'
import { addTool, questionEvents, type Replacement } from './tools.ts'

type Agent = { readonly agentId?: string }

/** The last todo list of each agent. A later call that writes the list has no segment of its own. */
export type Lists = Map<string, RawTodos>

type Rows = {
  readonly [Type in RawSegment['type']]: (segment: Extract<RawSegment, { readonly type: Type }>) => void
}

const MAX_LISTS = 256

/** Adds the events that fold to these segments, in a message or, with `agent`, in a subagent. */
export function addSegments(segments: readonly RawSegment[], agent: Agent, lists: Lists, out: OrderedEvents): void {
  const addEvent = (segment: RawEventSegment) => addEventSegment(segment, agent, out)

  const rows: Rows = {
    text: (segment) => addProse(segment, agent, out),
    reasoning: (segment) => addProse(segment, agent, out),
    tool: (segment) => addTool(segment, replacementOf(segment, segments, lists.get(agent.agentId ?? '')), agent, out),
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
      const [request, ...answers] = questionEvents(segment)
      if (request !== undefined) out.begin(segment, { ...request, ...present({ meta: segment.meta }), ...agent })
      for (const answer of answers) out.end(segment, { ...answer, ...agent })
    },
    source: addEvent,
    file: addEvent,
    data: addEvent,
    error: addEvent,
  }
  for (const segment of segments) {
    if (!Object.hasOwn(rows, segment.type)) for (const raw of unmapped(segment)) out.begin(segment, raw)
    else rows[segment.type](segment as never)
  }
}

/** What is drawn in place of a call: the subagent that it started, or the list that it wrote. */
function replacementOf(tool: RawTool, segments: readonly RawSegment[], lastList: RawTodos | undefined): Replacement {
  if (tool.shownAs === undefined) return { span: tool, events: [] }
  const later = segments.slice(segments.indexOf(tool) + 1)
  if (tool.shownAs === 'subagent') {
    const isStartedByCall = (segment: RawSegment) => segment.type === 'subagent' && segment.callId === tool.callId
    return { span: later.find(isStartedByCall) ?? tool, events: [] }
  }
  // A list is drawn where it was first written: after the first calls that wrote it, before all later ones.
  const next =
    lastList === undefined || later[0]?.type === 'todos' ? later.find((each) => each.type === 'todos') : undefined
  return { span: next ?? tool, events: [listWriteEvent(tool.callId, next ?? lastList)] }
}

/** Marks a call as the writer of a list. It changes no item, because the export holds the final list. */
function listWriteEvent(callId: string, list: RawTodos | undefined): StreamEvent {
  const { listId = 'todos', endedAt: sentAt } = list ?? {}
  return { type: 'todos', listId, op: 'update', items: [], callId, ...present({ sentAt }) }
}

function addProse(segment: RawProse, agent: Agent, out: OrderedEvents): void {
  const { id: blockId, citations, signature, encrypted, state } = segment
  const { kind, text, variant, meta } = restoreThinkTags(segment)
  out.begin(segment, { type: 'block-start', blockId, kind, ...present({ variant, meta }), ...agent })
  if (text !== '') out.after(segment, { type: 'block-delta', blockId, text, ...agent })
  const patch = present({ citations, signature, encrypted })
  if (!isEmpty(patch)) out.after(segment, { type: 'block-patch', blockId, ...patch, ...agent })
  if (state === 'live') return
  out.end(segment, { type: 'block-end', blockId, ...(state === 'interrupted' && { interrupted: true }), ...agent })
}

function addStatus(segment: RawStatus, agent: Agent, out: OrderedEvents): void {
  const { lines, meta } = segment
  for (const [index, { message, level, at: sentAt }] of lines.entries()) {
    const first = index === 0 ? present({ meta, sentAt: segment.startedAt }) : {}
    out.after(segment, { type: 'status', message, level, ...present({ sentAt }), ...first, ...agent })
  }
}

function addSubagent(segment: RawSubagent, agent: Agent, lists: Lists, out: OrderedEvents): void {
  const { agentId, name, task, callId, state, summary, segments, meta } = segment
  const parentAgentId = agent.agentId
  const start = present({ task, callId, parentAgentId, meta })
  out.begin(segment, { type: 'subagent-start', agentId, name, ...start })
  addSegments(segments, { agentId }, lists, out)
  if (state !== 'live') out.end(segment, { type: 'subagent-end', agentId, status: state, ...present({ summary }) })
}

/** Data that was replaced later has a later end. */
function addEventSegment(segment: RawEventSegment, agent: Agent, out: OrderedEvents): void {
  const { startedAt, endedAt, seqs: _seqs, ...fields } = segment
  const event = { ...fields, ...agent } as StreamEvent
  out.begin(segment, event)
  if (segment.type === 'data' && segment.id !== undefined && startedAt !== endedAt) out.end(segment, event)
}

/** Puts a thought back into its text, with its tags, so that the tags are found again. */
function restoreThinkTags({ type: kind, text, variant, meta }: RawProse) {
  const { before, open, close, after, ...millraceFields } = meta?.millrace ?? {}
  if ((before ?? open ?? close ?? after) === undefined) return { kind, text, variant, meta }
  const { millrace: _tags, ...providerMeta } = meta ?? {}
  const keptMeta: Meta = { ...providerMeta, ...(!isEmpty(millraceFields) && { millrace: millraceFields }) }
  return {
    kind: 'text' as const,
    text: [before, open, text, close, after].join(''),
    variant: variant === 'think-tag' ? undefined : variant,
    meta: isEmpty(keptMeta) ? undefined : keptMeta,
  }
}
