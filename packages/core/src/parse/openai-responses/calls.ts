import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import type { RawItem } from './raw.ts'
import { type AddResult, addGenerated, addInterpreted, addSearch, addServed, addUnknown } from './results.ts'
import { type Call, openaiMeta, type Run, type Slot } from './state.ts'

export type Input = Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error' | 'meta'>

/** How the items of one type of call are read. */
interface CallKind {
  /** The tool's name, if the item does not name it. */
  readonly name?: string
  /** What runs the tool; by default the client. */
  readonly runBy?: (item: RawItem) => RunBy
  /** The whole input, once the item is done. If it is empty, `settle` uses the streamed input. */
  readonly input: (item: RawItem) => Input
  /** The output in the item itself; other calls are answered by another item, or by the client. */
  readonly result?: AddResult
}

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

function searchInput(item: RawItem): Input {
  const { sources: _sources, ...query } = item.action ?? {}
  return item.action ? { input: present(query) as JsonObject } : argumentsOf(item)
}

const IMAGE_FIELDS = namesIn('action prompt revised_prompt size quality background output_format')

const kinds: { readonly [type: string]: CallKind } = {
  function_call: { input: argumentsOf },
  custom_tool_call: {
    runBy: (item) => (isRunByXai(item) ? 'provider' : 'client'),
    input: freeText,
    result: (out, item, callId) => (isRunByXai(item) ? addUnknown(out, item, callId) : undefined),
  },
  web_search_call: { name: 'web_search', runBy: byProvider, input: searchInput, result: addSearch },
  file_search_call: { name: 'file_search', runBy: byProvider, input: fields('queries'), result: addSearch },
  code_interpreter_call: {
    name: 'code_interpreter',
    runBy: byProvider,
    input: fields('container_id', 'code'),
    result: addInterpreted,
  },
  image_generation_call: {
    name: 'image_generation',
    runBy: byProvider,
    input: fields(...IMAGE_FIELDS),
    result: addGenerated,
  },
  mcp_call: { runBy: byProvider, input: argumentsOf, result: addServed },
  mcp_approval_request: { runBy: byProvider, input: argumentsOf },
  computer_call: { name: 'computer', input: fields('action', 'actions') },
  local_shell_call: { name: 'local_shell', input: field('action') },
  shell_call: {
    name: 'shell',
    runBy: ({ environment }) => (textIn(objectIn(environment).type)?.startsWith('container') ? 'provider' : 'client'),
    input: field('action'),
  },
  apply_patch_call: { name: 'apply_patch', input: field('operation') },
  tool_search_call: {
    name: 'tool_search',
    runBy: ({ execution }) => (execution === 'client' ? 'client' : 'provider'),
    input: argumentsOf,
  },
  program: { name: 'program', runBy: byProvider, input: fields('code') },
}

/** A call type without a row: its type is its name. */
const unknownCall: CallKind = {
  runBy: byProvider,
  input: (item) => (item.action ? { input: item.action } : item.input ? freeText(item) : argumentsOf(item)),
  result: addUnknown,
}

function kindOf(type: string): CallKind | undefined {
  if (Object.hasOwn(kinds, type)) return kinds[type]
  return type.endsWith('_call') ? unknownCall : undefined
}

/** The tool's name; undefined if the item must name it and does not yet. */
function nameOf(kind: CallKind, item: RawItem): string | undefined {
  return kind.name ?? (item.name || (kind === unknownCall ? item.type.replace(/_call$/, '') : undefined))
}

export const isCall = (type: string) => kindOf(type) !== undefined

/** Adds the start of a call, once its name has arrived. */
export function openCall(out: Out, run: Run, slot: Slot, item: RawItem): void {
  const kind = kindOf(slot.type)
  const name = kind && nameOf(kind, item)
  if (kind === undefined || name === undefined || slot.call !== undefined) return
  const { type } = slot
  const { namespace, caller, approval_request_id: approvalId, execution, environment, fingerprint } = item
  const id = approvalId || item.call_id || item.id || slot.key
  const isAnnounced = run.approvalCalls.has(id)
  const isRunByCaller = (kind.runBy?.(item) ?? 'client') === 'client'
  slot.call = { id, hasInput: isAnnounced, strings: 0, end: '' }
  if (isAnnounced) {
    // The call itself means that it was approved; a request that is asked again means nothing new.
    const isApproved = type !== 'mcp_approval_request' && run.pendingApprovals.has(id)
    if (isApproved) answerApproval(out, run, id, { state: 'approved' })
    return
  }
  run.answeredCalls.delete(id)
  if (isRunByCaller) rememberOne(run.response.unanswered, id)
  if (type === 'tool_search_call') rememberOne(run.response.searches, id)
  out.push({
    type: 'tool-start',
    callId: id,
    name,
    runBy: isRunByCaller ? run.caller : 'provider',
    ...present({ server: item.server_label, parentCallId: caller?.caller_id }),
    ...openaiMeta({
      item_id: slot.id,
      type: type === 'function_call' ? undefined : type,
      namespace,
      caller: caller?.caller_id ? caller : undefined,
      ...{ execution, environment, fingerprint },
    }),
  })
}

