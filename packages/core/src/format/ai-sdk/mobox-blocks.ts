import { type BlockRows, blockRows } from './blocks.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'

type Variant = 'processing' | 'thinking'

export interface MoboxBlocks {
  readonly rows: BlockRows
  /** A whole line of a reasoning block. */
  line(variant: Variant, text: string): void
  /** Closes the open reasoning block, if there is one. */
  close(): void
}

/**
 * At most one reasoning block is open: the same variant goes on in it, the other variant closes it, and so does text.
 * A block that opens again has a new id.
 */
export function moboxBlocks(response: Response, messages: Messages): MoboxBlocks {
  const { emit, opened, closed } = response
  const texts = blockRows(response, messages)
  const counts = { processing: 0, thinking: 0 }
  /** Open reasoning blocks of the stream; their text goes to the one thinking block. */
  const thoughts = new Set<string>()
  let open: { readonly variant: Variant; readonly id: string } | undefined
  let isAtLineStart = true
  /** Whose words came last: another's begin on a line of their own. */
  let lastThought: string | undefined

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
      if (event.kind === 'text') {
        if (messages.isDrawn(event)) close()
        texts['block-start'](event)
      } else if (messages.isDrawn(event)) {
        thoughts.add(event.blockId)
        opened()
      }
    },
    'block-delta'(event) {
      if (thoughts.has(event.blockId)) {
        write('thinking', event.text, lastThought !== event.blockId)
        lastThought = event.blockId
      } else {
        if (open !== undefined) close()
        texts['block-delta'](event)
      }
    },
    'block-patch'(event) {
      if (event.signature === undefined && event.encrypted === undefined) texts['block-patch'](event)
    },
    'block-end'(event) {
      if (thoughts.delete(event.blockId)) closed()
      else texts['block-end'](event)
    },
  }

  return {
    rows,
    line(variant, text) {
      if (text === '') return
      write(variant, `${text}\n`, true)
      lastThought = undefined
    },
    close,
  }
}
