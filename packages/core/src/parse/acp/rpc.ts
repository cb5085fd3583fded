import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type EventScope, SILENT, understood, unmapped } from '../parser.ts'
import { isContent } from './content.ts'
import type { Content, Message, Permission, RawUsage, ToolCall } from './raw.ts'
import type { State } from './state.ts'
import { usageEvents } from './usage.ts'

/** A request without an answer. */
export interface PendingRequest {
  readonly method: string
  readonly id: string
  readonly params: JsonObject
  readonly scope: EventScope
}

type RequestRow = (request: PendingRequest, state: State) => readonly StreamEvent[]
type AnswerRow = (result: JsonObject, request: PendingRequest, state: State) => readonly StreamEvent[]

const metadataFrom =
  (...fields: readonly string[]): RequestRow =>
  ({ params }) => {
    const metadata = Object.fromEntries(
      fields.flatMap((field) => (params[field] ? [[field, params[field] as Json]] : [])),
    )
    return Object.keys(metadata).length === 0 ? [] : [{ type: 'metadata', metadata }]
  }

/** The requests of either side. */
const requestRows: { readonly [method: string]: RequestRow } = {
  initialize: metadataFrom('protocolVersion', 'clientInfo'),
  authenticate: () => SILENT,
  'session/new': metadataFrom('cwd'),
  'session/load': metadataFrom('sessionId', 'cwd'),
  'session/resume': metadataFrom('sessionId', 'cwd'),
  'session/set_mode': metadataFrom('modeId'),
  'session/set_model': metadataFrom('modelId'),
  'session/set_config_option': metadataFrom('configId', 'value'),
  'session/prompt'({ id, params, scope }, state) {
    const prompt = (params.prompt ?? []) as unknown as readonly Content[]
    const readable = new Set(prompt.filter(isContent))
    const entered = [...state.takeFailure(scope), ...state.enter('user', scope, id)]
    const promptEvents = prompt.flatMap((content, index) =>
      readable.has(content) ? state.prose.chunk(content, { kind: 'text' }, `${id} ${index}`, scope) : unmapped(content),
    )
    state.setPrompt(prompt)
    return understood([...entered, ...promptEvents, ...state.prose.end()])
  },
  'session/cancel': () => [{ type: 'control', action: 'stop' }],
  'session/request_permission'({ id, params, scope }, state) {
    const { title, options } = params as unknown as Permission
    const call = callOf(params)
    const callId = call?.toolCallId
    const events = call ? [...(state.callEvents(call, scope) ?? []), ...state.tools.settle(call.toolCallId)] : []
    const message = title ?? call?.title
    state.awaitApproval(id, callId)
    const request = { options: (options ?? []) as unknown as Json, ...(!call && params) }
    return [
      ...events,
      { ...scope, type: 'approval', approvalId: id, state: 'requested', request, ...present({ callId, message }) },
    ]
  },
  'elicitation/create'({ id, params, scope }, state) {
    state.awaitApproval(id, undefined)
    const message = typeof params.message === 'string' ? params.message : undefined
    return state.aside(
      [{ ...scope, type: 'approval', approvalId: id, state: 'requested', request: params, ...present({ message }) }],
      scope,
    )
  },
}
/** The call that a permission is about: newer versions name it as their subject. */
function callOf(params: JsonObject): ToolCall | null | undefined {
  const { toolCall, subject } = params as unknown as Permission
  return toolCall ?? subject?.toolCall
}

const requestTable = new Map(Object.entries(requestRows))

/** Services of the client: their requests and results are kept unchanged. */
const SERVICES = /^(fs|terminal)\//

/** Returns undefined if the method is unknown. */
export function requestEvents(request: PendingRequest, state: State): readonly StreamEvent[] | undefined {
  const row = requestTable.get(request.method)
  if (row !== undefined) return row(request, state)
  return SERVICES.test(request.method) ? serviceEvents(request, {}, state) : undefined
}

