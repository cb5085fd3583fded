import type { Entry } from '../entry.ts'
import type { Role } from '../event-fields.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import { createSpawns, createTodoLines, subagentEndLine, subagentStartLine } from '../meaning/activity-lines.ts'

/** A run's answer as one stored message. A key of `metadata` is present only if it is not empty. */
export interface MessageRow {
  readonly content: string
  readonly metadata: {
    readonly processing?: readonly string[]
    readonly thinking?: string
    /** The row does not hold the whole answer because of its limit. The log does. */
    readonly truncated?: true
  }
}

/** A part of a message that is loaded from its row. */
export type RowPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'reasoning'
      readonly text: string
      readonly providerMetadata: { readonly mobox: { readonly variant: 'processing' | 'thinking' } }
    }

export interface MessageRowOptions {
  /** How many characters the row may hold; no limit by default. Later text is left out. */
  readonly maxCharacters?: number
}

export interface MessageRowBuilder {
  /** An entry whose `seq` was pushed before changes nothing. */
  push(entry: Entry): void
  row(): MessageRow
}

export function messageRow(entries: readonly Entry[]): MessageRow {
  const builder = createMessageRow()
  for (const entry of entries) builder.push(entry)
  return builder.row()
}

export function getText(entries: readonly Entry[]): string {
  return messageRow(entries).content
}

export function getThinking(entries: readonly Entry[]): string {
  return messageRow(entries).metadata.thinking ?? ''
}

/** The parts of a stored row, for code that loads it: processing, thinking, text, without empty parts. */
export function partsOfRow({ content, metadata: { processing = [], thinking = '' } }: MessageRow): readonly RowPart[] {
  const parts: readonly RowPart[] = [
    { type: 'reasoning', text: processing.join('\n'), providerMetadata: { mobox: { variant: 'processing' } } },
    { type: 'reasoning', text: thinking, providerMetadata: { mobox: { variant: 'thinking' } } },
    { type: 'text', text: content },
  ]
  return parts.filter((part) => part.text !== '')
}

/** The cost of a passage besides its text, in characters: it bounds a stream of many small passages too. */
const PASSAGE_COST = 64

/** A text, the field that stores it, and the messages whose retraction removes it. */
interface Passage {
  readonly target: 'content' | 'thinking' | 'processing'
  readonly messages: readonly string[]
  text: string
}

/**
 * A projection of entries, not of segments, because a folded list of todos does not show how it came about.
 * Calls, outputs, errors and the run's end add nothing to a row; neither does the text of a subagent, which comes back
 * as its summary.
 */
