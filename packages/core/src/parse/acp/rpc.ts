import { present } from '../../data/present.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { isEmpty, keep, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type EventScope, unmapped } from '../parser.ts'
import { type Content, isContent } from './prose.ts'
import type { State } from './state.ts'
import type { ToolCall } from './tool-call.ts'
import { pushUsage, type RawUsage } from './updates.ts'

/** A JSON-RPC message of either side: the fields that are read. */
export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject | null
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: Json } | null
}

/** A request without an answer. */
export interface PendingRequest {
  readonly method: string
  readonly id: string
  readonly params: JsonObject
  readonly scope: EventScope
}

interface Permission {
  readonly toolCall?: ToolCall | null
  readonly subject?: { readonly toolCall?: ToolCall | null } | null
  readonly title?: string | null
  readonly options?: readonly { readonly optionId: string; readonly kind?: string }[] | null
}

type RequestRow = (out: Out, request: PendingRequest, state: State) => unknown
type AnswerRow = (out: Out, result: JsonObject, request: PendingRequest, state: State) => unknown

const metadataFrom =
  (...fields: readonly string[]): RequestRow =>
  (out, { params }) => {
    out.push(...metadata(Object.fromEntries(fields.map((field) => [field, params[field] || undefined]))))
    return out.length > 0
  }

/** The requests of either side. */
const requestRows: { readonly [method: string]: RequestRow } = {
  initialize: metadataFrom('protocolVersion', 'clientInfo'),
  authenticate: () => true,
  'session/new': metadataFrom('cwd'),
  'session/load': metadataFrom('sessionId', 'cwd'),
  'session/resume': metadataFrom('sessionId', 'cwd'),
  'session/set_mode': metadataFrom('modeId'),
  'session/set_model': metadataFrom('modelId'),
  'session/set_config_option': metadataFrom('configId', 'value'),
  'session/prompt'(out, { id, params, scope }, state) {
    const prompt = (params.prompt ?? []) as unknown as readonly Content[]
    const readable = new Set(prompt.filter(isContent))
    state.pushFailure(out, scope)
    state.enter(out, 'user', scope, id)
    prompt.forEach((content, index) => {
      if (readable.has(content)) state.prose.pushChunk(out, content, { kind: 'text' }, `${id} ${index}`, scope)
      else out.push(...unmapped(content))
    })
    state.setPrompt(prompt)
    state.prose.end(out)
  },
  'session/cancel': (out) => out.push({ type: 'control', action: 'stop' }),
  'session/request_permission'(out, { id, params, scope }, state) {
    const { title, options } = params as unknown as Permission
    const call = callOf(params)
    const callId = call?.toolCallId
    if (call) state.pushCall(out, { ...call, isAsked: true }, scope)
    state.awaitApproval(id, callId)
    const request = { options: (options ?? []) as unknown as Json, ...(!call && params) }
    const fields = present({ callId, message: title ?? call?.title })
    out.push({ ...scope, type: 'approval', approvalId: id, state: 'requested', request, ...fields })
  },
  'elicitation/create'(out, { id, params, scope }, state) {
    state.awaitApproval(id)
    const fields = present({ message: typeof params.message === 'string' ? params.message : undefined })
    state.pushAside(out, scope)
    out.push({ ...scope, type: 'approval', approvalId: id, state: 'requested', request: params, ...fields })
  },
}

/** The call that a permission is about: newer versions name it as their subject. */
function callOf(params: JsonObject): ToolCall | null | undefined {
  const { toolCall, subject } = params as unknown as Permission
  return toolCall ?? subject?.toolCall
}

/** Services of the client: their requests and results are kept unchanged. */
const SERVICES = /^(fs|terminal)\//

/** Returns false if the method is unknown, or says nothing. */
export function pushRequest(out: Out, request: PendingRequest, state: State): boolean {
  const { method } = request
  if (Object.hasOwn(requestRows, method)) return requestRows[method]?.(out, request, state) !== false
  return SERVICES.test(method) && pushService(out, request, {}, state)
}

