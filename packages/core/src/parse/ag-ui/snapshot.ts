import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Activities } from './activities.ts'
import { type Calls, textOf } from './calls.ts'
import { inCamelCase, roleOf, scopeOf } from './fields.ts'
import { fileParts } from './parts.ts'
import type { Prose } from './prose.ts'
import type { RawCall, RawMessage } from './raw.ts'
import { canonicalArgs, type Seen, type SeenCall, type SeenText } from './seen.ts'

/** Draws the parts of whole messages that the stream has not drawn yet. */
export interface Snapshots {
  read(messages: readonly RawMessage[], sentAt: { readonly timestamp?: number }): StreamEvent[]
  /** Draws the last messages of a run's input, by the user and the client's tools. Earlier messages are history. */
  readInput(messages: readonly RawMessage[], sentAt: { readonly timestamp?: number }): StreamEvent[]
}

/** A message of a snapshot, with the text and calls of the stream that it repeats. */
interface MatchedMessage {
  readonly message: RawMessage
  readonly text: SeenText | undefined
  readonly calls: readonly (SeenCall | undefined)[]
}

export function createSnapshots(seen: Seen, prose: Prose, calls: Calls, activities: Activities): Snapshots {
  function draw({ message, text, calls: matchedCalls }: MatchedMessage, isOld: boolean, time: Time): StreamEvent[] {
    const { id = '', content, toolCalls = [], toolCallId, activityType, subagentRunId, metadata } = message
    const raw = { ...time, ...(subagentRunId !== undefined && { subagentRunId }), ...(metadata && { metadata }) }
    if (toolCallId !== undefined && message.role === 'tool') {
      const call = seen.calls.get(toolCallId)
      const isAnswered = call === undefined ? isOld : call.hasOutput
      return isAnswered ? [] : calls.result(toolCallId, message, raw)
    }
    if (activityType !== undefined && content !== undefined) {
      return isOld ? [] : (activities.set({ messageId: id, activityType, content }, raw, true) ?? [])
    }
    const events = text === undefined ? (isOld ? [] : drawProse(message, raw)) : rewrite(text, message)
    if (isOld) return events
    return [
      ...events,
      ...toolCalls.flatMap((call, at) => (matchedCalls[at] === undefined ? drawCall(call, at, id, raw) : [])),
    ]
  }

  function drawProse(message: RawMessage, raw: Time): StreamEvent[] {
    const { id = '', role, name, content, encryptedValue } = message
    const kind = role === 'reasoning' ? ('reasoning' as const) : ('text' as const)
    const messageText = textOf(content)
    const files = fileParts(content, id)
    if (messageText === '' && files.length === 0 && encryptedValue === undefined) return []
    if (messageText === '' && files.length === 0) return encryptedEvents(message, raw)
    const { meta: _meta, ...fileScope } = scopeOf(raw)
    const start = { ...raw, messageId: id, ...(role !== undefined && { role }), ...(name !== undefined && { name }) }
    return [
      ...(kind === 'text' ? prose.startText(start) : prose.startReasoning(id, raw)),
      ...prose.add(kind, id, messageText, raw),
      ...files.map((file) => ({ ...fileScope, ...file })),
      ...encryptedEvents(message, raw),
      ...prose.end(kind, id, raw),
    ]
  }

  function encryptedEvents({ id = '', encryptedValue }: RawMessage, raw: Time): StreamEvent[] {
    return encryptedValue === undefined ? [] : prose.encrypt(id, encryptedValue, raw)
  }

  function drawCall(
    { id, function: calledFunction, encryptedValue }: RawCall,
    at: number,
    parentMessageId: string,
    raw: Time,
  ): StreamEvent[] {
    const toolCallId = id ?? `${parentMessageId}:call-${at + 1}`
    const args = calledFunction?.arguments ?? ''
    const start = { ...raw, toolCallId, toolCallName: calledFunction?.name ?? 'unknown', parentMessageId }
    return [
      ...calls.start(start),
      ...calls.add(toolCallId, typeof args === 'string' ? args : JSON.stringify(args), raw),
      ...(encryptedValue === undefined ? [] : calls.encrypt(toolCallId, encryptedValue, raw)),
      ...calls.end(toolCallId, raw),
    ]
  }

  /** A snapshot replaces a text with the same id. */
  function rewrite(text: SeenText, { content }: RawMessage): StreamEvent[] {
    const messageText = textOf(content)
    if (messageText === '' || text.text === undefined || messageText.trim() === text.text.trim()) return []
    text.text = messageText
    return [{ type: 'block-patch', blockId: text.blockId, text: messageText }]
  }

  return {
    read(rawMessages, time) {
      const messages = rawMessages.map(inCamelCase)
      const matches = matchMessages(messages, seen)
      const first = matches.findIndex(
        ({ text, calls: matchedCalls }) => text !== undefined || matchedCalls.some((call) => call !== undefined),
      )
      const lastOfUser = messages.findLastIndex(({ role }) => role === 'user')
      const from = first !== -1 ? first : seen.hasContent ? lastOfUser + 1 : 0
      const events = matches.flatMap((match, index) => draw(match, index < from, time))
      return [{ type: 'state', channel: 'messages', op: 'snapshot', value: rawMessages as unknown as Json }, ...events]
    },
    readInput(rawMessages, time) {
      const messages = rawMessages.map(inCamelCase)
      const last = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'tool')
      return matchMessages(messages.slice(last + 1), seen).flatMap((match) =>
        match.text === undefined ? draw(match, match.message.role === 'tool', time) : [],
      )
    },
  }
}

