import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { mediaEvents, type Place } from './content.ts'
import type { Content } from './raw.ts'

export interface Voice {
  readonly kind: 'text' | 'reasoning'
  readonly variant?: BlockVariant
}

/** How many messages are remembered with what they say: an endless stream must not grow. */
const MAX_MESSAGES = 64

interface Block {
  readonly id: string
  /** Who says it, and in which message of theirs: another begins another block. */
  readonly key: string
  readonly place: Place
  /** What earlier blocks said of the same message. */
  readonly before: string
  text: string
}

/** Chunks are not told apart by the stream: a block ends where something else begins. */
export interface Prose {
  chunk(content: Content, voice: Voice, key: string, place: Place): StreamEvent[]
  /** A message as it stands, which replaces what was said of it. */
  whole(contents: readonly Content[], voice: Voice, key: string, place: Place): StreamEvent[]
  end(): StreamEvent[]
}

export function createProse(): Prose {
  /** By message, the last block of it. */
  const known = new Map<string, Block>()
  let open: Block | undefined
  let blocks = 0
  let media = 0

  function end(): StreamEvent[] {
    const ended: StreamEvent[] = open === undefined ? [] : [{ ...open.place, type: 'block-end', blockId: open.id }]
    open = undefined
    return ended
  }

  function begin(voice: Voice, key: string, place: Place): { block: Block; events: StreamEvent[] } {
    if (open?.key === key) return { block: open, events: [] }
    const ended = end()
    const last = isNamed(key) ? known.get(key) : undefined
    blocks++
    const block = {
      id: `block-${blocks}`,
      key,
      place,
      before: last === undefined ? '' : last.before + last.text,
      text: '',
    }
    open = block
    if (isNamed(key)) remember(known, key, block, MAX_MESSAGES)
    const { variant } = voice
    const start = {
      ...place,
      type: 'block-start' as const,
      blockId: block.id,
      kind: voice.kind,
      ...present({ variant }),
    }
    return { block, events: [...ended, start] }
  }

  function say(text: string, voice: Voice, key: string, place: Place): StreamEvent[] {
    const { block, events } = begin(voice, key, place)
    if (isNamed(key)) block.text += text
    return text === '' ? events : [...events, { ...place, type: 'block-delta', blockId: block.id, text }]
  }

  function rewrite(block: Block, whole: string): StreamEvent[] {
    const text = whole.startsWith(block.before) ? whole.slice(block.before.length) : whole
    if (text === block.text) return []
    block.text = text
    return [{ ...block.place, type: 'block-patch', blockId: block.id, text }]
  }

  return {
    chunk(content, voice, key, place) {
      if (content.type === 'text') return say(content.text, voice, key, place)
      media++
      return [...end(), ...mediaEvents(content, `media-${media}`, place)]
    },
    whole(contents, voice, key, place) {
      const text = contents.map((content) => (content.type === 'text' ? content.text : '')).join('')
      const others = contents.filter(({ type }) => type !== 'text')
      const last = known.get(key)
      const said = last === undefined ? say(text, voice, key, place) : rewrite(last, text)
      return [...said, ...others.flatMap((content) => mediaEvents(content, `media-${++media}`, place))]
    },
    end,
  }
}

/** Only a message with an id can be told again as a whole. */
function isNamed(key: string): boolean {
  return !key.endsWith('/')
}
