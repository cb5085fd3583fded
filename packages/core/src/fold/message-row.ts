import type { Entry } from '../entry.ts'
import type { Role } from '../event-fields.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import { createSpawns, createTodoLines, subagentEndLine, subagentStartLine } from '../meaning/activity-lines.ts'

/** A run's answer as one stored message. A key of `metadata` is there only where it holds something. */
export interface MessageRow {
  readonly content: string
  readonly metadata: {
    readonly processing?: readonly string[]
    readonly thinking?: string
    /** The run said more than the row may hold: all of it is in the log. */
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
  /** How many characters the row may hold; no limit unless given. What comes later is left out. */
  readonly maxCharacters?: number
}

export interface MessageRowBuilder {
  /** An entry that was pushed before, by its `seq`, changes nothing. */
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

/** The way back, for every place that loads a row: processing, thinking, text, each only where there is any. */
export function partsOfRow({ content, metadata: { processing = [], thinking = '' } }: MessageRow): readonly RowPart[] {
  const parts: readonly RowPart[] = [
    { type: 'reasoning', text: processing.join('\n'), providerMetadata: { mobox: { variant: 'processing' } } },
    { type: 'reasoning', text: thinking, providerMetadata: { mobox: { variant: 'thinking' } } },
    { type: 'text', text: content },
  ]
  return parts.filter((part) => part.text !== '')
}

/** What a piece costs besides its text, in characters: a stream of nothing but small pieces is bounded, too. */
const PASSAGE_COST = 64

/** Something said, where it is stored, and the messages whose retraction takes it away. */
interface Passage {
  readonly target: 'content' | 'thinking' | 'processing'
  readonly messages: readonly string[]
  text: string
}

/**
 * A projection of entries, not of segments, because a folded list of todos no longer tells how it came about.
 * Calls, outputs, errors and the run's end leave nothing in a row; neither does what a subagent says to its caller,
 * which comes back as its summary.
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

  /** Undefined if the row is full. */
  function add(target: Passage['target'], text: string, messageKeys: readonly string[]): Passage | undefined {
    isTruncated ||= room < PASSAGE_COST
    if (room < PASSAGE_COST) return undefined
    room -= PASSAGE_COST
    const passage = { target, text: '', messages: messageKeys }
    passages.push(passage)
    append(passage, text)
    return passage
  }

  /** An endless stream must not fill the memory of the process that logs it. */
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

/** Which message an event stands in, by the rule that an event without `messageId` belongs to its agent's newest open one. */
function createMessages() {
  const roles = new Map<string, Role>()
  const open = new Map<string | undefined, readonly string[]>()
  /** Where each subagent was started: retracting that message takes the subagent along. */
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

/** One message id may be used by the main agent and by a subagent: they are two messages. */
function keyOf(agentId: string | undefined, messageId: string): string {
  return agentId === undefined ? messageId : `${agentId}\n${messageId}`
}

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
