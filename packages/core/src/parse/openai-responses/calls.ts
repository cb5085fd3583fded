import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import { openaiMeta } from './metadata.ts'
import type { RawItem } from './raw.ts'
import {
  calledServer,
  generatedImage,
  interpretedCode,
  type ResultOf,
  searchedFiles,
  searchedWeb,
  unknownResult,
} from './results.ts'
import type { Call, Run, Slot } from './state.ts'

type Input = Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error' | 'meta'>

/** How the items of one type of call are read. */
interface CallKind {
  /** The tool's name; undefined if the item must name it and does not yet. */
  readonly name: (item: RawItem) => string | undefined
  readonly runBy: (item: RawItem) => RunBy
  /** The whole input, once the item is done. If it is empty, `settle` uses the streamed input. */
  readonly input: (item: RawItem) => Input
  /** The output in the item itself; other calls are answered by another item, or by the client. */
  readonly result?: ResultOf
}

const fixedName = (name: string) => () => name
const ownName = ({ name }: RawItem) => name || undefined
const byClient = (): RunBy => 'client'
const byProvider = (): RunBy => 'provider'
const fields =
  (...names: readonly string[]) =>
  (item: RawItem): Input => ({
    input: present(Object.fromEntries(names.map((name) => [name, item[name]]))) as JsonObject,
  })

/** An input that is one field of the item. */
const field =
  (name: 'action' | 'operation') =>
  (item: RawItem): Input => ({ input: present(item[name] ?? {}) as JsonObject })

/** Arguments are JSON text; some vendors send the value itself. */
export function argumentsOf({ arguments: rawArguments }: { readonly arguments?: Json }): Input {
  if (rawArguments === undefined || rawArguments === null || rawArguments === '') return {}
  return typeof rawArguments === 'string' ? inputOf(rawArguments) : { input: rawArguments }
}

/** The input of a free-form tool is text, JSON or not. */
const freeText = ({ input }: RawItem): Input => (typeof input === 'string' ? { input } : present({ input }))

/** xAI runs some tools itself and reports them as a client's. */
const isRunByXai = ({ call_id }: RawItem) => call_id?.startsWith('xs_') === true

const kinds: { readonly [type: string]: CallKind } = {
  function_call: { name: ownName, runBy: byClient, input: argumentsOf },
  custom_tool_call: {
    name: ownName,
    runBy: (item) => (isRunByXai(item) ? 'provider' : 'client'),
    input: freeText,
    result: (item, callId) => (isRunByXai(item) ? unknownResult(item, callId) : []),
  },
  web_search_call: {
    name: fixedName('web_search'),
    runBy: byProvider,
    input(item) {
      const { sources: _sources, ...query } = item.action ?? {}
      return item.action ? { input: present(query) as JsonObject } : argumentsOf(item)
    },
    result: searchedWeb,
  },
  file_search_call: {
    name: fixedName('file_search'),
    runBy: byProvider,
    input: fields('queries'),
    result: searchedFiles,
  },
  code_interpreter_call: {
    name: fixedName('code_interpreter'),
    runBy: byProvider,
    input: fields('container_id', 'code'),
    result: interpretedCode,
  },
  image_generation_call: {
    name: fixedName('image_generation'),
    runBy: byProvider,
    input: fields('action', 'prompt', 'revised_prompt', 'size', 'quality', 'background', 'output_format'),
    result: generatedImage,
  },
  mcp_call: { name: ownName, runBy: byProvider, input: argumentsOf, result: calledServer },
  mcp_approval_request: { name: ownName, runBy: byProvider, input: argumentsOf },
  computer_call: { name: fixedName('computer'), runBy: byClient, input: fields('action', 'actions') },
  local_shell_call: { name: fixedName('local_shell'), runBy: byClient, input: field('action') },
  shell_call: {
    name: fixedName('shell'),
    runBy: ({ environment }) => (isContainer(environment) ? 'provider' : 'client'),
    input: field('action'),
  },
  apply_patch_call: { name: fixedName('apply_patch'), runBy: byClient, input: field('operation') },
  tool_search_call: {
    name: fixedName('tool_search'),
    runBy: ({ execution }) => (execution === 'client' ? 'client' : 'provider'),
    input: argumentsOf,
  },
  program: { name: fixedName('program'), runBy: byProvider, input: fields('code') },
}

function isContainer(environment: unknown): boolean {
  const type = (environment as { readonly type?: unknown } | null | undefined)?.type
  return typeof type === 'string' && type.startsWith('container')
}

/** A call type without a row: its type is its name. */
const unknownCall: CallKind = {
  name: (item) => item.name || item.type.replace(/_call$/, ''),
  runBy: byProvider,
  input: (item) => (item.action ? { input: item.action } : item.input ? freeText(item) : argumentsOf(item)),
  result: unknownResult,
}

function kindOf(type: string): CallKind | undefined {
  if (Object.hasOwn(kinds, type)) return kinds[type]
  return type.endsWith('_call') ? unknownCall : undefined
}

export function isCall(type: string): boolean {
  return kindOf(type) !== undefined
}

