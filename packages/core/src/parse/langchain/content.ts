import type { StreamEvent } from '../../events.ts'
import type { Calls } from './calls.ts'
import type { CallPart, ContentPart, Prose } from './content-parts.ts'
import { type EmittedMessage, eventScopeOf } from './emitted-message.ts'
import type { LangMessage } from './message.ts'
import { addProse, catchUp } from './prose.ts'
import { foundSources } from './sources.ts'
import { callMore, callPartOf, callSoFar, wholeCalls } from './tool-calls.ts'

export const isProse = (part: ContentPart): part is Prose => part.kind === 'text' || part.kind === 'reasoning'
const isCall = (part: ContentPart): part is CallPart => part.kind === 'call'

/** A chunk: everything in it continues what was emitted. */
export function emitMore(
  calls: Calls,
  emitted: EmittedMessage,
  message: LangMessage,
  parts: readonly ContentPart[],
): StreamEvent[] {
  const { toolCallChunks, toolCalls } = message
  // The tool calls of a chunk are its fragments, parsed as far as possible. The fragments themselves are exact.
  const listed = toolCallChunks.length > 0 ? toolCallChunks : toolCalls
  const haveArgs = listed.some(({ args }) => args !== undefined && args !== null)
  const events = emitInOrder(calls, emitted, parts, haveArgs)
  return listed.length === 0
    ? events
    : [...events, ...listed.flatMap((raw) => callMore(calls, emitted, callPartOf(raw)))]
}

/** A message from its beginning to its current state. */
export function emitSoFar(
  calls: Calls,
  emitted: EmittedMessage,
  message: LangMessage,
  parts: readonly ContentPart[],
): StreamEvent[] {
  const { toolCallChunks, toolCalls } = message
  const listed = (toolCallChunks.length > 0 ? toolCallChunks : toolCalls).map(callPartOf)
  const unlistedCalls = parts.filter(isCall).filter((part) => part.runBy === 'provider' || listed.length === 0)
  return [
    ...catchUp(emitted, parts.filter(isProse), false),
    ...[...unlistedCalls, ...listed].flatMap((part) => callSoFar(calls, emitted, part)),
  ]
}

/** A whole message, of which nothing, a part or all may have been emitted. */
export function emitWhole(
  calls: Calls,
  emitted: EmittedMessage,
  message: LangMessage,
  parts: readonly ContentPart[],
): StreamEvent[] {
  const areListed = message.toolCalls.length > 0 || message.invalidToolCalls.length > 0
  const isNew = emitted.blocks.length === 0 && emitted.calls.length === 0
  const separated = parts.map((part, index) => (isProse(part) ? { ...part, key: `${part.key}#${index}` } : part))
  const events = isNew
    ? emitInOrder(calls, emitted, separated, areListed)
    : catchUp(emitted, parts.filter(isProse), true)
  const unlisted = isNew ? [] : parts.filter(isCall)
  return [...events, ...wholeCalls(calls, emitted, message, unlisted)]
}

/** The content repeats the calls in the provider's format. Of listed calls, only those run by the provider are read. */
function emitInOrder(
  calls: Calls,
  emitted: EmittedMessage,
  parts: readonly ContentPart[],
  areListed: boolean,
): StreamEvent[] {
  return parts.flatMap((part) => {
    if (isProse(part)) return addProse(emitted, part)
    if (!isCall(part)) return emitOther(calls, emitted, part)
    return areListed && !isOfProvider(emitted, part) ? [] : callMore(calls, emitted, part)
  })
}

function isOfProvider(emitted: EmittedMessage, { runBy, name, index }: CallPart): boolean {
  if (runBy === 'provider') return true
  return name === undefined && emitted.calls.some((call) => call.runBy === 'provider' && call.index === index)
}

/** A part that is neither prose nor a call. It comes whole. */
export function emitOther(
  calls: Calls,
  emitted: EmittedMessage,
  part: Exclude<ContentPart, Prose | CallPart>,
): StreamEvent[] {
  if (part.kind === 'other') return [{ type: 'raw', value: part.value, reason: 'unmapped' }]
  if (part.kind === 'file') {
    const fileId = `${emitted.messageId}:file-${emitted.files++}`
    return [{ type: 'file', fileId, ...part.file, ...eventScopeOf(emitted) }]
  }
  const { id, output, isError } = part
  const outputEvents = calls.answer(emitted.scope, id, { status: isError ? 'error' : 'ok', output })
  return outputEvents.length === 0 ? [] : [...outputEvents, ...foundSources(emitted, id, output)]
}