function pushService(out: Out, request: PendingRequest, result: JsonObject, state: State): true {
  const { method, id, params, scope } = request
  state.enter(out, 'assistant', scope)
  out.push({ ...scope, type: 'data', name: method, id, data: { ...params, ...result } })
  return true
}

const answerRows: { readonly [method: string]: AnswerRow } = {
  initialize: (out, { agentInfo, protocolVersion, agentCapabilities: _, authMethods: _methods, ...rest }) =>
    out.push({ type: 'metadata', metadata: present({ agentInfo, protocolVersion, ...rest }) as JsonObject }),
  'session/new': pushSession,
  'session/load': pushSession,
  'session/resume': pushSession,
  'session/prompt'(out, result, _request, state) {
    const { stopReason, usage } = result
    pushUsage(out, usage as RawUsage | undefined)
    // In newer versions the answer only says that the prompt was taken: `state_update` ends the turn.
    if (typeof stopReason !== 'string') return out.length > 0 || isEmpty(result)
    state.stop(out, stopReason)
    return true
  },
  'session/request_permission'(out, { outcome }, { id: approvalId, params, scope }, state) {
    const { options } = params as unknown as Permission
    const { outcome: decision, optionId } = (outcome ?? {}) as { readonly outcome?: string; readonly optionId?: string }
    const kind = options?.find((option) => option.optionId === optionId)?.kind ?? optionId ?? ''
    const isDenied = decision !== 'selected' || /reject|deny|disallow/i.test(kind)
    const callId = callOf(params)?.toolCallId
    if (isDenied && callId !== undefined) state.tools.deny(callId)
    state.answerApproval(approvalId)
    const answer = outcome as Json
    out.push({ ...scope, type: 'approval', approvalId, state: isDenied ? 'denied' : 'approved', answer })
  },
  'elicitation/create'(out, answer, { id: approvalId, scope }, state) {
    state.answerApproval(approvalId)
    const isAccepted = answer.action === 'accept'
    out.push({ ...scope, type: 'approval', approvalId, state: isAccepted ? 'answered' : 'denied', answer })
  },
}

function pushSession(out: Out, { models, _meta, ...rest }: JsonObject): void {
  const { currentModelId: model } = (models ?? {}) as { readonly currentModelId?: string }
  out.push({ type: 'metadata', metadata: present({ ...rest, models, model }) as JsonObject })
}

/** Returns false if the answer cannot be read. */
export function pushAnswer(out: Out, result: JsonObject, request: PendingRequest, state: State): boolean {
  const { method } = request
  if (Object.hasOwn(answerRows, method)) return answerRows[method]?.(out, result, request, state) !== false
  return SERVICES.test(method) ? pushService(out, request, { result }, state) : isEmpty(result)
}

/** What the answer to `session/load` and `session/resume` has, if it has anything. */
const SESSION_FIELDS = ['modes', 'models', 'configOptions']

/** The method of a request, derived from the answer alone: a log may hold one side only. */
export function methodOf(result: JsonObject): string | undefined {
  if (typeof result.stopReason === 'string') return 'session/prompt'
  if (typeof result.sessionId === 'string') return 'session/new'
  if ('agentCapabilities' in result || 'protocolVersion' in result) return 'initialize'
  return SESSION_FIELDS.some((field) => isJsonObject(result[field]) || Array.isArray(result[field]))
    ? 'session/load'
    : undefined
}

export function pushFailedRequest(
  out: Out,
  error: NonNullable<Message['error']>,
  request: PendingRequest,
  state: State,
): void {
  const message = error.message || 'The request failed'
  const code = error.code === undefined ? {} : { code: String(error.code) }
  if (SERVICES.test(request.method)) pushService(out, request, { error: error as JsonObject }, state)
  else if (request.method !== 'session/prompt')
    state.pushAside(out, request.scope, { type: 'status', message, level: 'error' })
  else {
    state.fail(message)
    const runError = { message, ...code }
    out.push({ type: 'run-end', outcome: 'error', error: runError, ...keep('acp', { data: error.data }) })
  }
}