/** The end of a call's item: its input, unless that was emitted, and its output. */
export function closeCall(out: Out, run: Run, slot: Slot, item: RawItem): unknown {
  const kind = kindOf(slot.type)
  openCall(out, run, slot, item)
  const { call } = slot
  if (kind === undefined || call === undefined) return keepRaw(out, item)
  completeInput(out, call, { ...kind.input(item), ...otherFields(kind, item, call) })
  if (slot.type === 'mcp_approval_request') requestApproval(out, run, call.id, item)
  if (slot.type === 'computer_call') requestSafetyApproval(out, run, call.id, item)
  const before = out.length
  if (!run.answeredCalls.has(call.id)) kind.result?.(out, item, call.id)
  if (out.length > before) rememberOne(run.answeredCalls, call.id)
  return true
}

/** Fields of call items that are read, or that only hold the progress of the call. */
const READ: ReadonlySet<string> = new Set([
  ...namesIn('type id call_id status name namespace caller arguments parsed_arguments input actions operation code'),
  ...namesIn('container_id queries execution environment fingerprint output outputs results result error server_label'),
  ...namesIn('approval_request_id pending_safety_checks created_by'),
  ...IMAGE_FIELDS,
])

/** The remaining fields of a call item. For an unknown tool they are part of the output. */
function otherFields(kind: CallKind, item: RawItem, { id }: Call): Pick<Input, 'meta'> {
  if (kind === unknownCall) return {}
  const others = Object.fromEntries(Object.entries(item).filter(([name]) => !READ.has(name)))
  // A stream may correct the id that it began with: its own output names the last one.
  const call_id = item.call_id && item.call_id !== id ? item.call_id : undefined
  return openaiMeta({ ...others, call_id })
}

/** The whole input, after the end of the JSON that was streamed. */
export function completeInput(out: Out, call: Call, input: Input): void {
  const { id: callId, end, hasInput } = call
  call.hasInput = true
  if (hasInput) return
  if (end !== '') out.push({ type: 'tool-input-delta', callId, text: end })
  out.push({ type: 'tool-input', callId, ...input })
}

/** A call that waits for approval. */
export function requestApproval(out: Out, run: Run, id: string, item: RawItem): void {
  const { name, arguments: rawArguments, server_label } = item
  const request = present({ name, arguments: rawArguments, server_label }) as JsonObject
  rememberOne(run.approvalCalls, id)
  ask(out, run, id, { request })
}

/** Actions on a screen that the provider wants the user to confirm. */
function requestSafetyApproval(out: Out, run: Run, id: string, item: RawItem): void {
  const checks = objectsIn(item.pending_safety_checks)
  const messages = checks.flatMap(({ message }) => (typeof message === 'string' ? [message] : []))
  const message = messages.join('\n') || undefined
  if (checks.length > 0) ask(out, run, id, { ...present({ message }), request: checks })
}

function ask(out: Out, run: Run, id: string, fields: Pick<EventOf<'approval'>, 'request' | 'message'>): void {
  out.push({ type: 'approval', approvalId: id, callId: id, state: 'requested', ...fields })
  rememberOne(run.pendingApprovals, id)
}

type Answer = Pick<EventOf<'approval'>, 'state' | 'message'>

export function answerApproval(out: Out, run: Run, approvalId: string, answer: Answer): void {
  run.pendingApprovals.delete(approvalId)
  out.push({ type: 'approval', approvalId, callId: approvalId, ...answer })
}

/** The answer to an approval request of an MCP server. A denied call has no other output. */
export function readApproval(out: Out, run: Run, _slot: Slot, item: RawItem): boolean {
  const { approval_request_id: callId, approve, reason } = item
  if (typeof callId !== 'string') return false
  const message = present({ message: textIn(reason) })
  answerApproval(out, run, callId, { state: approve === true ? 'approved' : 'denied', ...message })
  if (approve === true) return true
  rememberOne(run.answeredCalls, callId)
  out.push({ type: 'tool-output', callId, status: 'denied', output: present({ reason }) as JsonObject })
  return true
}
