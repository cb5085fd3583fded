import type { Entry } from '../entry.ts'
import type { ToolStatus } from '../event-fields.ts'
import type { EventOf, EventType } from '../events.ts'
import { languageOf } from '../meaning/code-input.ts'
import { addMeta, type Draft, finish, freezeFields, touch } from './draft.ts'
import { append, containerOf, contentFieldsOf, type FoldState } from './fold-state.ts'
import { createPartialJson, type PartialJson } from './partial-json.ts'
import type { ApprovalSegment, FoldedApproval, ProgressReport, ToolSegment, ToolState } from './shapes.ts'
import { ANSWER_TOOL } from './steps.ts'

export interface ToolDraft extends Draft<ToolSegment> {
  /** The input that is being streamed; parsed only when a snapshot is taken. */
  input: StreamingInput | undefined
  reports: ProgressReport[] | undefined
}

interface StreamingInput {
  text: string
  /** The deltas that were not parsed yet. */
  unread: string[]
  readonly parser: PartialJson
}

type Reduce<Type extends EventType> = (state: FoldState, entry: Entry, event: EventOf<Type>) => void

export const startTool: Reduce<'tool-start'> = (state, entry, event) => {
  const { callId, name, title, runBy, server, parentCallId } = event
  const draft = append<ToolSegment>(containerOf(state, entry), entry, freezeTool, {
    type: 'tool',
    callId,
    name,
    ...(title !== undefined && { title }),
    runBy,
    state: 'input',
    ...(server !== undefined && { server }),
    ...(parentCallId !== undefined && { parentCallId }),
  })
  const tool = draft as ToolDraft
  tool.input = undefined
  tool.reports = undefined
  state.tools.set(callId, tool)
  if (name === ANSWER_TOOL && event.agentId === undefined) state.answerCall = tool
}

export const addToolInput: Reduce<'tool-input-delta'> = (state, entry, event) => {
  const tool = state.tools.get(event.callId)
  if (tool === undefined) return
  tool.input ??= { text: '', unread: [], parser: createPartialJson() }
  tool.input.text += event.text
  tool.input.unread.push(event.text)
  touch(tool, entry.seq)
}

export const completeToolInput: Reduce<'tool-input'> = (state, entry, event) => {
  const tool = state.tools.get(event.callId)
  if (tool === undefined) return
  tool.input = undefined
  tool.fields.state = 'ready'
  if (event.input !== undefined) tool.fields.input = event.input
  if (event.text !== undefined) tool.fields.inputText = event.text
  if (event.error !== undefined) tool.fields.error = event.error
  const language = languageOf(tool.fields)
  if (language !== undefined) tool.fields.language = language
  addMeta(tool, event.meta)
  touch(tool, entry.seq)
}

export const addToolProgress: Reduce<'tool-progress'> = (state, entry, event) => {
  const tool = state.tools.get(event.callId)
  if (tool === undefined) return
  const { channel, text, data, percent } = event
  tool.reports ??= []
  const last = tool.reports.at(-1)
  const isMore = last?.text !== undefined && last.channel === channel && text !== undefined && data === undefined
  if (isMore) tool.reports.pop()
  tool.reports.push({
    channel,
    ...(text !== undefined && { text: isMore ? last.text + text : text }),
    ...(data !== undefined && { data }),
    ...(percent !== undefined ? { percent } : isMore && last.percent !== undefined && { percent: last.percent }),
  })
  if (tool.fields.endedAt === undefined) tool.fields.state = 'running'
  touch(tool, entry.seq)
}

const STATE_AFTER_OUTPUT: { readonly [Status in ToolStatus]: ToolState } = {
  ok: 'done',
  error: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
}

export const completeTool: Reduce<'tool-output'> = (state, entry, event) => {
  const tool = state.tools.get(event.callId)
  if (tool === undefined || tool.fields.endedAt !== undefined) return
  tool.fields.state = STATE_AFTER_OUTPUT[event.status]
  tool.fields.output = event.output
  if (event.error !== undefined) tool.fields.error = event.error
  addMeta(tool, event.meta)
  finish(tool, entry)
}

export const STATE_AFTER_APPROVAL: { readonly [State in FoldedApproval['state']]: ToolState } = {
  requested: 'approval',
  approved: 'running',
  answered: 'running',
  denied: 'denied',
  expired: 'cancelled',
}

/** A call that went on without an answer runs. */
function stateAfter({ state, reason }: EventOf<'approval'>): ToolState {
  return reason === 'went-on' ? 'running' : STATE_AFTER_APPROVAL[state]
}

/** What a question has from when it was asked and answered before. */
const ANSWERED = ['message', 'request', 'answer', 'reason', 'remember', 'input', 'endedAt'] as const

export const reduceApproval: Reduce<'approval'> = (state, entry, event) => {
  const { type: _type, callId, ...contentFields } = contentFieldsOf(event)
  const approval = { ...contentFields, ...(event.state !== 'requested' && entry.by !== undefined && { by: entry.by }) }
  const tool = callId === undefined ? undefined : state.tools.get(callId)
  if (tool !== undefined) {
    const { by: _by, ...before } = tool.fields.approval ?? {}
    // A new question has nothing of the question before it.
    tool.fields.approval = event.state === 'requested' ? approval : { ...before, ...approval }
    if (tool.fields.endedAt === undefined) tool.fields.state = stateAfter(event)
    touch(tool, entry.seq)
    return
  }
  const before = state.approvals.get(event.approvalId)
  const draft =
    before ?? append<ApprovalSegment>(containerOf(state, entry), entry, freezeFields, { type: 'approval', ...approval })
  state.approvals.set(event.approvalId, draft)
  delete draft.fields.by
  if (event.state === 'requested') for (const field of ANSWERED) delete draft.fields[field]
  Object.assign(draft.fields, approval)
  if (event.state === 'requested') touch(draft, entry.seq)
  else finish(draft, entry)
}

/** The parsed part of a streaming input is only in the shape: taking a snapshot does not change the fold. */
function freezeTool(tool: ToolDraft): ToolSegment {
  const { input, reports } = tool
  return {
    ...freezeFields(tool),
    ...(input !== undefined && readSoFar(tool.fields.name, input)),
    ...(reports !== undefined && { progress: reports.slice() }),
  }
}

function readSoFar(name: string, input: StreamingInput): Pick<ToolSegment, 'input' | 'inputText' | 'language'> {
  for (const text of input.unread) input.parser.push(text)
  input.unread = []
  const value = input.parser.value()
  if (value === undefined) return { inputText: input.text }
  const language = languageOf({ name, input: value })
  return { inputText: input.text, input: value, ...(language !== undefined && { language }) }
}
