import type { EventOf, StreamEvent } from '../events.ts'
import { type CreatePass, type PassRows, rowOf, scopeOf } from './pass.ts'
import { createMessageAuthors } from './think-tags/message-authors.ts'
import { abandon, addDelta, addPatch, type Cut, createCut, finish, type ThinkTagOptions } from './think-tags/parts.ts'
import { rewrite } from './think-tags/rewrite.ts'

/** An open block, with its message and its agent. */
interface OpenBlock {
  readonly messageId: string | undefined
  readonly agentId: string | undefined
  /** Undefined for a block that is not cut. */
  readonly cut: Cut | undefined
}

/**
 * Cuts the text of assistants at think tags: a thought inside the text becomes a block of reasoning. No byte is lost:
 * over the parts of a block, `before`, `open`, text, `close` and `after` (in `meta.millrace`) add up to its text.
 */
export function createThinkTags(overrides: ThinkTagOptions = {}): CreatePass {
  const options = {
    tags: (overrides.tags ?? ['think', 'thinking', 'reasoning']).map((name) => name.toLowerCase()),
    startInThinking: overrides.startInThinking ?? false,
  }

  return (emit) => {
    const blocks = new Map<string, OpenBlock>()
    const authors = createMessageAuthors()

    function open(event: EventOf<'block-start'> | EventOf<'block-delta'>): OpenBlock {
      const start = event.type === 'block-start' ? event : undefined
      const mayHoldTags = start?.kind !== 'reasoning' && authors.isAssistant(event)
      const cut = mayHoldTags ? createCut(event.blockId, start, options, emit) : undefined
      const block = { messageId: authors.messageOf(event), agentId: event.agentId, cut }
      blocks.set(event.blockId, block)
      return block
    }

    function add(event: EventOf<'block-delta'>): void {
      const { cut } = blocks.get(event.blockId) ?? open(event)
      if (cut === undefined) emit(event)
      else addDelta(cut, event)
    }

    /** Ends the blocks of a message or an agent before it ends. */
    function finishWhere(isAffected: (block: OpenBlock) => boolean, cause: StreamEvent): void {
      for (const [blockId, block] of blocks) {
        if (!isAffected(block)) continue
        blocks.delete(blockId)
        if (block.cut !== undefined) finish(block.cut, { ...scopeOf(cause), type: 'block-end', blockId })
      }
    }

    const rows: PassRows = {
      'message-start'(event) {
        authors.start(event)
        emit(event)
      },
      'message-end'(event) {
        finishWhere(({ messageId, agentId }) => messageId === event.messageId && agentId === event.agentId, event)
        authors.end(event)
        emit(event)
      },
      'subagent-end'(event) {
        finishWhere(({ agentId }) => agentId === event.agentId, event)
        authors.endAgent(event.agentId)
        emit(event)
      },
      'block-start'(event) {
        const before = blocks.get(event.blockId)
        if (before?.cut !== undefined) abandon(before.cut, event)
        if (open(event).cut === undefined) emit(event)
      },
      'block-patch'(event) {
        const block = blocks.get(event.blockId)
        if (block?.cut === undefined) emit(event)
        else if (event.text === undefined) addPatch(block.cut, event)
        else rewrite(block.cut, event, event.text)
      },
      'block-end'(event) {
        const block = blocks.get(event.blockId)
        blocks.delete(event.blockId)
        if (block?.cut === undefined) emit(event)
        else finish(block.cut, event)
      },
    }

    return {
      push(event) {
        // Deltas are checked first, without the table: most events are deltas.
        if (event.type === 'block-delta') add(event)
        else (rowOf(rows, event) ?? emit)(event)
      },
      end() {
        for (const [blockId, { cut }] of blocks) {
          if (cut !== undefined) abandon(cut, { type: 'block-end', blockId })
        }
        blocks.clear()
      },
    }
  }
}

export const thinkTags: CreatePass = createThinkTags()
