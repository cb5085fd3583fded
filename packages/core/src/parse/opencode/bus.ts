import { present } from '../../data/present.ts'
import type { Common, TodoStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type Ending, errorOf, type RawError } from './failures.ts'
import type { createParts, Part } from './parts.ts'
import type { Sessions } from './sessions.ts'

/** What the events of the bus change. */
export interface BusState {
  readonly sessions: Sessions
  readonly ending: Ending
  readonly parts: ReturnType<typeof createParts>
}

/** Returns false if it does not understand the event. */
type Row = (out: Out, properties: JsonObject, state: BusState, scope: Common) => unknown

/** Events about the user interface or the machine only. */
const silent =
  /^(server|lsp|installation|tui|pty|vcs|ide|project|mcp|storage|workspace|worktree|file\.watcher|models-dev|catalog|integration|plugin|reference)\b/

const rows: { readonly [type: string]: Row } = {
  'message.updated': (out, { info }, state) => pushMessage(out, info as unknown as Info, state),
  'message.removed': (out, { messageID }) => out.push({ type: 'message-retract', messageIds: [messageID as string] }),
  'message.part.updated': (out, { part, time }, state) =>
    pushPart(out, part as unknown as Part, state, false, time as number | undefined),
  'message.part.delta'(out, { sessionID, messageID, partID, field, delta }, { sessions, parts }) {
    if (field !== 'text' || typeof delta !== 'string' || typeof partID !== 'string') return false
    const session = sessionID as string
    const messageId = messageID as string
    sessions.enter(out, session, messageId)
    return parts.pushDelta(out, partID, delta, present({ messageId, agentId: sessions.agentOf(session) }))
  },
  'message.part.removed': (out, data, _state, scope) =>
    out.push({ ...scope, type: 'data', name: 'part-removed', data }),
  'session.created': (out, { info }, state) => pushSession(out, info as unknown as SessionInfo, state),
  'session.updated': (out, { info }, state) => pushSession(out, info as unknown as SessionInfo, state),
  'session.deleted': () => {},
  'session.compacted': (out, _properties, _state, scope) =>
    out.push({ ...scope, type: 'status', message: 'The conversation was compacted', level: 'info' }),
  'session.status'(out, { sessionID, status }, { sessions, ending }, scope) {
    const { type, message } = status as { readonly type?: string; readonly message?: string }
    const isMain = sessions.isMain(sessionID as string)
    if (type === 'idle' || type === 'busy') {
      if (isMain && type === 'idle') ending.idle()
      else if (isMain) ending.resume(out)
      return true
    }
    if (type !== 'retry' || !message) return false
    return out.push({ ...scope, type: 'status', message, level: 'warn' })
  },
  'session.idle'(_out, { sessionID }, { sessions, ending }) {
    if (sessions.isMain(sessionID as string)) ending.idle()
  },
  'session.error'(out, { sessionID, error: rawError }, { sessions, ending }, scope) {
    const error = rawError as unknown as RawError
    if (sessions.isMain(sessionID as string)) ending.fail(out, error, scope.sentAt)
    else out.push({ ...scope, type: 'error', ...errorOf(error) })
  },
  'session.diff': (out, { diff }, _state, scope) => out.push(stateEvent('diff', diff, scope)),
  'file.edited': (out, { file }, _state, scope) => out.push(stateEvent('edited', file, scope)),
  'command.executed': (out, data, _state, scope) => out.push({ ...scope, type: 'data', name: 'command', data }),
  'todo.updated': (out, { todos }, _state, scope) => out.push(todosEvent(todos as never, scope)),
  'permission.asked': ask,
  'permission.updated': ask,
  'permission.replied': answer,
  'question.asked': ask,
  'question.replied': answer,
  'question.rejected': (out, properties, state, scope) => answer(out, properties, state, scope, true),
}

/** Adds the events of an event of the bus. Returns false if it is not understood. */
export function pushBusEvent(out: Out, type: string, properties: JsonObject, state: BusState): boolean {
  if (!Object.hasOwn(rows, type)) return silent.test(type)
  return rows[type]?.(out, properties, state, state.sessions.scopeOf(properties)) !== false
}