interface Time {
  readonly timestamp?: number
}

/**
 * By id, or by content if a server makes new ids for each snapshot. Each drawn text or call is matched at most once,
 * because an agent may send the same content twice.
 */
function matchMessages(messages: readonly RawMessage[], seen: Seen): readonly MatchedMessage[] {
  const textIds = new Set(messages.map(({ id, role }) => `${role === 'reasoning' ? role : 'text'} ${id}`))
  const callIds = new Set(messages.flatMap(({ toolCalls }) => (toolCalls ?? []).map(({ id }) => id)))
  const texts = groupedBy(
    [...seen.texts].filter(([id]) => !textIds.has(id)).map(([, text]) => text),
    keyOfText,
  )
  const calls = groupedBy(
    [...seen.calls.values()].filter(({ callId }) => !callIds.has(callId)),
    keyOfCall,
  )
  return messages.map((message) => {
    const { id, role, content, toolCalls = [] } = message
    const kind = role === 'reasoning' ? ('reasoning' as const) : ('text' as const)
    const isProse = role !== 'tool' && role !== 'activity'
    const messageText = textOf(content)
    const takeSameText = () =>
      texts.get(keyOfText({ kind, role: kind === 'text' ? roleOf(role) : 'assistant', text: messageText }))?.shift()
    const text = isProse
      ? (seen.texts.get(`${kind} ${id}`) ?? (messageText.trim() === '' ? undefined : takeSameText()))
      : undefined
    return {
      message,
      text,
      calls: toolCalls.map((call) => seen.calls.get(call.id ?? '') ?? calls.get(keyOfRaw(call))?.shift()),
    }
  })
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const keyOfText = ({ kind, role, text }: Pick<SeenText, 'kind' | 'role' | 'text'>) => `${kind} ${role} ${text?.trim()}`

const keyOfCall = ({ name, args }: Pick<SeenCall, 'name' | 'args'>) => `${name} ${canonicalArgs(args)}`

function keyOfRaw({ function: calledFunction }: RawCall): string {
  const args = calledFunction?.arguments
  return keyOfCall({
    name: calledFunction?.name ?? '',
    args: isJsonObject(args) ? JSON.stringify(args) : String(args ?? ''),
  })
}
