import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'
import type { Voice } from './voice.ts'

type Delta = EventOf<'block-delta'>

interface OpenBlock {
  readonly kind: 'text' | 'reasoning' | 'unsaid'
  readonly agentId: string | undefined
  /** Of a subagent's message that it has not written itself, such as its task. */
  readonly role: string | undefined
  /** What is said of a thought only when it is whole. */
  held: { text: string; last: Delta; meta: Meta | undefined } | undefined
}

/** A thought of this length is said in pieces: a run must not grow in memory. In UTF-16 units. */
const LONGEST_THOUGHT = 256 * 1024

type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

/** Text streams. A thought is one item to whoever shows it, so it waits until it is whole, unless told otherwise. */
export function blockRows(stream: Stream, voice: Voice, roles: Roles, areThoughtsWhole: boolean): BlockRows {
  const blocks = new Map<string, OpenBlock>()
  /** The block that a `stream` chunk goes on with where it names none. */
  let current: string | undefined

  function sayText(event: Delta, { role }: OpenBlock): void {
    const { blockId, agentId, text } = event
    if (blockId === current && isBare(event)) {
      stream.sayText(text)
      return
    }
    const words = { type: 'stream', content: text } as const
    if (agentId !== undefined) {
      const said = role === undefined ? words : { ...words, role }
      voice.say(event, said, undefined, { blockId })
      return
    }
    voice.say(event, words, undefined, blockId === current ? undefined : { blockId })
    current = blockId
  }

  function sayThought(event: Delta): void {
    voice.say(event, { type: 'thought', content: event.text }, undefined, { blockId: event.blockId })
  }

  function hold(event: Delta, block: OpenBlock): void {
    block.held ??= { text: '', last: event, meta: undefined }
    block.held.text += event.text
    block.held.last = event
    if (event.meta !== undefined) block.held.meta = mergeMeta(block.held.meta, event.meta)
    if (block.held.text.length >= LONGEST_THOUGHT) release(block)
  }

  function release(block: OpenBlock | undefined): void {
    if (block?.held === undefined) return
    const { text, last, meta } = block.held
    block.held = undefined
    sayThought({ ...last, text, ...(meta !== undefined && { meta }) })
  }

  return {
    'block-start'(event) {
      const { blockId, kind, agentId } = event
      const role = roles.of(event)
      const isOther = role !== 'assistant'
      const isUnsaid = isOther && agentId === undefined
      blocks.set(blockId, {
        kind: isUnsaid ? 'unsaid' : kind,
        agentId,
        role: isOther ? role : undefined,
        held: undefined,
      })
      if (kind === 'text' && agentId === undefined) current = blockId
      stream.riders.add(event)
    },
    'block-delta'(event) {
      const block = blocks.get(event.blockId)
      if (block === undefined || block.kind === 'unsaid') stream.riders.add(event)
      else if (block.kind === 'text') sayText(placed(event, block), block)
      else if (areThoughtsWhole) hold(placed(event, block), block)
      else sayThought(placed(event, block))
    },
    'block-patch'(event) {
      // A text that replaces what was said must come after it.
      if (event.text !== undefined) release(blocks.get(event.blockId))
      stream.riders.add(event)
    },
    'block-end'(event) {
      release(blocks.get(event.blockId))
      blocks.delete(event.blockId)
      stream.riders.add(event)
    },
  }
}

/** Whether the main agent says it, and its words are all there is to tell. */
function isBare({ agentId, messageId, sentAt, meta }: Delta): boolean {
  return agentId === undefined && messageId === undefined && sentAt === undefined && meta === undefined
}

/** A block is one agent's, whoever is named as the speaker of its pieces. */
function placed(event: Delta, { agentId }: OpenBlock): Delta {
  if (event.agentId === agentId) return event
  const { agentId: _other, ...rest } = event
  return { ...rest, ...(agentId !== undefined && { agentId }) }
}
