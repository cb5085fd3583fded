import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { type BlockRows, blockRows } from './blocks.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'

type Variant = 'processing' | 'thinking'

export interface MoboxBlocks {
  readonly rows: BlockRows
  /** The source with this profile's id of its block. */
  withTextId(source: EventOf<'source'>): EventOf<'source'>
  /** Writes one line into a reasoning block. */
  line(variant: Variant, text: string): void
  /** Closes the open reasoning block, if there is one. */
  close(): void
}

/**
 * At most one reasoning block is open: the same variant continues it; the other variant and text close it. A block that
 * opens again has a new id. Text of a subagent is written as thinking, because text is the answer.
 */
export function moboxBlocks(response: Response, messages: Messages): MoboxBlocks {
  const { emit, pauses } = response
  const texts = blockRows(response, messages)
  const counts = { processing: 0, thinking: 0, text: 0 }
  /** This dialect's ids of the open text blocks, and of ended ones that later events may refer to. */
  const textIds = new Map<string, string>()
  const pastTextIds = new Map<string, string>()
  /** Open reasoning blocks of the stream; their text goes to the one thinking block. */
  const thoughts = new Set<string>()
  let open: { readonly variant: Variant; readonly id: string } | undefined
  let isAtLineStart = true
  /** The block that the last thought came from: the text of another block begins on a new line. */
  let lastThoughtId: string | undefined

  const textIdOf = (blockId: string) => textIds.get(blockId) ?? pastTextIds.get(blockId) ?? blockId

  function close(): void {
    if (open !== undefined) emit({ type: 'reasoning-end', id: open.id })
    open = undefined
  }

  function write(variant: Variant, text: string, startsLine: boolean): void {
    if (text === '') return
    if (open?.variant !== variant) {
      close()
      open = { variant, id: `${variant}_${++counts[variant]}` }
      isAtLineStart = true
      emit({ type: 'reasoning-start', id: open.id, providerMetadata: { mobox: { variant } } })
    }
    const delta = startsLine && !isAtLineStart ? `\n${text}` : text
    isAtLineStart = text.endsWith('\n')
    emit({ type: 'reasoning-delta', id: open.id, delta })
  }

  const rows: BlockRows = {
    'block-start'(event) {
      if (!messages.isDrawn(event)) return
      if (event.kind === 'reasoning' || event.agentId !== undefined) {
        thoughts.add(event.blockId)
        pauses.open()
        return
      }
      close()
      const blockId = `text_${++counts.text}`
      textIds.set(event.blockId, blockId)
      texts['block-start']({ ...event, blockId })
    },
    'block-delta'({ type, blockId, text }) {
      if (thoughts.has(blockId)) {
        write('thinking', text, lastThoughtId !== blockId)
        lastThoughtId = blockId
        return
      }
      const textId = textIds.get(blockId)
      if (textId === undefined) return
      close()
      texts['block-delta']({ type, blockId: textId, text })
    },
    'block-patch'(event) {
      const isSecret = event.signature !== undefined || event.encrypted !== undefined
      if (!isSecret) texts['block-patch']({ ...event, blockId: textIdOf(event.blockId) })
    },
    'block-end'(event) {
      const { blockId } = event
      if (thoughts.delete(blockId)) pauses.close()
      const textId = textIds.get(blockId)
      if (textId === undefined) return
      textIds.delete(blockId)
      remember(pastTextIds, blockId, textId)
      texts['block-end']({ ...event, blockId: textId })
    },
  }

  return {
    rows,
    withTextId: (source) => (source.blockId === undefined ? source : { ...source, blockId: textIdOf(source.blockId) }),
    line(variant, text) {
      if (text === '') return
      write(variant, `${text}\n`, true)
      lastThoughtId = undefined
    },
    close,
  }
}
