import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { addSource } from './attachments.ts'
import type { CalledFunction, ToolCall } from './raw.ts'
import type { Speaker } from './speaker.ts'

/** A call of the choice. */
export interface Call {
  /** The vendor's id; some vendors omit it or leave it empty. */
  givenId?: string | undefined
  /** The end of its id if the vendor gives none. */
  readonly fallbackId: string
  name: string
  /** Its id in the run; undefined before it has started. */
  callId?: string | undefined
  /** The text so far, for a tool that takes free text. */
  freeText: string | undefined
  readonly meta: Meta | undefined
}

/** The key of a legacy `function_call`: there is only one. */
const LEGACY = 'function-call'

export function readToolCall(out: Out, speaker: Speaker, raw: ToolCall): void {
  const called = raw.function ?? { name: raw.custom?.name ?? null, arguments: raw.custom?.input ?? null }
  const call = callOf(speaker, raw, called.name ?? '') ?? newCall(out, speaker, raw, `call-${speaker.callCount}`)
  readCalled(out, speaker, call, raw.id || undefined, called)
}

export function readFunctionCall(out: Out, speaker: Speaker, called: CalledFunction): void {
  const call = speaker.callsByKey.get(LEGACY) ?? newCall(out, speaker, {}, LEGACY)
  speaker.callsByKey.set(LEGACY, call)
  readCalled(out, speaker, call, undefined, called)
}

/** Only the end of its choice shows that a call is complete; some vendors send that end twice. */
export function endCalls(out: Out, speaker: Speaker): void {
  for (const { callId, freeText: input } of speaker.calls.splice(0))
    if (callId !== undefined) out.push({ type: 'tool-input', callId, ...present({ input }) })
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

function newCall(out: Out, speaker: Speaker, raw: ToolCall, fallbackId: string): Call {
  startWaitingCall(out, speaker)
  const { custom, extra_content } = raw
  // The signature of a call must be sent back to its vendor.
  const { meta } = keep('openai', { type: custom ? 'custom' : undefined, extra_content })
  const call: Call = { fallbackId, name: '', freeText: custom ? '' : undefined, meta }
  speaker.calls.push(call)
  speaker.callCount += 1
  speaker.hasContent = true
  if (typeof raw.index === 'number') speaker.callsByKey.set(raw.index, call)
  else if (raw.id) speaker.callsByKey.set(raw.id, call)
  return call
}

/** A call starts when its name is complete: with its arguments, or with a fragment that has no name. */
function readCalled(out: Out, speaker: Speaker, call: Call, id: string | undefined, called: CalledFunction): void {
  const text = textOf(called.arguments)
  const name = called.name ?? ''
  if (call.callId === undefined) {
    const isNameWhole = name === '' && call.name !== ''
    call.givenId ??= id
    // A name may arrive in fragments, grow, or be repeated.
    call.name = name.startsWith(call.name) ? name : call.name + name
    speaker.waitingCall = call
    if (text === '' && !isNameWhole) return
  }
  const callId = call.callId ?? startCall(out, speaker, call)
  if (text === '') return
  if (call.freeText !== undefined) call.freeText += text
  out.push({ type: 'tool-input-delta', callId, text })
}

/** Arguments are JSON text; some servers send the value itself. */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Starts the call that waits for more of its name: something else has begun. */
export function startWaitingCall(out: Out, speaker: Speaker): void {
  if (speaker.waitingCall !== undefined) startCall(out, speaker, speaker.waitingCall)
}

function startCall(out: Out, speaker: Speaker, call: Call): string {
  const { messageId, run } = speaker
  const { name, meta } = call
  const callId = run.ids.claim(call.givenId ?? `${messageId}:${call.fallbackId}`)
  speaker.voice.pause(out)
  call.callId = callId
  speaker.waitingCall = undefined
  // The start of a call without a name was missed: `balance` shows it as an orphan.
  if (name === '') return callId
  rememberOne(run.openCalls, callId)
  out.push({ type: 'tool-start', callId, name, runBy: 'client', messageId, ...present({ meta }) })
  return callId
}

/** Tools that Groq ran itself: first the call, then, under the same index, the call with its output. */
export function readExecutedTools(out: Out, speaker: Speaker, tools: unknown): void {
  for (const [position, tool] of objectsIn(tools).entries()) {
    const key = String(tool.index ?? position)
    const callId = `${speaker.messageId}:executed-${key}`
    const output = outputOf(tool)
    if (speaker.executed.isNew(key, 'start')) startExecuted(out, speaker, callId, tool)
    if (output !== undefined && speaker.executed.isNew(key, 'output')) {
      speaker.run.openCalls.delete(callId)
      out.push({ type: 'tool-output', callId, status: 'ok', output })
    }
    for (const { url, title, content } of objectsIn(objectIn(tool.search_results).results))
      addSource(out, speaker, { url, title, snippet: content, callId })
  }
}

function startExecuted(out: Out, speaker: Speaker, callId: string, tool: JsonObject): void {
  const { messageId, run, voice } = speaker
  const name = textIn(tool.name) ?? textIn(tool.type) ?? 'tool'
  const input = typeof tool.arguments === 'string' ? inputOf(tool.arguments) : { input: tool.arguments ?? {} }
  const server = present({ server: textIn(tool.server_label) })
  startWaitingCall(out, speaker)
  voice.pause(out)
  speaker.hasContent = true
  rememberOne(run.openCalls, callId)
  out.push({ type: 'tool-start', callId, name, runBy: 'provider', messageId, ...server })
  out.push({ type: 'tool-input', callId, ...input })
}

/** The output of a tool: its text, or an object with all results if there are more. */
function outputOf({ output, code_results, browser_results }: JsonObject): Json | undefined {
  const filled = (list: Json | undefined) => (Array.isArray(list) && list.length > 0 ? list : undefined)
  const more = present({ code_results: filled(code_results), browser_results: filled(browser_results) }) as JsonObject
  if (isEmpty(more)) return output ?? undefined
  return { ...(output !== undefined && { output }), ...more }
}
