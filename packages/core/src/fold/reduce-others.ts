import { createPatchedValues, MAX_STATE } from '../data/patched-values.ts'
import type { Entry } from '../entry.ts'
import type { EventOf, EventType } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { todosAfter } from '../meaning/activity-lines.ts'
import { type Draft, finish, freezeFields, touch } from './draft.ts'
import { append, chatOf, containerOf, contentFieldsOf, type FoldState, openStatus } from './fold-state.ts'
import type { DataSegment, ErrorSegment, FileSegment, SourceSegment, StatusSegment, TodosSegment } from './shapes.ts'
import { addStepUsage } from './steps.ts'

type Reduce<Type extends EventType> = (state: FoldState, entry: Entry, event: EventOf<Type>) => void

export const addStatus: Reduce<'status'> = (state, entry, event) => {
  const container = containerOf(state, entry)
  const line = { message: event.message, level: event.level, at: entry.at }
  const open = openStatus(container)
  if (open === undefined) {
    append<StatusSegment>(container, entry, freezeStatus, { type: 'status', lines: [line] })
    return
  }
  ;(open.fields.lines as StatusSegment['lines'][number][]).push(line)
  touch(open, entry.seq)
}

function freezeStatus(draft: Draft<StatusSegment>): StatusSegment {
  return { ...freezeFields(draft), lines: draft.fields.lines.slice() }
}

export const reduceTodos: Reduce<'todos'> = (state, entry, event) => {
  const before = state.todos.get(event.listId)
  const draft =
    before ??
    append<TodosSegment>(containerOf(state, entry), entry, freezeFields, {
      type: 'todos',
      listId: event.listId,
      items: [],
    })
  state.todos.set(event.listId, draft)
  draft.fields.items = todosAfter(draft.fields.items, event)
  finish(draft, entry)
  const tool = event.callId === undefined ? undefined : state.tools.get(event.callId)
  if (tool === undefined) return
  tool.fields.shownAs = 'todos'
  touch(tool, entry.seq)
}

export const addSource: Reduce<'source'> = (state, entry, event) => {
  if (state.sources.has(event.sourceId)) return
  state.sources.add(event.sourceId)
  finish(append<SourceSegment>(containerOf(state, entry), entry, freezeFields, contentFieldsOf(event)), entry)
}

export const addFile: Reduce<'file'> = (state, entry, event) => {
  finish(append<FileSegment>(containerOf(state, entry), entry, freezeFields, contentFieldsOf(event)), entry)
}

export const addData: Reduce<'data'> = (state, entry, event) => {
  if (event.transient) return
  const key = event.id === undefined ? undefined : `${event.name}\n${event.id}`
  const before = key === undefined ? undefined : state.data.get(key)
  if (before !== undefined) {
    before.fields.data = event.data
    finish(before, entry)
    return
  }
  const draft = append<DataSegment>(containerOf(state, entry), entry, freezeFields, contentFieldsOf(event))
  if (key !== undefined) state.data.set(key, draft)
  finish(draft, entry)
}

export const addError: Reduce<'error'> = (state, entry, event) => {
  finish(append<ErrorSegment>(containerOf(state, entry), entry, freezeFields, contentFieldsOf(event)), entry)
}

export const addUsage: Reduce<'usage'> = (state, entry, event) => {
  state.usage.add(event)
  if (event.scope === 'run' || event.agentId !== undefined) return
  const chat = chatOf(state, event.messageId)
  if (chat === undefined) return
  chat.usage.add(event)
  addStepUsage(state, chat, entry, event)
  const total = chat.usage.total()
  if (total !== undefined) chat.fields.usage = total
  touch(chat, entry.seq)
}

/** How many of the entries that were not understood are listed. */
const NAMED_RAW = 20

export const keepRaw: Reduce<'raw'> = (state, entry) => {
  const { count, seqs, records } = state.raw ?? { count: 0, seqs: [], records: [] }
  const named = { seqs: [...seqs, entry.seq], records: [...records, Math.max(0, entry.rawThrough - 1)] }
  state.raw = { count: count + 1, ...(count < NAMED_RAW ? named : { seqs, records }) }
}

export function mergeMetadata(state: FoldState, metadata: JsonObject): void {
  state.metadata = { ...state.metadata, ...metadata }
}

export const addMetadata: Reduce<'metadata'> = (state, entry, event) => {
  mergeMetadata(state, event.metadata)
  const chat = event.agentId === undefined ? state.openChats.at(-1) : undefined
  if (chat === undefined || typeof event.metadata.model !== 'string') return
  chat.fields.model = event.metadata.model
  touch(chat, entry.seq)
}

export const changeState: Reduce<'state'> = (state, _entry, event) => {
  state.channels ??= createPatchedValues({ maxSize: MAX_STATE, maxValues: Number.POSITIVE_INFINITY })
  if (event.op === 'snapshot') state.channels.set(event.channel, event.value)
  // A refused patch was not bounded when it was logged: it changes nothing.
  else state.channels.patch(event.channel, event.value)
}

/** The latest time of a run that ends now. Messages overlap, and a framework's clock may go back. */
function latestOf({ chats, startedAt = 0 }: FoldState, at: number): number {
  return chats.drafts.reduce((latest, { fields }) => Math.max(latest, fields.endedAt ?? 0), Math.max(startedAt, at))
}

export const endRun: Reduce<'run-end'> = (state, entry, event) => {
  state.outcome = event.outcome
  state.endedAt = latestOf(state, entry.at)
  if (event.reason !== undefined) mergeMetadata(state, { reason: event.reason })
  if (event.result !== undefined) mergeMetadata(state, { result: event.result })
  if (event.error === undefined) return
  state.error = event.error
  const last = state.chats.drafts.findLast((chat) => chat.fields.role === 'assistant')
  const container = last ?? containerOf(state, entry)
  // Many frameworks emit an error and then end with the same error: one segment shows it.
  const shown = container.children.drafts.at(-1)?.fields as Partial<ErrorSegment> | undefined
  if (shown?.type === 'error' && shown.message === event.error.message) return
  finish(append<ErrorSegment>(container, entry, freezeFields, { type: 'error', ...event.error }), entry)
}
