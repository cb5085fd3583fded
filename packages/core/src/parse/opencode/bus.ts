import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT, understood } from '../parser.ts'
import { answerEvent, requestEvent } from './approvals.ts'
import { errorOf, failure } from './failures.ts'
import type { Info, Part, RawError } from './raw.ts'
import type { EventScope } from './sessions.ts'
import type { State } from './state.ts'
import { todosEvent } from './todos.ts'

type Row = (properties: JsonObject, state: State, scope: EventScope) => readonly StreamEvent[] | undefined

/** Events about the user interface or the machine only. */
const silent =
  /^(server|lsp|installation|tui|pty|vcs|ide|project|mcp|storage|workspace|worktree|file\.watcher|models-dev|catalog|integration|plugin|reference)\b/

const rows: { readonly [type: string]: Row } = {
  'message.updated': ({ info }, state) => messageEvents(info as unknown as Info, state),
  'message.removed': ({ messageID }) => [{ type: 'message-retract', messageIds: [messageID as string] }],
  'message.part.updated': ({ part, time }, state) =>
    state.part(part as unknown as Part, false, time as number | undefined),
  'message.part.delta'({ sessionID, messageID, partID, field, delta }, state) {
    if (field !== 'text' || typeof delta !== 'string' || typeof partID !== 'string') return undefined
    return state.delta(sessionID as string, messageID as string, partID, delta)
  },
  'message.part.removed': (properties, _state, scope) => [
    { ...scope, type: 'data', name: 'part-removed', data: properties },
  ],
  'session.created': ({ info }, state) => sessionEvents(info as unknown as SessionInfo, state),
  'session.updated': ({ info }, state) => sessionEvents(info as unknown as SessionInfo, state),
  'session.deleted': () => SILENT,
  'session.compacted': (_properties, _state, scope) => [
    { ...scope, type: 'status', message: 'The conversation was compacted', level: 'info' },
  ],
  'session.status'({ sessionID, status }, state, scope) {
    const { type, message } = status as { readonly type?: string; readonly message?: string }
    if (type === 'idle') state.idle(sessionID as string)
    if (type === 'busy') return understood(state.busy(sessionID as string))
    if (type === 'idle') return SILENT
    return type === 'retry' && message ? [{ ...scope, type: 'status', message, level: 'warn' }] : undefined
  },
  'session.idle'({ sessionID }, state) {
    state.idle(sessionID as string)
    return SILENT
  },
  'session.error'({ sessionID, error }, state, scope) {
    if (!state.sessions.isMain(sessionID as string)) {
      return [{ ...scope, type: 'error', ...errorOf(error as unknown as RawError) }]
    }
    const end = failure(error as unknown as RawError)
    state.fail(end)
    return [{ ...end, ...present({ sentAt: scope.sentAt }) }]
  },
  'session.diff': ({ diff }, _state, { sentAt }) => [stateEvent('diff', diff, sentAt)],
  'file.edited': ({ file }, _state, { sentAt }) => [stateEvent('edited', file, sentAt)],
  'command.executed': (properties, _state, scope) => [{ ...scope, type: 'data', name: 'command', data: properties }],
  'todo.updated': ({ todos }, _state, scope) => [todosEvent(todos as never, scope)],
  'permission.asked': ask,
  'permission.updated': ask,
  'permission.replied': answer,
  'question.asked': ask,
  'question.replied': answer,
  'question.rejected': (properties, state, scope) => answer(properties, state, scope, true),
}
const table = new Map(Object.entries(rows))

/** The events of a bus event; `undefined` if its type is unknown. */
export function busEvents(type: string, properties: JsonObject, state: State): readonly StreamEvent[] | undefined {
  const row = table.get(type)
  if (row !== undefined) return row(properties, state, state.scopeOf(properties))
  return silent.test(type) ? SILENT : undefined
}

/** The state of files, which belongs to no message. */
function stateEvent(channel: string, value: Json | undefined, sentAt: number | undefined): StreamEvent {
  return { type: 'state', channel, op: 'snapshot', value: value ?? null, ...present({ sentAt }) }
}

function ask(properties: JsonObject, state: State, scope: EventScope): StreamEvent[] {
  const event = requestEvent(properties, scope)
  state.addQuestion(event.approvalId)
  return [event]
}

function answer(properties: JsonObject, state: State, scope: EventScope, isRejected = false): StreamEvent[] {
  const event = answerEvent(properties, scope, isRejected)
  state.removeQuestion(event.approvalId)
  return [event]
}

interface SessionInfo {
  readonly id: string
  readonly parentID?: string
  readonly title?: string
}

function sessionEvents({ id, parentID, title }: SessionInfo, { sessions }: State): StreamEvent[] {
  sessions.describe(id, parentID, title)
  const metadata = sessions.isMain(id) ? present({ sessionID: id, title }) : { [id]: present({ parentID, title }) }
  return [{ type: 'metadata', metadata: metadata as JsonObject }]
}

function messageEvents(info: Info, state: State): readonly StreamEvent[] {
  const { id, sessionID, role, time, error } = info
  const { modelID: model, agent, mode, providerID, structured } = info
  const started = state.sessions.enter(sessionID, id, role, { model, sentAt: time?.created })
  const isMain = state.sessions.isMain(sessionID)
  const isNew = isMain && started.some(({ type }) => type === 'message-start')
  const summary = typeof info.summary === 'object' ? info.summary : undefined
  const metadata = present({ ...(isNew && { agent, mode, providerID }), structured, summary }) as JsonObject
  const metadataEvents: StreamEvent[] = Object.keys(metadata).length === 0 ? [] : [{ type: 'metadata', metadata }]
  const ended = time?.completed === undefined ? [] : state.sessions.leave(sessionID, id, time.completed)
  if (!error || !isMain) return understood([...started, ...metadataEvents, ...ended])
  const end = failure(error)
  state.fail(end)
  return [...started, ...metadataEvents, ...ended, end]
}
