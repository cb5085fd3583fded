import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { type BlockRows, blockRows } from './blocks.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'

type Variant = 'processing' | 'thinking'

export interface MoboxBlocks {
  readonly rows: BlockRows
  /** A source that names its block as this dialect does. */
  renamed(source: EventOf<'source'>): EventOf<'source'>
  /** A whole line of a reasoning block. */
  line(variant: Variant, text: string): void
  /** Closes the open reasoning block, if there is one. */
  close(): void
}

/**
 * At most one reasoning block is open: the same variant goes on in it, the other variant closes it, and so does text.
 * A block that opens again has a new id. What a subagent writes is thought, for text is the answer.
 */
export function moboxBlocks(response: Response, messages: Messages): MoboxBlocks {
  const { emit, pauses } = response
  const texts = blockRows(response, messages)
  const counts = { processing: 0, thinking: 0, text: 0 }
  /** This dialect's ids of text blocks: of the open ones, and of those that something may still refer to. */
  const names = new Map<string, string>()
  const pastNames = new Map<string, string>()
  /** Open reasoning blocks of the stream; their text goes to the one thinking block. */
  const thoughts = new Set<string>()
  let open: { readonly variant: Variant; readonly id: string } | undefined
  let isAtLineStart = true
  /** Whose words came last: another's begin on a line of their own. */
  let lastThought: string | undefined

  const nameOf = (blockId: string) => names.get(blockId) ?? pastNames.get(blockId) ?? blockId

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
      names.set(event.blockId, blockId)
      texts['block-start']({ ...event, blockId })
    },
    'block-delta'({ type, blockId, text }) {
      if (thoughts.has(blockId)) {
        write('thinking', text, lastThought !== blockId)
        lastThought = blockId
        return
      }
      const name = names.get(blockId)
      if (name === undefined) return
      close()
      texts['block-delta']({ type, blockId: name, text })
    },
    'block-patch'(event) {
      const isSecret = event.signature !== undefined || event.encrypted !== undefined
      if (!isSecret) texts['block-patch']({ ...event, blockId: nameOf(event.blockId) })
    },
    'block-end'(event) {
      const { blockId } = event
      if (thoughts.delete(blockId)) pauses.close()
      const name = names.get(blockId)
      if (name === undefined) return
      names.delete(blockId)
      remember(pastNames, blockId, name)
      texts['block-end']({ ...event, blockId: name })
    },
  }

  return {
    rows,
    renamed: (source) => (source.blockId === undefined ? source : { ...source, blockId: nameOf(source.blockId) }),
    line(variant, text) {
      if (text === '') return
      write(variant, `${text}\n`, true)
      lastThought = undefined
    },
    close,
  }
}
