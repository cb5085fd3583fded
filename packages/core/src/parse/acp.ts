import { remember } from '../data/remember.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { type Message, methodOf, type PendingRequest, pushAnswer, pushFailedRequest, pushRequest } from './acp/rpc.ts'
import { createState } from './acp/state.ts'
import { pushUpdate, type Update } from './acp/updates.ts'
import type { Out } from './kit/voice.ts'
import { type EventScope, type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/** The Agent Client Protocol: the messages of a connection, from both sides or from the agent alone. */
export const acp: Parser = {
  version: 6,
  losses: {
    retract: 'A message that was sent cannot be retracted.',
    signature: 'Thoughts are plain text.',
    encrypted: 'Thoughts are plain text.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-nesting': 'No call names another.',
    state: 'There is no shared state.',
    errors: 'A failure ends its turn.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** The maximum number of requests without an answer: memory must stay bounded on an endless connection. */
const MAX_PENDING = 1024

function create(): ParserState {
  const state = createState()
  /** By id, which may have several: both sides number their requests from the start. The latest is answered first. */
  const pending = new Map<string, PendingRequest[]>()
  let mainSessionId: string | undefined

  /** The first session is the run, any other is a subagent. Claude names the subagent of a call in `_meta`. */
  function scopeOf(sessionId: unknown, meta: unknown): EventScope {
    const { claudeCode } = (meta ?? {}) as { readonly claudeCode?: { readonly parentToolUseId?: string } | null }
    const parent = claudeCode?.parentToolUseId
    if (typeof parent === 'string') return { agentId: parent }
    if (typeof sessionId !== 'string') return {}
    return sessionId === (mainSessionId ?? sessionId) ? {} : { agentId: sessionId }
  }

  /** Notes the session of a message that was understood. */
  function noteSession(sessionId: unknown, isUnderstood: boolean): boolean {
    if (isUnderstood && typeof sessionId === 'string') mainSessionId ??= sessionId
    return isUnderstood
  }

  function readUpdate(out: Out, params: JsonObject): boolean {
    const notification = notificationOf(params)
    if (notification === undefined) return false
    const { sessionId, update } = notification
    return noteSession(sessionId, pushUpdate(out, update, state, scopeOf(sessionId, update._meta)))
  }

  function readRequest(out: Out, method: string, { id, params = {} }: Message): boolean {
    const scope = scopeOf(params.sessionId, undefined)
    const key = String(id)
    const request = { method, id: `${method}#${key}`, params, scope }
    const isUnderstood = noteSession(params.sessionId, pushRequest(out, request, state))
    remember(pending, key, [...(pending.get(key) ?? []).slice(-3), request], MAX_PENDING)
    return isUnderstood
  }

  /** Removes the request that is answered. Both sides may have one with this id, but their answers differ in shape. */
  function takeRequest(key: string, result: JsonObject | undefined): PendingRequest {
    const requests = pending.get(key) ?? []
    const impliedMethod = result === undefined ? undefined : methodOf(result)
    const fitting = requests.findLast(({ method }) => impliedMethod === undefined || method === impliedMethod)
    pending.set(
      key,
      requests.filter((request) => request !== fitting),
    )
    return fitting ?? { method: impliedMethod ?? '', id: key, params: {}, scope: {} }
  }

  function readAnswer(out: Out, { id, result, error }: Message): boolean {
    const request = takeRequest(String(id), error ? undefined : (result ?? undefined))
    if (!error) return pushAnswer(out, result ?? {}, request, state)
    pushFailedRequest(out, error, request, state)
    return true
  }

  function read(out: Out, message: Message): boolean {
    const { method, params } = message
    if (method === undefined) return readAnswer(out, message)
    return method === 'session/update' ? readUpdate(out, params ?? {}) : readRequest(out, method, message)
  }

  return {
    push(value) {
      const message = unwrap(value)
      const out: Out = []
      return message !== undefined && read(out, message) ? understood(out) : unmapped(value)
    },
    end: state.end,
  }
}

/** What an agent reports about a session. */
interface Notification {
  readonly sessionId?: string
  readonly update: Update
}

/** The fields in which logs of a connection hold the message. */
const WRAPPERS = ['message', 'msg', 'payload', 'data'] as const

/** The JSON-RPC message of a record, which may be a line of a log or an update without its envelope. */
function unwrap(value: unknown): Message | undefined {
  if (!isJsonObject(value)) return undefined
  if (isMessage(value)) return value
  for (const key of WRAPPERS) {
    const inner = value[key]
    const message = isJsonObject(inner) ? (isMessage(inner) ? inner : updateOf(inner)) : undefined
    if (message !== undefined) return message as Message
  }
  return updateOf(value)
}

function updateOf(value: JsonObject): Message | undefined {
  const notification = notificationOf(value)
  return notification === undefined ? undefined : { method: 'session/update', params: notification as never }
}

/** Logs omit the fields that are equal in every message. */
function isMessage(value: JsonObject): boolean {
  if (value.jsonrpc !== '2.0') return value.method === 'session/update' && isJsonObject(value.params)
  return typeof value.method === 'string' || 'result' in value || isJsonObject(value.error)
}

/** `{sessionId, update}`, or the update alone, which may hold its `sessionId`. */
function notificationOf(value: JsonObject): Notification | undefined {
  if (isJsonObject(value.update) && typeof value.update.sessionUpdate === 'string')
    return value as unknown as Notification
  if (typeof value.sessionUpdate !== 'string') return undefined
  const { sessionId, ...update } = value
  return { ...(typeof sessionId === 'string' && { sessionId }), update: update as never }
}

const METHODS = /^(session\/|fs\/(read|write)_text_file$|terminal\/|elicitation\/)/

/** An answer is recognised by its fields: many protocols use JSON-RPC. */
const RESULTS = ['stopReason', 'outcome', 'agentCapabilities', 'sessionId', 'terminalId']

function recognize({ value }: RawRecord): Recognition | undefined {
  const message = unwrap(value)
  if (message === undefined) return undefined
  const { method, params, result } = message
  if (method === 'session/update' && isJsonObject(params) && notificationOf(params) !== undefined) {
    return { certainty: 1, reason: 'a record is an ACP session/update' }
  }
  if (method !== undefined) {
    if (METHODS.test(method)) return { certainty: 0.9, reason: `a record is an ACP ${method}` }
    const isAcp = method === 'initialize' && isJsonObject(params) && isJsonObject(params.clientCapabilities)
    return { certainty: isAcp ? 0.9 : 0.3, reason: 'a record is a JSON-RPC request' }
  }
  const isAcp = isJsonObject(result) && RESULTS.some((field) => field in result)
  return { certainty: isAcp ? 0.8 : 0.4, reason: 'a record is a JSON-RPC answer' }
}