export function createMessageRow({
  maxCharacters = Number.POSITIVE_INFINITY,
}: MessageRowOptions = {}): MessageRowBuilder {
  const passages: Passage[] = []
  const blocks = new Map<string, Passage>()
  const retracted = new Set<string>()
  const agentNames = new Map<string, string>()
  const messages = createMessages()
  const todoLines = createTodoLines()
  const spawns = createSpawns()
  let lastSeq = 0
  let room = maxCharacters
  let isTruncated = false

  /** Returns undefined if the row is full. */
  function add(target: Passage['target'], text: string, messageKeys: readonly string[]): Passage | undefined {
    isTruncated ||= room < PASSAGE_COST
    if (room < PASSAGE_COST) return undefined
    room -= PASSAGE_COST
    const passage = { target, text: '', messages: messageKeys }
    passages.push(passage)
    append(passage, text)
    return passage
  }

  /** An endless stream must not fill the memory of the logging process. */
  function append(passage: Passage, text: string): void {
    const kept = text.length <= room ? text : text.slice(0, room)
    isTruncated ||= kept.length < text.length
    room -= kept.length
    passage.text += kept
  }

  const rows: { readonly [Type in EventType]?: (event: EventOf<Type>) => void } = {
    'message-start': messages.start,
    'message-end': messages.end,
    'message-retract'(event) {
      for (const messageId of event.messageIds) retracted.add(keyOf(event.agentId, messageId))
    },
    'block-start'(event) {
      const messageKeys = messages.placesOf(event)
      const isAnswer = event.kind === 'text'
      if (messages.roleAt(messageKeys) !== 'assistant' || (isAnswer && event.agentId !== undefined)) return
      const passage = add(isAnswer ? 'content' : 'thinking', '', messageKeys)
      if (passage !== undefined) blocks.set(event.blockId, passage)
    },
    'block-delta'({ blockId, text }) {
      const passage = blocks.get(blockId)
      if (passage !== undefined) append(passage, text)
    },
    'block-patch'({ blockId, text }) {
      const passage = blocks.get(blockId)
      if (passage === undefined || text === undefined) return
      room += passage.text.length
      passage.text = ''
      append(passage, text)
    },
    status: (event) => add('processing', event.message, messages.placesOf(event)),
    todos(event) {
      for (const line of todoLines(event)) add('processing', line, messages.placesOf(event))
    },
    'tool-start': spawns.note,
    'subagent-start'(event) {
      agentNames.set(event.agentId, event.name)
      const isSpawned = spawns.isSpawn(event)
      const line = subagentStartLine(event, isSpawned)
      add(isSpawned ? 'processing' : 'thinking', line, messages.startAgent(event))
    },
    'subagent-end'({ agentId, status, summary }) {
      add(
        'thinking',
        subagentEndLine(agentNames.get(agentId) ?? agentId, status, summary),
        messages.placesOf({ agentId }),
      )
    },
  }
  const table = new Map(Object.entries(rows)) as Map<string, (event: StreamEvent) => void>

  return {
    push({ seq, event }) {
      if (seq <= lastSeq) return
      lastSeq = seq
      table.get(event.type)?.(event)
    },
    row() {
      const kept = passages.filter((passage) => !passage.messages.some((message) => retracted.has(message)))
      const textsOf = (target: Passage['target']) =>
        kept.filter((passage) => passage.target === target).map(({ text }) => text)
      const processing = textsOf('processing')
        .filter(isNotBlank)
        .map((text) => text.trimEnd())
      const thinking = textsOf('thinking').filter(isNotBlank).map(withLineEnd).join('')
      return {
        content: textsOf('content').join(''),
        metadata: {
          ...(processing.length > 0 && { processing }),
          ...(thinking !== '' && { thinking }),
          ...(isTruncated && { truncated: true }),
        },
      }
    },
  }
}

/** The message of each event. An event without `messageId` belongs to the newest open message of its agent. */
function createMessages() {
  const roles = new Map<string, Role>()
  const open = new Map<string | undefined, readonly string[]>()
  /** The messages in which each subagent was started: retracting one of them retracts the subagent. */
  const startKeys = new Map<string, readonly string[]>()

  function messageKeysOf({ agentId, messageId }: Pick<StreamEvent, 'agentId' | 'messageId'>): readonly string[] {
    const ownKey = messageId === undefined ? open.get(agentId)?.at(-1) : keyOf(agentId, messageId)
    const agentStartKeys = agentId === undefined ? [] : (startKeys.get(agentId) ?? [])
    return ownKey === undefined ? agentStartKeys : [ownKey, ...agentStartKeys]
  }

  return {
    placesOf: messageKeysOf,
    roleAt: ([ownKey]: readonly string[]): Role =>
      (ownKey === undefined ? undefined : roles.get(ownKey)) ?? 'assistant',
    start({ agentId, messageId, role }: EventOf<'message-start'>): void {
      const key = keyOf(agentId, messageId)
      roles.set(key, role)
      open.set(agentId, [...(open.get(agentId) ?? []), key])
    },
    end({ agentId, messageId }: EventOf<'message-end'>): void {
      const key = keyOf(agentId, messageId)
      open.set(
        agentId,
        (open.get(agentId) ?? []).filter((other) => other !== key),
      )
    },
    startAgent({ agentId, parentAgentId, messageId }: EventOf<'subagent-start'>): readonly string[] {
      const messageKeys = messageKeysOf({
        ...(parentAgentId !== undefined && { agentId: parentAgentId }),
        ...(messageId !== undefined && { messageId }),
      })
      startKeys.set(agentId, messageKeys)
      return messageKeys
    },
  }
}

/** The main agent and a subagent may use the same message id for two messages. */
function keyOf(agentId: string | undefined, messageId: string): string {
  return agentId === undefined ? messageId : `${agentId}\n${messageId}`
}

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
