import type { Meta } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
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
  /** Whether a part of a thought was sent, so that it can no longer be replaced. */
  isPartSent: boolean
  /** The part of a thought that waits until the thought is complete. */
  held: HeldThought | undefined
}

interface HeldThought {
  /** The text of the last patch that replaced it, and the deltas before a later patch without a text. */
  text: string
  /** The events before the last one that replaced the text, and that one. Empty if none did. */
  readonly replaced: StreamEvent[]
  /** The deltas since then: the client shows them behind the text. */
  rest: string
  last: Delta
  meta: Meta | undefined
  /** The length of all deltas and patches that wait. */
  size: number
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
    block.held ??= { text: '', replaced: [], rest: '', last: event, meta: undefined, size: 0 }
    const { held } = block
    held.rest += event.text
    held.last = event
    held.size += event.text.length
    if (event.meta !== undefined) held.meta = mergeMeta(held.meta, event.meta)
    releaseLong(block)
  }

  /** A thought of which nothing was sent is shown as it is after the patch. Returns false if it is too late for that. */
  function replace(event: EventOf<'block-patch'>, block: OpenBlock | undefined): boolean {
    const held = block?.held
    if (block === undefined || held === undefined || block.isPartSent) return false
    if (event.text === undefined && held.replaced.length === 0) return false
    held.replaced.push(...restOf(held), event)
    held.text = event.text ?? held.text + held.rest
    held.rest = ''
    held.meta = undefined
    held.size += JSON.stringify(event).length
    releaseLong(block)
    return true
  }

  function releaseLong(block: OpenBlock): void {
    if (block.held === undefined || block.held.size < LONGEST_THOUGHT) return
    release(block)
    block.isPartSent = true
  }

  function release(block: OpenBlock | undefined): void {
    if (block?.held === undefined) return
    const { held } = block
    block.held = undefined
    const [rest] = restOf(held)
    if (held.replaced.length === 0 && rest !== undefined) emitThought(rest)
    else
      emitter.emitInstead([...held.replaced, ...restOf(held)], held.last, {
        type: 'thought',
        content: held.text + held.rest,
      })
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
        isPartSent: false,
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
      const block = blocks.get(event.blockId)
      if (replace(event, block)) return
      // A text that replaces held text must come after it.
      if (event.text !== undefined) release(block)
      stream.riders.add(event)
    },
    'block-end'(event) {
      release(blocks.get(event.blockId))
      blocks.delete(event.blockId)
      stream.riders.add(event)
    },
  }
}

/** The deltas of a thought that no patch has replaced, as one. */
function restOf({ rest, replaced, last, meta }: HeldThought): readonly Delta[] {
  const isNothing = rest === '' && meta === undefined && replaced.length > 0
  return isNothing ? [] : [{ ...last, text: rest, ...(meta !== undefined && { meta }) }]
}

/** Whether it is of the main agent and has no fields besides its text. */
function isBare({ agentId, messageId, sentAt, meta }: Delta): boolean {
  return agentId === undefined && messageId === undefined && sentAt === undefined && meta === undefined
}