/** The start of a call, once its name has arrived. */
export function openCall(run: Run, slot: Slot, item: RawItem): readonly StreamEvent[] {
  const kind = kindOf(slot.type)
  const name = kind?.name(item)
  if (kind === undefined || name === undefined || slot.call !== undefined) return SILENT
  const { namespace, caller, approval_request_id: approvalId, execution, environment, fingerprint } = item
  const id = approvalId || item.call_id || item.id || slot.key
  const isAnnounced = run.approvalCalls.has(id)
  const isRunByCaller = kind.runBy(item) === 'client'
  slot.call = { id, hasInput: isAnnounced, strings: 0, end: '' }
  if (isAnnounced) {
    // The call itself means that it was approved; a request that is asked again means nothing new.
    const isApproved = slot.type !== 'mcp_approval_request' && run.pendingApprovals.has(id)
    return isApproved ? answerApproval(run, id, { state: 'approved' }) : SILENT
  }
  run.answeredCalls.delete(id)
  if (isRunByCaller) rememberOne(run.response.unanswered, id)
  if (slot.type === 'tool_search_call') rememberOne(run.response.searches, id)
  return [
    {
      type: 'tool-start',
      callId: id,
      name,
      runBy: isRunByCaller ? run.caller : 'provider',
      ...present({ server: item.server_label, parentCallId: caller?.caller_id }),
      ...openaiMeta({
        item_id: slot.id,
        type: slot.type === 'function_call' ? undefined : slot.type,
        namespace: namespace ?? undefined,
        caller: caller?.caller_id ? (caller as JsonObject) : undefined,
        ...(present({ execution, environment, fingerprint }) as JsonObject),
      }),
    },
  ]
}

/** The end of a call's item: its input, unless that was emitted, and its output. */
export function closeCall(run: Run, slot: Slot, item: RawItem): readonly StreamEvent[] {
  const kind = kindOf(slot.type)
  const start = openCall(run, slot, item)
  const { call } = slot
  if (kind === undefined || call === undefined) return unmapped(item)
  const events: StreamEvent[] = [...start, ...completeInput(call, { ...kind.input(item), ...otherFields(kind, item) })]
  if (slot.type === 'mcp_approval_request') events.push(...requestApproval(run, call.id, item))
  if (slot.type === 'computer_call') events.push(...requestSafetyApproval(run, call, item))
  const result = run.answeredCalls.has(call.id) ? [] : (kind.result?.(item, call.id) ?? [])
  if (result.length > 0) rememberOne(run.answeredCalls, call.id)
  return understood([...events, ...result])
}

/** Fields of call items that are read, or that only hold the progress of the call. */
const READ: ReadonlySet<string> = new Set([
  ...['type', 'id', 'call_id', 'status', 'name', 'namespace', 'caller', 'arguments', 'parsed_arguments', 'input'],
  ...['action', 'actions', 'operation', 'code', 'container_id', 'queries', 'execution', 'environment', 'fingerprint'],
  ...['output', 'outputs', 'results', 'result', 'error', 'server_label', 'approval_request_id', 'output_format'],
  ...['prompt', 'revised_prompt', 'size', 'quality', 'background', 'pending_safety_checks', 'created_by'],
])

/** The remaining fields of a call item. For an unknown tool they are part of the output. */
function otherFields(kind: CallKind, item: RawItem): Pick<Input, 'meta'> {
  if (kind === unknownCall) return {}
  const rest = Object.entries(item).filter(([field, value]) => !READ.has(field) && value !== null)
  return rest.length === 0 ? {} : openaiMeta(Object.fromEntries(rest) as JsonObject)
}

/** The whole input, after the end of the JSON that was streamed. */
export function completeInput(call: Call, input: Input): StreamEvent[] {
  if (call.hasInput) return []
  call.hasInput = true
  const end: StreamEvent[] = call.end === '' ? [] : [{ type: 'tool-input-delta', callId: call.id, text: call.end }]
  return [...end, { type: 'tool-input', callId: call.id, ...input }]
}

/** A call that waits for approval. */
export function requestApproval(
  run: Run,
  id: string,
  { name, arguments: rawArguments, server_label }: RawItem,
): StreamEvent[] {
  const request = present({ name, arguments: rawArguments, server_label }) as JsonObject
  if (run.pendingApprovals.has(id)) return []
  rememberOne(run.pendingApprovals, id)
  rememberOne(run.approvalCalls, id)
  return [{ type: 'approval', approvalId: id, callId: id, state: 'requested', request }]
}

export function answerApproval(
  run: Run,
  approvalId: string,
  answer: { readonly state: 'approved' | 'denied'; readonly message?: string },
): StreamEvent[] {
  run.pendingApprovals.delete(approvalId)
  return [{ type: 'approval', approvalId, callId: approvalId, ...answer }]
}

/** Actions on a screen that the provider wants the user to confirm. */
function requestSafetyApproval(run: Run, { id }: Call, item: RawItem): StreamEvent[] {
  const checks = item.pending_safety_checks as readonly { readonly message?: string }[] | null | undefined
  if (!Array.isArray(checks) || checks.length === 0 || run.pendingApprovals.has(id)) return []
  const message = checks.flatMap((check) => (typeof check?.message === 'string' ? [check.message] : [])).join('\n')
  const messageField = message === '' ? {} : { message }
  rememberOne(run.pendingApprovals, id)
  return [
    { type: 'approval', approvalId: id, callId: id, state: 'requested', ...messageField, request: checks as Json },
  ]
}