function serviceEvents({ method, id, params, scope }: PendingRequest, result: JsonObject, state: State): StreamEvent[] {
  const data = { ...params, ...result }
  return [...state.enter('assistant', scope), { ...scope, type: 'data', name: method, id, data }]
}

const answerRows: { readonly [method: string]: AnswerRow } = {
  initialize: ({ agentInfo, protocolVersion, agentCapabilities: _, authMethods: _methods, ...rest }) => [
    { type: 'metadata', metadata: present({ agentInfo, protocolVersion, ...rest }) as JsonObject },
  ],
  'session/new': sessionAnswer,
  'session/load': sessionAnswer,
  'session/resume': sessionAnswer,
  'session/prompt'(result, _request, state) {
    const { stopReason, usage } = result
    const usageOfTurn = usageEvents(usage as RawUsage | null | undefined)
    if (typeof stopReason === 'string') return understood([...usageOfTurn, ...state.stop(stopReason)])
    // In newer versions the answer only says that the prompt was taken: `state_update` ends the turn.
    return Object.keys(result).length === 0 ? SILENT : usageOfTurn
  },
  'session/request_permission'({ outcome }, { id, params, scope }, state) {
    const { options } = params as unknown as Permission
    const { outcome: decision, optionId } = (outcome ?? {}) as { readonly outcome?: string; readonly optionId?: string }
    const kind = options?.find((option) => option.optionId === optionId)?.kind ?? optionId ?? ''
    const isDenied = decision !== 'selected' || /reject|deny|disallow/i.test(kind)
    const callId = callOf(params)?.toolCallId
    if (isDenied && callId !== undefined) state.tools.deny(callId)
    state.answerApproval(id)
    const answer = outcome as Json
    return [{ ...scope, type: 'approval', approvalId: id, state: isDenied ? 'denied' : 'approved', answer }]
  },
  'elicitation/create'(answer, { id, scope }, state) {
    state.answerApproval(id)
    const isAccepted = answer.action === 'accept'
    return [{ ...scope, type: 'approval', approvalId: id, state: isAccepted ? 'answered' : 'denied', answer }]
  },
}
const answerTable = new Map(Object.entries(answerRows))

function sessionAnswer({ models, _meta, ...rest }: JsonObject): StreamEvent[] {
  const { currentModelId: model } = (models ?? {}) as { readonly currentModelId?: string }
  return [{ type: 'metadata', metadata: present({ ...rest, models, model }) as JsonObject }]
}

/** Returns undefined if the answer cannot be read. */
export function answerEvents(
  result: JsonObject,
  request: PendingRequest,
  state: State,
): readonly StreamEvent[] | undefined {
  const row = answerTable.get(request.method)
  if (row !== undefined) return row(result, request, state)
  if (SERVICES.test(request.method)) return serviceEvents(request, { result }, state)
  return Object.keys(result).length === 0 ? SILENT : undefined
}

/** The method of a request, derived from the answer alone: a log may hold one side only. */
export function methodOf(result: JsonObject): string | undefined {
  if (typeof result.stopReason === 'string') return 'session/prompt'
  if (typeof result.sessionId === 'string') return 'session/new'
  return 'agentCapabilities' in result || 'protocolVersion' in result ? 'initialize' : undefined
}

export function failureEvents(
  error: NonNullable<Message['error']>,
  request: PendingRequest,
  state: State,
): StreamEvent[] {
  const message = error.message || 'The request failed'
  const code = error.code === undefined ? {} : { code: String(error.code) }
  if (SERVICES.test(request.method)) return serviceEvents(request, { error: error as JsonObject }, state)
  if (request.method !== 'session/prompt')
    return state.aside([{ type: 'status', message, level: 'error' }], request.scope)
  const data = error.data === undefined || error.data === null ? {} : { meta: { acp: { data: error.data } } }
  state.fail(message)
  return [{ type: 'run-end', outcome: 'error', error: { message, ...code }, ...data }]
}
