import type { Meta } from '../../event-fields.ts'
import type { Json } from '../../json.ts'
import type { CalledFunction, ToolCall } from './raw.ts'
import { type Call, type Out, type Speaker, startCall, startWaitingCall } from './speaker.ts'

/** The key of a legacy `function_call`: there is only one. */
const LEGACY = 'function-call'

export function readToolCall(speaker: Speaker, raw: ToolCall, out: Out): void {
  const called = raw.function ?? { name: raw.custom?.name ?? null, arguments: raw.custom?.input ?? null }
  const call = callOf(speaker, raw, called.name ?? '') ?? newCall(speaker, raw, `call-${speaker.callCount}`, out)
  readCalled(speaker, call, raw.id || undefined, called, out)
}

export function readFunctionCall(speaker: Speaker, called: CalledFunction, out: Out): void {
  const call = speaker.callsByKey.get(LEGACY) ?? newCall(speaker, {}, LEGACY, out)
  speaker.callsByKey.set(LEGACY, call)
  readCalled(speaker, call, undefined, called, out)
}

/** Only the end of its choice shows that a call is complete; some vendors send that end twice. */
export function endCalls(speaker: Speaker, out: Out): void {
  for (const { callId, freeText: input } of speaker.calls.splice(0)) {
    if (callId !== undefined) out.push({ type: 'tool-input', callId, ...(input !== undefined && { input }) })
  }
}

/**
 * The call that a fragment continues: found by its index, otherwise by its id, otherwise the last one. Some vendors
 * give every call of a response the index 0: then a different id with a name is a different call.
 */
function callOf({ calls, callsByKey }: Speaker, raw: ToolCall, name: string): Call | undefined {
  const id = raw.id || undefined
  if (typeof raw.index !== 'number') return id === undefined && name === '' ? calls.at(-1) : callsByKey.get(id ?? '')
  const call = callsByKey.get(raw.index)
  const isOther = id !== undefined && call?.givenId !== undefined && call.givenId !== id && name !== ''
  return isOther ? undefined : call
}

function newCall(speaker: Speaker, raw: ToolCall, fallbackId: string, out: Out): Call {
  startWaitingCall(speaker, out)
  const isCustom = raw.custom !== undefined && raw.custom !== null
  const call: Call = {
    fallbackId,
    name: '',
    freeText: isCustom ? '' : undefined,
    meta: metaOf(raw, isCustom),
  }
  speaker.calls.push(call)
  speaker.callCount += 1
  if (typeof raw.index === 'number') speaker.callsByKey.set(raw.index, call)
  else if (raw.id) speaker.callsByKey.set(raw.id, call)
  return call
}

/** The signature of a call must be sent back to its vendor. */
function metaOf({ extra_content }: ToolCall, isCustom: boolean): Meta | undefined {
  const openai = {
    ...(isCustom && { type: 'custom' }),
    ...(extra_content !== undefined && extra_content !== null && { extra_content: extra_content as Json }),
  }
  return Object.keys(openai).length === 0 ? undefined : { openai }
}

/** A call starts when its name is complete: with its arguments, or with a fragment that has no name. */
function readCalled(speaker: Speaker, call: Call, id: string | undefined, called: CalledFunction, out: Out): void {
  const text = textOf(called.arguments)
  const name = called.name ?? ''
  if (call.callId === undefined) {
    const isNameWhole = name === '' && call.name !== ''
    call.givenId ??= id
    call.name = nameWith(call.name, name)
    speaker.waitingCall = call
    if (text === '' && !isNameWhole) return
  }
  const callId = call.callId ?? startCall(speaker, call, out)
  if (text === '') return
  if (call.freeText !== undefined) call.freeText += text
  out.push({ type: 'tool-input-delta', callId, text })
}

/** A name may arrive in fragments, grow, or be repeated. */
function nameWith(before: string, fragment: string): string {
  return fragment.startsWith(before) ? fragment : before + fragment
}

/** Arguments are JSON text; some servers send the value itself. */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
