import { present } from '../../data/present.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import type { Activities } from './activities.ts'
import type { Calls } from './calls.ts'
import { fileParts, inCamelCase, originOf, roleOf, textOf, textOrJson } from './fields.ts'
import type { Prose } from './prose.ts'
import type { Base, RawCall, RawMessage } from './raw.ts'
import { canonicalArgs, type Seen, type SeenCall, type SeenText } from './seen.ts'

type Time = Pick<Base, 'timestamp'>

/** Draws the parts of whole messages that the stream has not drawn yet. */
export interface Snapshots {
  read(out: Out, messages: readonly RawMessage[], time: Time): void
  /** Draws the last messages of a run's input, by the user and the client's tools. Earlier messages are history. */
  readInput(out: Out, messages: readonly RawMessage[], time: Time): void
}

/** A message of a snapshot, with the text and calls of the stream that it repeats. */
interface MatchedMessage {
  readonly message: RawMessage
  readonly text: SeenText | undefined
  readonly calls: readonly (SeenCall | undefined)[]
}

export function createSnapshots(seen: Seen, prose: Prose, calls: Calls, activities: Activities): Snapshots {
  function draw(out: Out, { message, text, calls: matchedCalls }: MatchedMessage, isOld: boolean, time: Time): void {
    const { id = '', role, content, toolCalls = [], toolCallId, activityType, subagentRunId, metadata } = message
    const raw: Base = { ...time, ...present({ subagentRunId, metadata }) }
    if (toolCallId !== undefined && role === 'tool') {
      const isAnswered = seen.calls.get(toolCallId)?.hasOutput ?? isOld
      if (!isAnswered) calls.result(out, toolCallId, message, raw)
    } else if (activityType !== undefined && content !== undefined) {
      if (!isOld) activities.set(out, { messageId: id, activityType, content }, raw)
    } else {
      if (text !== undefined) rewrite(out, text, textOf(content))
      else if (!isOld) drawProse(out, message, raw)
      const newCalls = isOld ? [] : [...toolCalls.entries()].filter(([at]) => matchedCalls[at] === undefined)
      for (const [at, call] of newCalls) drawCall(out, call, call.id ?? `${id}:call-${at + 1}`, id, raw)
    }
  }

  function drawProse(out: Out, message: RawMessage, raw: Base): void {
    const { id = '', role, name, content, encryptedValue } = message
    const kind = kindOf(role)
    const text = textOf(content)
    const files = fileParts(content, id)
    const isDrawn = text !== '' || files.length > 0
    if (isDrawn) {
      prose.start(out, kind, id, kind === 'text' ? { ...raw, ...present({ role, name }) } : raw)
      prose.add(out, kind, id, text, raw)
      for (const file of files) out.push({ ...originOf(raw), ...file })
    }
    if (encryptedValue !== undefined) prose.encrypt(out, id, encryptedValue, raw)
    if (isDrawn) prose.end(out, kind, id, raw)
  }

  function drawCall(out: Out, call: RawCall, toolCallId: string, parentMessageId: string, raw: Base): void {
    const { function: { name = 'unknown', arguments: args = '' } = {}, encryptedValue } = call
    calls.start(out, { ...raw, toolCallId, toolCallName: name, parentMessageId })
    calls.add(out, toolCallId, textOrJson(args), raw)
    if (encryptedValue !== undefined) calls.encrypt(out, toolCallId, encryptedValue, raw)
    calls.end(out, toolCallId, raw)
  }

  /** A snapshot replaces a text with the same id. */
  function rewrite(out: Out, seenText: SeenText, text: string): void {
    if (text === '' || seenText.text === undefined || text.trim() === seenText.text.trim()) return
    seenText.text = text
    out.push({ type: 'block-patch', blockId: seenText.blockId, text })
  }

  return {
    read(out, rawMessages, time) {
      const messages = rawMessages.map(inCamelCase)
      const matches = matchMessages(messages, seen)
      const first = matches.findIndex(
        ({ text, calls: matchedCalls }) => text !== undefined || matchedCalls.some((call) => call !== undefined),
      )
      const lastOfUser = messages.findLastIndex(({ role }) => role === 'user')
      const from = first !== -1 ? first : seen.hasContent ? lastOfUser + 1 : 0
      out.push({ type: 'state', channel: 'messages', op: 'snapshot', value: rawMessages as unknown as Json })
      for (const [index, match] of matches.entries()) draw(out, match, index < from, time)
    },
    readInput(out, rawMessages, time) {
      const messages = rawMessages.map(inCamelCase)
      const last = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'tool')
      for (const match of matchMessages(messages.slice(last + 1), seen))
        if (match.text === undefined) draw(out, match, match.message.role === 'tool', time)
    },
  }
}

function kindOf(role: string | undefined): SeenText['kind'] {
  return role === 'reasoning' ? 'reasoning' : 'text'
}

/**
 * By id, or by content if a server makes new ids for each snapshot. Each drawn text or call is matched at most once,
 * because an agent may send the same content twice.
 */
function matchMessages(messages: readonly RawMessage[], seen: Seen): readonly MatchedMessage[] {
  const textIds = new Set(messages.map(({ id, role }) => `${kindOf(role)} ${id}`))
  const callIds = new Set(messages.flatMap(({ toolCalls }) => (toolCalls ?? []).map(({ id }) => id)))
  const texts = groupedBy(
    [...seen.texts].filter(([id]) => !textIds.has(id)).map(([, text]) => text),
    keyOfText,
  )
  const calls = groupedBy(
    [...seen.calls.values()].filter(({ callId }) => !callIds.has(callId)),
    keyOfCall,
  )
  function textOfStream({ id, role, content }: RawMessage): SeenText | undefined {
    if (role === 'tool' || role === 'activity') return undefined
    const kind = kindOf(role)
    const text = textOf(content)
    const drawn = seen.texts.get(`${kind} ${id}`)
    if (drawn !== undefined || text.trim() === '') return drawn
    return texts.get(keyOfText({ kind, role: kind === 'text' ? roleOf(role) : 'assistant', text }))?.shift()
  }

  return messages.map((message) => ({
    message,
    text: textOfStream(message),
    calls: (message.toolCalls ?? []).map((call) => seen.calls.get(call.id ?? '') ?? calls.get(keyOfRaw(call))?.shift()),
  }))
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? []
    groups.set(keyOf(item), group)
    group.push(item)
  }
  return groups
}

const keyOfText = ({ kind, role, text }: Pick<SeenText, 'kind' | 'role' | 'text'>) => `${kind} ${role} ${text?.trim()}`

const keyOfCall = ({ name, args }: Pick<SeenCall, 'name' | 'args'>) => `${name} ${canonicalArgs(args)}`

function keyOfRaw({ function: { name = '', arguments: args } = {} }: RawCall): string {
  return keyOfCall({ name, args: isJsonObject(args) ? JSON.stringify(args) : String(args ?? '') })
}
