import type { EventOf, StreamEvent } from '../../events.ts'
import { extraFields, metaOf, roleOf, scopeOf, sentAtOf } from './fields.ts'
import type { Base, TextStart } from './raw.ts'
import type { Seen, SeenText } from './seen.ts'
import type { Turn, TurnTracker } from './turn-tracker.ts'

type Kind = SeenText['kind']

interface OpenBlock {
  readonly blockId: string
  readonly seen: SeenText
  /** Absent for a subagent: its text belongs to no message. */
  readonly turn: Turn | undefined
}

/** The texts and thoughts, by the protocol's id while they are open. */
export interface Prose {
  startText(raw: Omit<TextStart, 'type'>): StreamEvent[]
  startReasoning(id: string | undefined, raw: Base, title?: string): StreamEvent[]
  /** Adds a delta to the block with this id, else to the block that was opened last, else to a new one. */
  add(kind: Kind, id: string | undefined, delta: string, raw: Base): StreamEvent[]
  end(kind: Kind, id: string | undefined, raw: Base): StreamEvent[]
  isOpen(kind: Kind, id: string): boolean
  encrypt(id: string, encrypted: string, raw: Base): StreamEvent[]
}

export function createProse(seen: Seen, turnTracker: TurnTracker): Prose {
  const blocks: { readonly [K in Kind]: Map<string, OpenBlock> } = { text: new Map(), reasoning: new Map() }
  const lastOpened: { [K in Kind]: string | undefined } = { text: undefined, reasoning: undefined }
  let minted = 0

  function open(kind: Kind, id: string, raw: Omit<TextStart, 'type'>, title?: string): StreamEvent[] {
    const role = kind === 'text' ? roleOf(raw.role) : 'assistant'
    const events: StreamEvent[] = []
    const turn = raw.subagentRunId === undefined ? turnTracker.take(kind, id, role, raw, events) : undefined
    if (turn !== undefined) turn.openBlocks++
    const blockId = kind === 'text' ? id : `${id}:reasoning`
    if (role === 'assistant') seen.hasContent = true
    const seenText = seen.texts.get(`${kind} ${id}`) ?? seen.addText(id, { kind, role, blockId, text: '' })
    blocks[kind].set(id, { blockId, seen: seenText, turn })
    lastOpened[kind] = id
    const extra = { ...extraFields(raw), ...(raw.name !== undefined && { name: raw.name }), ...(title && { title }) }
    const message = turn === undefined ? {} : { messageId: turn.messageId }
    const variant = kind === 'reasoning' ? { variant: 'thinking' as const } : {}
    events.push({ ...scopeOf(raw), ...metaOf(extra), type: 'block-start', blockId, kind, ...variant, ...message })
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
      const id = raw.messageId ?? `text-${++minted}`
      return blocks.text.has(id) ? [] : open('text', id, raw)
    },
    startReasoning(id = `reasoning-${++minted}`, raw, title) {
      return blocks.reasoning.has(id) ? [] : open('reasoning', id, raw, title)
    },
    add(kind, givenId, delta, raw) {
      const id = idOf(kind, givenId)
      const before = blocks[kind].get(id)
      const events = before === undefined ? open(kind, id, raw) : []
      const block = before ?? blocks[kind].get(id)
      if (block === undefined) return events
      seen.grow(block.seen, delta)
      const blockDelta: EventOf<'block-delta'> = { type: 'block-delta', blockId: block.blockId, text: delta }
      events.push(raw.timestamp === undefined ? blockDelta : { ...blockDelta, ...sentAtOf(raw) })
      return events
    },
    end,
    isOpen: (kind, id) => blocks[kind].has(id),
    encrypt(id, encrypted, raw) {
      const seenText = seen.texts.get(`reasoning ${id}`) ?? seen.texts.get(`text ${id}`)
      if (seenText !== undefined)
        return [{ ...sentAtOf(raw), type: 'block-patch', blockId: seenText.blockId, encrypted }]
      const events = open('reasoning', id, raw)
      const blockId = `${id}:reasoning`
      const redacted = events.map((event) =>
        event.type === 'block-start' ? { ...event, variant: 'redacted' as const } : event,
      )
      return [...redacted, { type: 'block-patch', blockId, encrypted }, ...end('reasoning', id, raw)]
    },
  }
}
