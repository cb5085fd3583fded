import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { type Emitter, withAgentOf } from './emitter.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'

type Delta = EventOf<'block-delta'>

interface OpenBlock {
  readonly kind: 'text' | 'reasoning' | 'hidden'
  readonly agentId: string | undefined
  /** The role of a subagent's message that it has not written itself, such as its task. */
  readonly role: string | undefined
  /** The part of a thought that waits until the thought is complete. */
  held: { text: string; last: Delta; meta: Meta | undefined } | undefined
}

/** A longer thought is sent in several chunks, so that memory stays bounded. In UTF-16 units. */
const LONGEST_THOUGHT = 256 * 1024

type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

/** Text is streamed. Clients show a thought as one item, so it waits until it is complete if `areThoughtsWhole`. */
export function blockRows(stream: Stream, emitter: Emitter, roles: Roles, areThoughtsWhole: boolean): BlockRows {
  const blocks = new Map<string, OpenBlock>()
  /** The block that a `stream` chunk without a `blockId` continues. */
  let current: string | undefined

  function emitText(event: Delta, { role }: OpenBlock): void {
    const { blockId, agentId, text } = event
    if (blockId === current && isBare(event)) {
      stream.emitText(text)
      return
    }
    const chunk = { type: 'stream', content: text } as const
    if (agentId !== undefined) {
      const chunkWithRole = role === undefined ? chunk : { ...chunk, role }
      emitter.emit(event, chunkWithRole, undefined, { blockId })
      return
    }
    emitter.emit(event, chunk, undefined, blockId === current ? undefined : { blockId })
    current = blockId
  }

  function emitThought(event: Delta): void {
    emitter.emit(event, { type: 'thought', content: event.text }, undefined, { blockId: event.blockId })
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
    emitThought({ ...last, text, ...(meta !== undefined && { meta }) })
  }

  return {
    'block-start'(event) {
      const { blockId, kind, agentId } = event
      const role = roles.of(event)
      const isOtherRole = role !== 'assistant'
      const isHidden = isOtherRole && agentId === undefined
      blocks.set(blockId, {
        kind: isHidden ? 'hidden' : kind,
        agentId,
        role: isOtherRole ? role : undefined,
        held: undefined,
      })
      if (kind === 'text' && agentId === undefined) current = blockId
      stream.riders.add(event)
    },
    'block-delta'(event) {
      const block = blocks.get(event.blockId)
      if (block === undefined || block.kind === 'hidden') stream.riders.add(event)
      else if (block.kind === 'text') emitText(withAgentOf(event, block), block)
      else if (areThoughtsWhole) hold(withAgentOf(event, block), block)
      else emitThought(withAgentOf(event, block))
    },
    'block-patch'(event) {
      // A text that replaces held text must come after it.
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

/** Whether it is of the main agent and has no fields besides its text. */
function isBare({ agentId, messageId, sentAt, meta }: Delta): boolean {
  return agentId === undefined && messageId === undefined && sentAt === undefined && meta === undefined
}
