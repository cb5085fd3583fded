import { remember } from '../data/remember.ts'
import type { JsonObject } from '../json.ts'
import { type Message, notificationOf, recognize, unwrap } from './acp/envelope.ts'
import { methodOf, type PendingRequest, pushAnswer, pushFailedRequest, pushRequest } from './acp/rpc.ts'
import { createState } from './acp/state.ts'
import { pushUpdate } from './acp/updates.ts'
import type { Out } from './kit/voice.ts'
import { type EventScope, type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** The Agent Client Protocol: the messages of a connection, from both sides or from the agent alone. */
export const acp: Parser = {
  version: 5,
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
    const { _meta } = update as { readonly _meta?: unknown }
    return noteSession(sessionId, pushUpdate(out, update, state, scopeOf(sessionId, _meta)))
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
