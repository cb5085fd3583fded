import { remember } from '../data/remember.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { notificationOf, unwrap } from './acp/envelope.ts'
import type { Message, Update } from './acp/raw.ts'
import { recognize } from './acp/recognize.ts'
import { answerEvents, failureEvents, methodOf, type PendingRequest, requestEvents } from './acp/rpc.ts'
import { createState } from './acp/state.ts'
import { updateEvents } from './acp/updates.ts'
import { type EventScope, type Parser, type ParserState, unmapped } from './parser.ts'

/** The Agent Client Protocol: the messages of a connection, from both sides or from the agent alone. */
export const acp: Parser = {
  version: 4,
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
  function noteSession(sessionId: unknown, events: readonly StreamEvent[] | undefined): void {
    if (events !== undefined && typeof sessionId === 'string') mainSessionId ??= sessionId
  }

  function readUpdate(params: JsonObject): readonly StreamEvent[] | undefined {
    const notification = notificationOf(params)
    if (notification === undefined) return undefined
    const { sessionId, update } = notification
    const { _meta } = update as Update & { readonly _meta?: unknown }
    const events = updateEvents(update, state, scopeOf(sessionId, _meta))
    noteSession(sessionId, events)
    return events
  }

  function readRequest(method: string, { id, params = {} }: Message): readonly StreamEvent[] | undefined {
    const scope = scopeOf(params.sessionId, undefined)
    const key = String(id)
    const request = { method, id: `${method}#${key}`, params, scope }
    const events = requestEvents(request, state)
    noteSession(params.sessionId, events)
    remember(pending, key, [...(pending.get(key) ?? []).slice(-3), request], MAX_PENDING)
    return events
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

  function readAnswer({ id, result, error }: Message): readonly StreamEvent[] | undefined {
    const key = String(id)
    if (error) return failureEvents(error, takeRequest(key, undefined), state)
    return answerEvents(result ?? {}, takeRequest(key, result ?? undefined), state)
  }

  function read(message: Message): readonly StreamEvent[] | undefined {
    const { method, params } = message
    if (method === undefined) return readAnswer(message)
    return method === 'session/update' ? readUpdate(params ?? {}) : readRequest(method, message)
  }

  return {
    push(value) {
      const message = unwrap(value)
      return (message && read(message)) ?? unmapped(value)
    },
    end: () => state.end(),
  }
}
