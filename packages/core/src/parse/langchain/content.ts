import { present } from '../../data/present.ts'
import { isJsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { isEmpty, keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, type Calls, completeInput, MAX_BEGINNING } from './calls.ts'
import { type CallPart, type ContentPart, indexOf, type Prose } from './content-parts.ts'
import { closeBlock, type EmittedMessage, isBlank } from './emitted-message.ts'
import type { LangMessage, RawCall } from './message.ts'
import { addProse, catchUp, pushFoundSources } from './prose.ts'

export const isProse = (part: ContentPart): part is Prose => part.kind === 'text' || part.kind === 'reasoning'
const isCall = (part: ContentPart): part is CallPart => part.kind === 'call'

export type Emit = (out: Out, emitted: EmittedMessage, message: LangMessage, parts: readonly ContentPart[]) => void
export type Content = ReturnType<typeof createContent>

/** Emits the content of messages. */
export function createContent(calls: Calls) {
  function begin(out: Out, emitted: EmittedMessage, { name, id, index, runBy }: CallPart): Call | undefined {
    if (name === undefined) return undefined
    closeBlock(out, emitted)
    const call = calls.start(out, emitted.scope, { id, name, index, runBy, messageId: emitted.messageId })
    emitted.calls.push(call)
    return call
  }

  /**
   * A fragment of a call, or a call with its input so far. LangChain's rule: one index is one call; only its first
   * fragment has the id and the name. Returns undefined if it has no name, and so no start.
   */
  function addCall(out: Out, emitted: EmittedMessage, part: CallPart, isSoFar: boolean): Call | undefined {
    const { args } = part
    const call = callOf(emitted, part) ?? begin(out, emitted, part)
    if (call !== undefined && typeof args === 'string') addInput(out, call, isSoFar ? args.slice(call.length) : args)
    else if (call === undefined || !isJsonObject(args)) keepUnmatched(out, part)
    else if (isSoFar || !isEmpty(args)) call.wholeInput = args
    return call
  }

  /** A call with its whole input. A call without an id is found by its position among those of the message. */
  function wholeCall(out: Out, emitted: EmittedMessage, part: CallPart, position: number, error?: string): void {
    const { id, runBy, args } = part
    const existing =
      id === undefined
        ? emitted.calls.filter((call) => call.runBy === runBy)[position]
        : emitted.calls.find((call) => isCalled(call, id))
    if (existing?.hasInput) return
    const call = existing ?? begin(out, emitted, part)
    if (call === undefined) keepUnmatched(out, part)
    // What was streamed of an input may be cut short. The input of the whole message is complete.
    else if (isJsonObject(args)) call.wholeInput = args
    else if (call.length === 0 && typeof args === 'string' && error === undefined) addInput(out, call, args)
    else if (call.length === 0) Object.assign(call, { wholeInput: args ?? {}, error })
    if (call !== undefined) completeInput(out, call)
  }

  /** A part that is neither prose nor a call. It comes whole. */
  function other(out: Out, emitted: EmittedMessage, part: Exclude<ContentPart, Prose | CallPart>): void {
    if (part.kind === 'other') keepRaw(out, part.value)
    else if (part.kind === 'file')
      out.push({
        type: 'file',
        fileId: `${emitted.messageId}:file-${emitted.files++}`,
        ...part.file,
        ...emitted.fields,
      })
    else {
      const { id, output, isError } = part
      const isNew = calls.answer(out, emitted.scope, id, { isError, output })
      if (isNew) pushFoundSources(out, emitted, id, output)
    }
  }

  /** The content repeats the calls in the provider's format. Of listed calls, only those run by the provider are read. */
  function inOrder(out: Out, emitted: EmittedMessage, parts: readonly ContentPart[], areListed: boolean): void {
    for (const part of parts) {
      if (isProse(part)) addProse(out, emitted, part)
      else if (!isCall(part)) other(out, emitted, part)
      else if (!areListed || isOfProvider(emitted, part)) addCall(out, emitted, part, false)
    }
  }

  /** A chunk: everything in it continues what was emitted. */
  const more: Emit = (out, emitted, { toolCallChunks, toolCalls, invalidToolCalls }, parts) => {
    // The tool calls of a chunk are its fragments, parsed as far as possible. The fragments themselves are exact.
    const listed = toolCallChunks.length > 0 ? toolCallChunks : [...toolCalls, ...invalidToolCalls]
    const haveArgs = listed.some(({ args }) => args !== undefined && args !== null)
    inOrder(out, emitted, parts, haveArgs)
    for (const raw of listed) addCall(out, emitted, callPartOf(raw), false)
  }

  /** A message from its beginning to its current state. */
  const soFar: Emit = (out, emitted, { toolCallChunks, toolCalls }, parts) => {
    const listed = (toolCallChunks.length > 0 ? toolCallChunks : toolCalls).map(callPartOf)
    catchUp(out, emitted, parts.filter(isProse))
    for (const part of [...unlistedIn(parts, listed), ...listed]) addCall(out, emitted, part, true)
  }

  /** A whole message, of which nothing, a part or all may have been emitted. */
  const whole: Emit = (out, emitted, { toolCalls, invalidToolCalls }, parts) => {
    const listed = [...toolCalls, ...invalidToolCalls].filter(isNamed)
    if (isBlank(emitted)) {
      const separated = parts.map((part, index) => (isProse(part) ? { ...part, key: `${part.key}#${index}` } : part))
      inOrder(out, emitted, separated, toolCalls.length > 0 || invalidToolCalls.length > 0)
    } else {
      catchUp(out, emitted, parts.filter(isProse))
      for (const [at, part] of unlistedIn(parts, listed).entries()) wholeCall(out, emitted, part, at)
    }
    for (const [at, raw] of listed.entries()) {
      const error = invalidToolCalls.includes(raw) ? (textIn(raw.error) ?? 'The input is not JSON.') : undefined
      wholeCall(out, emitted, callPartOf(raw), at, error)
    }
  }

  return { calls, more, soFar, whole, addCall, other }
}

/** The calls that only the content holds: those of the provider, and all if no list names any. */
function unlistedIn(parts: readonly ContentPart[], listed: readonly unknown[]): readonly CallPart[] {
  return parts.filter(isCall).filter((part) => part.runBy === 'provider' || listed.length === 0)
}

function isOfProvider(emitted: EmittedMessage, { runBy, name, index }: CallPart): boolean {
  if (runBy === 'provider') return true
  return name === undefined && emitted.calls.some((call) => call.runBy === 'provider' && call.index === index)
}

const isNamed = ({ name, id }: RawCall) => textIn(name) !== undefined || textIn(id) !== undefined

function callPartOf({ id, name, index, args }: RawCall): CallPart {
  return { kind: 'call', runBy: 'agent', id: textIn(id), name: textIn(name), index: indexOf(index ?? undefined), args }
}

/** The call that a fragment continues; undefined if it begins one. */
function callOf(emitted: EmittedMessage, { id, name, index }: CallPart): Call | undefined {
  if (id !== undefined) {
    const existing = emitted.calls.find((call) => isCalled(call, id))
    if (existing !== undefined || name !== undefined) return existing
  }
  const atIndex = index === undefined ? undefined : emitted.calls.findLast((call) => call.index === index)
  if (name !== undefined) return atIndex?.name === name ? atIndex : undefined
  return atIndex ?? (index === undefined ? emitted.calls.at(-1) : undefined)
}

function isCalled({ callId, scope }: Call, id: string): boolean {
  return callId === id || callId === `${id}@${scope.key}`
}

/** Keeps input that belongs to no call or has an invalid type as `raw`. */
function keepUnmatched(out: Out, { kind: _kind, runBy: _runBy, ...part }: CallPart): void {
  const { args } = part
  const isNothing = args === undefined || args === null || args === '' || (typeof args === 'object' && isEmpty(args))
  if (!isNothing) keepRaw(out, present(part))
}

function addInput(out: Out, call: Call, text: string): void {
  if (text === '' || call.hasInput) return
  call.length += text.length
  if (call.beginning.length < MAX_BEGINNING) call.beginning += text.slice(0, MAX_BEGINNING)
  out.push({ type: 'tool-input-delta', callId: call.callId, text })
}
