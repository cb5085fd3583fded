import { remember } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { extraFields, metaOf, roleOf, scopeOf, sentAtOf } from './fields.ts'
import type { Base, TextStart } from './raw.ts'
import type { Seen, SeenText } from './seen.ts'
import type { Turn, TurnTracker } from './turn-tracker.ts'

type Kind = SeenText['kind']
type RawText = Omit<TextStart, 'type'>

/** The maximum number of open blocks of one kind: memory must stay bounded on an endless stream. */
const MAX_OPEN = 1024

interface OpenBlock {
  readonly blockId: string
  readonly seen: SeenText
  /** Absent for a subagent: its text belongs to no message. */
  readonly turn: Turn | undefined
}

/** The texts and thoughts, by the protocol's id while they are open. */
export interface Prose {
  startText(raw: RawText): StreamEvent[]
  startReasoning(id: string | undefined, raw: Base, title?: string): StreamEvent[]
  /** Adds a delta to the block with this id, else to the block that was opened last, else to a new one. */
  add(kind: Kind, id: string | undefined, delta: string, raw: Base): StreamEvent[]
  end(kind: Kind, id: string | undefined, raw: Base): StreamEvent[]
  encrypt(id: string, encrypted: string, raw: Base): StreamEvent[]
}

export function createProse(seen: Seen, turnTracker: TurnTracker): Prose {
  const blocks: { readonly [K in Kind]: Map<string, OpenBlock> } = { text: new Map(), reasoning: new Map() }
  const lastOpened: { [K in Kind]: string | undefined } = { text: undefined, reasoning: undefined }
  let minted = 0

  /** The events that open the block are added to `events`. */
  function open(kind: Kind, id: string, raw: RawText, events: StreamEvent[], title?: string): OpenBlock {
    const role = kind === 'text' ? roleOf(raw.role) : 'assistant'
    const turn = raw.subagentRunId === undefined ? turnTracker.take(kind, id, role, raw, events) : undefined
    if (turn !== undefined) turn.openBlocks++
    const blockId = kind === 'text' ? id : `${id}:reasoning`
    if (role === 'assistant') seen.hasContent = true
    const seenText = seen.texts.get(`${kind} ${id}`) ?? seen.addText(id, { kind, role, blockId, text: '' })
    const block = remember(blocks[kind], id, { blockId, seen: seenText, turn }, MAX_OPEN)
    lastOpened[kind] = id
    const extra = { ...extraFields(raw), ...(raw.name !== undefined && { name: raw.name }), ...(title && { title }) }
    const message = turn === undefined ? {} : { messageId: turn.messageId }
    const variant = kind === 'reasoning' ? { variant: 'thinking' as const } : {}
    events.push({ ...scopeOf(raw), ...metaOf(extra), type: 'block-start', blockId, kind, ...variant, ...message })
    return block
  }

  function start(kind: Kind, id: string, raw: RawText, title?: string): StreamEvent[] {
    const events: StreamEvent[] = []
    if (!blocks[kind].has(id)) open(kind, id, raw, events, title)
    return events
  }

  function end(kind: Kind, givenId: string | undefined, raw: Base): StreamEvent[] {
    const id = givenId ?? lastOpened[kind]
    const block = id === undefined ? undefined : blocks[kind].get(id)
    if (id === undefined || block === undefined) return []
    blocks[kind].delete(id)
    if (lastOpened[kind] === id) lastOpened[kind] = [...blocks[kind].keys()].at(-1)
    const { agentId: _agentId, ...scope } = scopeOf(raw)
    const events: StreamEvent[] = [{ ...scope, type: 'block-end', blockId: block.blockId }]
    if (block.turn === undefined) return events
    turnTracker.closeBlock(block.turn, events)
    if (block.turn.role !== 'assistant') turnTracker.end(block.turn, events)
    return events
  }

  const idOf = (kind: Kind, id: string | undefined) => id ?? lastOpened[kind] ?? `${kind}-${++minted}`

  return {
    startText(raw) {
      return start('text', raw.messageId ?? `text-${++minted}`, raw)
    },
    startReasoning(id = `reasoning-${++minted}`, raw, title) {
      return start('reasoning', id, raw, title)
    },
    add(kind, givenId, delta, raw) {
      const id = idOf(kind, givenId)
      const events: StreamEvent[] = []
      const block = blocks[kind].get(id) ?? open(kind, id, raw, events)
      seen.grow(block.seen, delta)
      const blockDelta: EventOf<'block-delta'> = { type: 'block-delta', blockId: block.blockId, text: delta }
      events.push(raw.timestamp === undefined ? blockDelta : { ...blockDelta, ...sentAtOf(raw) })
      return events
    },
    end,
    encrypt(id, encrypted, raw) {
      const seenText = seen.texts.get(`reasoning ${id}`) ?? seen.texts.get(`text ${id}`)
      if (seenText !== undefined)
        return [{ ...sentAtOf(raw), type: 'block-patch', blockId: seenText.blockId, encrypted }]
      const events = start('reasoning', id, raw)
      const blockId = `${id}:reasoning`
      const redacted = events.map((event) =>
        event.type === 'block-start' ? { ...event, variant: 'redacted' as const } : event,
      )
      return [...redacted, { type: 'block-patch', blockId, encrypted }, ...end('reasoning', id, raw)]
    },
  }
}
