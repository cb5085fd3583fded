import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { BlockVariant } from '../../event-fields.ts'
import type { Out } from '../kit/voice.ts'
import { extraFields, metaOf, originOf, roleOf, scopeOf, sentAtOf } from './fields.ts'
import type { Base, TextStart } from './raw.ts'
import type { Seen, SeenText } from './seen.ts'
import type { Turn, TurnTracker } from './turn-tracker.ts'

type Kind = SeenText['kind']

/** The maximum number of open blocks of one kind: memory must stay bounded on an endless stream. */
const MAX_OPEN = 1024

interface OpenBlock {
  readonly seen: SeenText
  /** Absent for a subagent: its text belongs to no message. */
  readonly turn: Turn | undefined
}

/** The texts and thoughts, by the protocol's id while they are open. */
export interface Prose {
  start(out: Out, kind: Kind, id: string | undefined, raw: TextStart): void
  /** Adds a delta to the block with this id, else to the block that was opened last, else to a new one. */
  add(out: Out, kind: Kind, id: string | undefined, delta: string, raw: Base): void
  end(out: Out, kind: Kind, id: string | undefined, raw: Base): void
  encrypt(out: Out, id: string, encrypted: string, raw: Base): void
}

export function createProse(seen: Seen, turnTracker: TurnTracker): Prose {
  /** In the order in which they were opened. */
  const blocks: { readonly [K in Kind]: Map<string, OpenBlock> } = { text: new Map(), reasoning: new Map() }
  let minted = 0

  const lastOpened = (kind: Kind) => [...blocks[kind].keys()].at(-1)

  function open(out: Out, kind: Kind, id: string, raw: TextStart, variant: BlockVariant = 'thinking'): OpenBlock {
    const role = kind === 'text' ? roleOf(raw.role) : 'assistant'
    const turn = raw.subagentRunId === undefined ? turnTracker.take(kind, id, role, raw, out) : undefined
    if (turn !== undefined) turn.openBlocks++
    const blockId = kind === 'text' ? id : `${id}:reasoning`
    if (role === 'assistant') seen.hasContent = true
    const seenText = seen.texts.get(`${kind} ${id}`) ?? seen.addText(id, { kind, role, blockId, text: '' })
    const extra = { ...extraFields(raw), ...present({ name: raw.name, title: raw.title || undefined }) }
    const message = present({ messageId: turn?.messageId })
    const start = { ...originOf(raw), ...metaOf(extra), type: 'block-start', blockId, kind, ...message } as const
    out.push(kind === 'text' ? start : { ...start, variant })
    return remember(blocks[kind], id, { seen: seenText, turn }, MAX_OPEN)
  }

  function end(out: Out, kind: Kind, id = lastOpened(kind), raw: Base): void {
    const block = blocks[kind].get(id ?? '')
    if (id === undefined || block === undefined) return
    blocks[kind].delete(id)
    const { agentId: _agentId, ...scope } = scopeOf(raw)
    out.push({ ...scope, type: 'block-end', blockId: block.seen.blockId })
    if (block.turn !== undefined) turnTracker.closeBlock(block.turn, out)
  }

  return {
    start(out, kind, id = `${kind}-${++minted}`, raw) {
      if (!blocks[kind].has(id)) open(out, kind, id, raw)
    },
    add(out, kind, givenId, text, raw) {
      const id = givenId ?? lastOpened(kind) ?? `${kind}-${++minted}`
      const { seen: seenText } = blocks[kind].get(id) ?? open(out, kind, id, raw)
      const { blockId } = seenText
      seen.grow(seenText, text)
      if (raw.timestamp === undefined) out.push({ type: 'block-delta', blockId, text })
      else out.push({ type: 'block-delta', blockId, text, ...sentAtOf(raw) })
    },
    end,
    encrypt(out, id, encrypted, raw) {
      const seenText = seen.texts.get(`reasoning ${id}`) ?? seen.texts.get(`text ${id}`)
      if (seenText === undefined) {
        open(out, 'reasoning', id, raw, 'redacted')
        out.push({ type: 'block-patch', blockId: `${id}:reasoning`, encrypted })
        end(out, 'reasoning', id, raw)
      } else out.push({ ...sentAtOf(raw), type: 'block-patch', blockId: seenText.blockId, encrypted })
    },
  }
}