/** Adds the current state of a part, in its message. Returns false if its type is unknown. */
export function pushPart(
  out: Out,
  part: Part,
  { sessions, parts }: BusState,
  isWhole: boolean,
  sentAt: number | undefined,
): boolean {
  const { sessionID, messageID } = part
  const content: Out = []
  const scope = present({ messageId: messageID, agentId: sessions.agentOf(sessionID), sentAt })
  if (!parts.push(content, part, scope, isWhole)) return false
  sessions.enter(out, sessionID, messageID, { sentAt })
  out.push(...content)
  return true
}

/** The state of files, which belongs to no message. */
function stateEvent(channel: string, value: Json | undefined, { sentAt }: Common): StreamEvent {
  return { type: 'state', channel, op: 'snapshot', value: value ?? null, ...present({ sentAt }) }
}

type SessionInfo = { readonly id: string; readonly parentID?: string; readonly title?: string }

function pushSession(out: Out, { id, parentID, title }: SessionInfo, { sessions }: BusState): void {
  sessions.describe(id, parentID, title)
  const fields = sessions.isMain(id) ? present({ sessionID: id, title }) : { [id]: present({ parentID, title }) }
  out.push({ type: 'metadata', metadata: fields as JsonObject })
}

interface Info {
  readonly id: string
  readonly sessionID?: string
  readonly role: 'user' | 'assistant'
  readonly modelID?: string
  readonly providerID?: string
  readonly agent?: string
  readonly mode?: string
  readonly time?: { readonly created?: number; readonly completed?: number } | null
  readonly error?: RawError | null
  readonly summary?: Json
  readonly structured?: Json
}

function pushMessage(out: Out, info: Info, { sessions, ending }: BusState): void {
  const { id, sessionID, role, time, error, modelID: model, agent, mode, providerID, structured } = info
  const isNew = sessions.enter(out, sessionID, id, { role, model, sentAt: time?.created })
  const isMain = sessions.isMain(sessionID)
  const summary = typeof info.summary === 'object' ? info.summary : undefined
  out.push(...metadata({ ...(isNew && isMain && { agent, mode, providerID }), structured, summary }))
  if (time?.completed !== undefined) sessions.leave(out, sessionID, id, time.completed)
  if (error && isMain) ending.fail(out, error)
}

/** A decision for the user: whether a tool runs, or the answer to a question. */
function ask(out: Out, request: JsonObject, { ending }: BusState, scope: Common): void {
  const { id: approvalId, tool, callID, title, permission, patterns, questions } = request
  if (typeof approvalId !== 'string') throw new TypeError('A question has no id.')
  const question = objectsIn(questions).find((asked) => asked.question)?.question
  const permissionText = permission === undefined ? undefined : [permission, patterns ?? []].flat().join(' ')
  const message = textIn(title) ?? textIn(question) ?? permissionText
  const fields = present({ callId: textIn(objectIn(tool).callID ?? callID), message })
  ending.ask(approvalId)
  out.push({ ...scope, type: 'approval', approvalId, state: 'requested', request, ...fields })
}

function answer(out: Out, properties: JsonObject, { ending }: BusState, scope: Common, isRejected = false): void {
  const { requestID, permissionID, reply, response, answers } = properties
  const approvalId = requestID ?? permissionID
  if (typeof approvalId !== 'string') throw new TypeError('An answer names no question.')
  const reaction = reply ?? response
  const state = isRejected || reaction === 'reject' ? 'denied' : reaction === undefined ? 'answered' : 'approved'
  ending.answer(approvalId)
  out.push({ ...scope, type: 'approval', approvalId, state, ...present({ answer: answers ?? reaction }) })
}

type RawTodo = { readonly id?: string; readonly content: string; readonly status: string }

const todoStatuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed', 'cancelled'])

/** The list has the same id and the same item ids as the one of the tool that wrote it. */
function todosEvent(todos: readonly RawTodo[], scope: Common): EventOf<'todos'> {
  const ids = new Set(todos.map(({ id }) => id))
  const areIds = ids.size === todos.length && !ids.has(undefined)
  const items = todos.map(({ id, content, status }, index) => ({
    id: (areIds ? id : undefined) ?? String(index + 1),
    content,
    status: todoStatuses.has(status) ? (status as TodoStatus) : 'pending',
  }))
  const listId = scope.agentId === undefined ? 'todos' : `todos:${scope.agentId}`
  return { ...scope, type: 'todos', listId, op: 'set', items }
}
