import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Meta, ToolStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isEmpty } from '../kit/keep.ts'
import { unmapped } from '../parser.ts'
import type { OrderedEvents } from './ordered.ts'
import type {
  RawEventSegment,
  RawProse,
  RawQuestion,
  RawSegment,
  RawSpan,
  RawStatus,
  RawSubagent,
  RawTodos,
  RawTool,
} from './raw.ts'

/** The last todo list of each agent. A later call that writes the list has no segment of its own. */
export type Lists = Map<string, RawTodos>

type Rows = {
  readonly [Type in RawSegment['type']]: (segment: Extract<RawSegment, { readonly type: Type }>) => void
}

const MAX_LISTS = 256

/** Adds the events that fold to these segments, in a message or in a subagent. */
export function addSegments(segments: readonly RawSegment[], lists: Lists, out: OrderedEvents): void {
  const addEvent = (segment: RawEventSegment) => addEventSegment(segment, out)

  const rows: Rows = {
    text: (segment) => addProse(segment, out),
    reasoning: (segment) => addProse(segment, out),
    tool: (segment) => addTool(segment, replacementOf(segment, segments, lists.get(out.agentId ?? '')), out),
    todos(segment) {
      remember(lists, out.agentId ?? '', segment, MAX_LISTS)
      const { listId, items, meta } = segment
      const event: StreamEvent = { type: 'todos', listId, op: 'set', items, ...present({ meta }) }
      out.begin(segment, event)
      if (segment.endedAt !== segment.startedAt) out.end(segment, { ...event, op: 'update', items: [] })
    },
    status: (segment) => addStatus(segment, out),
    subagent: (segment) => addSubagent(segment, lists, out),
    approval(segment) {
      const [request, ...answers] = questionEvents(segment)
      if (request !== undefined) out.begin(segment, { ...request, ...present({ meta: segment.meta }) })
      for (const answer of answers) out.end(segment, answer)
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

/** What the view draws in place of a call. Its events MUST precede the input, or it would be derived from the input. */
interface Replacement {
  readonly span: RawSpan
  readonly events: readonly StreamEvent[]
}

/** What is drawn in place of a call: the subagent that it started, or the list that it wrote. */
function replacementOf(tool: RawTool, segments: readonly RawSegment[], lastList: RawTodos | undefined): Replacement {
  // An answer is shown by its step.
  if (tool.shownAs === undefined || tool.shownAs === 'answer') return { span: tool, events: [] }
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

const STATUS_OF: { readonly [State in RawTool['state']]?: ToolStatus } = {
  done: 'ok',
  failed: 'error',
  denied: 'denied',
  cancelled: 'cancelled',
}

/** Adds a call and everything that happened to it. */
function addTool(tool: RawTool, replacement: Replacement, out: OrderedEvents): void {
  const { callId, name, title, runBy = 'agent', server, parentCallId, meta } = tool
  const fields = present({ title, server, parentCallId, meta })
  out.begin(tool, { type: 'tool-start', callId, name, runBy, ...fields })
  const lines = (tool.progress ?? []).map((line): StreamEvent => ({ type: 'tool-progress', callId, ...line }))
  const callEvents = [...inputEvents(tool), ...questionEvents(tool.approval, callId), ...lines]
  for (const event of [...replacement.events, ...callEvents]) out.after(replacement.span, event)
  const status = STATUS_OF[tool.state]
  if (status === undefined || tool.endedAt === undefined) return
  const error = tool.inputText === undefined || status === 'error' ? tool.error : undefined
  const [first = 0] = replacement.span.seqs ?? []
  const endedSpan = tool.seqs && { ...tool, seqs: [Math.max(first, tool.seqs[0]), tool.seqs[1]] as const }
  const output = tool.output ?? null
  out.end(endedSpan ?? tool, { type: 'tool-output', callId, status, output, ...present({ error }) })
}

/** While an input streams, the export holds its text and the value that is readable so far. */
function inputEvents({ callId, state, input, inputText: text, error }: RawTool): StreamEvent[] {
  if (state === 'input') return text === undefined ? [] : [{ type: 'tool-input-delta', callId, text }]
  if (text === undefined) return [{ type: 'tool-input', callId, input: input ?? {} }]
  return [{ type: 'tool-input', callId, text, error: error ?? 'The input is not JSON.' }]
}

/** A question, followed by its answer if there is one. */
function questionEvents(question: RawQuestion | undefined, callId?: string): StreamEvent[] {
  if (question === undefined) return []
  const { approvalId, state, message, request, answer, reason, remember, input } = question
  const approval = { type: 'approval' as const, approvalId, ...present({ callId, message, request }) }
  const requested: StreamEvent = { ...approval, state: 'requested' }
  const answerFields = present({ answer, reason, remember, input })
  return state === 'requested' ? [requested] : [requested, { ...approval, state, ...answerFields }]
}

function addProse(segment: RawProse, out: OrderedEvents): void {
  const { id: blockId, citations, signature, encrypted, answer, state } = segment
  const { kind, text, variant, meta } = restoreThinkTags(segment)
  out.begin(segment, { type: 'block-start', blockId, kind, ...present({ variant, meta }) })
  if (text !== '') out.after(segment, { type: 'block-delta', blockId, text })
  const patch = present({ citations, signature, encrypted, answer })
  if (!isEmpty(patch)) out.after(segment, { type: 'block-patch', blockId, ...patch })
  if (state === 'live') return
  out.end(segment, { type: 'block-end', blockId, ...(state === 'interrupted' && { interrupted: true }) })
}

function addStatus(segment: RawStatus, out: OrderedEvents): void {
  const { lines, meta } = segment
  for (const [index, { message, level, at: sentAt }] of lines.entries()) {
    const first = index === 0 ? present({ meta, sentAt: segment.startedAt }) : {}
    out.after(segment, { type: 'status', message, level, ...present({ sentAt }), ...first })
  }
}

function addSubagent(segment: RawSubagent, lists: Lists, out: OrderedEvents): void {
  const { agentId, name, task, callId, state, summary, segments, meta } = segment
  const start = present({ task, callId, parentAgentId: out.agentId, meta })
  out.begin(segment, { type: 'subagent-start', agentId, name, ...start })
  addSegments(segments, lists, out.within(agentId))
  if (state !== 'live') out.end(segment, { type: 'subagent-end', agentId, status: state, ...present({ summary }) })
}

/** Data that was replaced later has a later end. */
function addEventSegment(segment: RawEventSegment, out: OrderedEvents): void {
  const { startedAt, endedAt, seqs: _seqs, ...fields } = segment
  const event = fields as StreamEvent
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
