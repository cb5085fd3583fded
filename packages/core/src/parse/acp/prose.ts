import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { EventScope } from '../parser.ts'
import { mediaEvents, mediaOf, textOf } from './content.ts'
import type { Content } from './raw.ts'

export interface ProseKind {
  readonly kind: 'text' | 'reasoning'
  readonly variant?: BlockVariant
}

/** The maximum number of messages whose text is remembered: memory must stay bounded on an endless stream. */
const MAX_MESSAGES = 64

interface Block {
  readonly id: string
  /** The agent, the kind and the message of the text: another key begins another block. */
  readonly key: string
  /** The text of earlier blocks of the same message. */
  readonly earlierText: string
  text: string
}

/** The stream does not mark the end of a text: a block ends when something else begins. */
export interface Prose {
  chunk(content: Content, proseKind: ProseKind, key: string, scope: EventScope): StreamEvent[]
  /** The whole message, which replaces its earlier text. */
  whole(contents: readonly Content[], proseKind: ProseKind, key: string, scope: EventScope): StreamEvent[]
  end(): StreamEvent[]
}

export function createProse(): Prose {
  /** By message, its last block. */
  const lastBlocks = new Map<string, Block>()
  /** By message, how much of its other content was emitted: a message that is sent again repeats it. */
  const mediaCounts = new Map<string, number>()
  let open: Block | undefined
  let blocks = 0
  let media = 0

  function end(): StreamEvent[] {
    const ended: StreamEvent[] = open === undefined ? [] : [{ type: 'block-end', blockId: open.id }]
    open = undefined
    return ended
  }

  function begin(proseKind: ProseKind, key: string, scope: EventScope): { block: Block; events: StreamEvent[] } {
    if (open?.key === key) return { block: open, events: [] }
    const ended = end()
    const last = lastBlocks.get(key)
    blocks++
    const block = {
      id: `block-${blocks}`,
      key,
      earlierText: last === undefined ? '' : last.earlierText + last.text,
      text: '',
    }
    open = block
    if (isNamed(key)) remember(lastBlocks, key, block, MAX_MESSAGES)
    const { variant } = proseKind
    const start = {
      ...scope,
      type: 'block-start' as const,
      blockId: block.id,
      kind: proseKind.kind,
      ...present({ variant }),
    }
    return { block, events: [...ended, start] }
  }

  function addText(text: string, proseKind: ProseKind, key: string, scope: EventScope): StreamEvent[] {
    if (text === '') return []
    const { block, events } = begin(proseKind, key, scope)
    if (isNamed(key)) block.text += text
    return [...events, { ...scope, type: 'block-delta', blockId: block.id, text }]
  }

  function rewrite(block: Block, whole: string, scope: EventScope): StreamEvent[] {
    const text = whole.startsWith(block.earlierText) ? whole.slice(block.earlierText.length) : whole
    if (text === block.text) return []
    block.text = text
    return [{ ...scope, type: 'block-patch', blockId: block.id, text }]
  }

  return {
    chunk(content, proseKind, key, scope) {
      if (content.type === 'text') return addText(content.text, proseKind, key, scope)
      media++
      remember(mediaCounts, key, (mediaCounts.get(key) ?? 0) + 1, MAX_MESSAGES)
      return [...end(), ...mediaEvents(content, `media-${media}`, scope)]
    },
    whole(contents, proseKind, key, scope) {
      const text = textOf(contents)
      const others = mediaOf(contents)
      const newOthers = others.slice(mediaCounts.get(key))
      remember(mediaCounts, key, others.length, MAX_MESSAGES)
      const last = lastBlocks.get(key)
      const textEvents = last === undefined ? addText(text, proseKind, key, scope) : rewrite(last, text, scope)
      return [...textEvents, ...newOthers.flatMap((content) => mediaEvents(content, `media-${++media}`, scope))]
    },
    end,
  }
}

/** Only a message with an id can be sent again as a whole. */
function isNamed(key: string): boolean {
  return !key.endsWith('/')
}
