import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import { type Call, type Calls, MAX_BEGINNING, type NewCall } from './calls.ts'
import { type CallPart, indexOf } from './content-parts.ts'
import { closeBlock, type EmittedMessage, inputEvents } from './emitted-message.ts'
import { type LangMessage, type RawCall, wordOf } from './message.ts'

/** A fragment of a call. LangChain's rule: one index is one call; only its first fragment has the id and the name. */
export function callMore(calls: Calls, emitted: EmittedMessage, part: CallPart): StreamEvent[] {
  const events: StreamEvent[] = []
  const call = callOf(emitted, part) ?? beginCall(calls, emitted, part, events)
  if (call === undefined) return unmatched(part)
  if (typeof part.args === 'string') events.push(...fragment(call, part.args))
  else if (!isJsonObject(part.args)) events.push(...unmatched(part))
  else if (!isEmpty(part.args)) call.wholeInput = part.args
  return events
}

/** A call with its input text so far, from the beginning. */
export function callSoFar(calls: Calls, emitted: EmittedMessage, part: CallPart): StreamEvent[] {
  const call = callOf(emitted, part)
  if (call === undefined) return callMore(calls, emitted, part)
  if (typeof part.args !== 'string') {
    if (part.args !== undefined) call.wholeInput = part.args
    return []
  }
  return part.args.length > call.length ? fragment(call, part.args.slice(call.length)) : []
}

/** The calls of a whole message, each with its whole input. */
export function wholeCalls(
  calls: Calls,
  emitted: EmittedMessage,
  message: LangMessage,
  parts: readonly CallPart[],
): StreamEvent[] {
  const { toolCalls, invalidToolCalls } = message
  const isNamed = (raw: RawCall) => wordOf(raw.name) !== undefined || wordOf(raw.id) !== undefined
  const listed = [
    ...toolCalls.filter(isNamed).map((raw) => ({ part: callPartOf(raw), error: undefined })),
    ...invalidToolCalls
      .filter(isNamed)
      .map((raw) => ({ part: callPartOf(raw), error: wordOf(raw.error) ?? 'The input is not JSON.' })),
  ]
  const unlistedParts = parts.filter((part) => part.runBy === 'provider' || listed.length === 0)
  const unlisted = unlistedParts.map((part) => ({ part, error: undefined }))
  return [unlisted, listed].flatMap((list) =>
    list.flatMap(({ part, error }, index) => wholeCall(calls, emitted, part, error, index)),
  )
}

function wholeCall(
  calls: Calls,
  emitted: EmittedMessage,
  part: CallPart,
  error: string | undefined,
  index: number,
): StreamEvent[] {
  const existing =
    part.id === undefined
      ? emitted.calls.filter(({ runBy }) => runBy === part.runBy)[index]
      : emitted.calls.find((call) => isCalled(call, part.id))
  if (existing?.hasInput) return []
  const events: StreamEvent[] = []
  const call = existing ?? beginCall(calls, emitted, part, events)
  if (call === undefined) return unmatched(part)
  // What was streamed of an input may be cut short. The input of the whole message is complete.
  if (isJsonObject(part.args)) call.wholeInput = part.args
  else if (call.length === 0) {
    if (typeof part.args === 'string' && error === undefined) return [...events, ...textInput(call, part.args)]
    call.wholeInput = part.args ?? {}
    call.error = error
  }
  return [...events, ...inputEvents(call)]
}

/** An input that comes as its whole text. */
function textInput(call: Call, text: string): StreamEvent[] {
  return [...fragment(call, text), ...inputEvents(call)]
}

export function callPartOf(raw: RawCall): CallPart {
  return {
    kind: 'call',
    runBy: 'agent',
    id: wordOf(raw.id),
    name: wordOf(raw.name),
    index: indexOf(raw.index ?? undefined),
    args: raw.args,
  }
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

function isCalled({ callId, scope }: Call, id: string | undefined): boolean {
  return callId === id || callId === `${id}@${scope.key}`
}

function beginCall(calls: Calls, emitted: EmittedMessage, part: CallPart, events: StreamEvent[]): Call | undefined {
  if (part.name === undefined) return undefined
  const { id, name, index, runBy } = part as CallPart & NewCall
  const { call, event } = calls.start(emitted, { id, name, index, runBy })
  emitted.calls.push(call)
  events.push(...closeBlock(emitted), event)
  return call
}

/** Keeps input that belongs to no call or has an invalid type as `raw`. */
function unmatched({ kind: _kind, runBy: _runBy, ...part }: CallPart): StreamEvent[] {
  const { args } = part
  return args === undefined || args === null || args === '' || isEmpty(args) ? [] : unmapped(present(part))
}

function fragment(call: Call, text: string): StreamEvent[] {
  if (text === '' || call.hasInput) return []
  call.length += text.length
  if (call.beginning.length < MAX_BEGINNING) call.beginning += text.slice(0, MAX_BEGINNING)
  return [{ type: 'tool-input-delta', callId: call.callId, text }]
}

/** Whether an input is an empty object, as at the start of a call whose input is streamed. */
function isEmpty(args: Json): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0
}
