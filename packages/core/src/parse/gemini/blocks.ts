import type { BlockKind } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from './meta.ts'
import { type Mint, NOTHING, type Place } from './place.ts'

/** A text that may be cited: citations arrive after it, and count its bytes. */
export interface HeldText {
  readonly blockId: string
  /** Which part of the assembled content it is. */
  readonly partIndex: number
  text: string
}

/** The prose of one candidate. Parts have no ids: what follows its own kind goes on, anything else begins anew. */
export interface Blocks {
  add(kind: BlockKind, text: string, signature: string | null | undefined): readonly StreamEvent[]
  /** A part of another kind stands between. */
  skipPart(): void
  close(): StreamEvent[]
  /** The texts so far, for citations. */
  readonly texts: readonly HeldText[]
}

/** How much text is held for citations: an endless stream must not grow. */
const MAX_HELD = 4 * 1024 * 1024

export function createBlocks({ messageId }: Place, mint: Mint): Blocks {
  const texts: HeldText[] = []
  let held = 0
  let parts = 0
  let open: { readonly kind: BlockKind; readonly blockId: string } | undefined

  function close(): StreamEvent[] {
    if (open === undefined) return []
    const { blockId } = open
    open = undefined
    return [{ type: 'block-end', blockId }]
  }

  function start(kind: BlockKind): StreamEvent[] {
    const closed = close()
    open = { kind, blockId: mint(kind) }
    if (kind === 'text' && held < MAX_HELD) texts.push({ blockId: open.blockId, partIndex: parts, text: '' })
    parts += 1
    const variant = kind === 'reasoning' ? { variant: 'thinking' as const } : {}
    return [...closed, { type: 'block-start', blockId: open.blockId, messageId, kind, ...variant }]
  }

  function hold(blockId: string, text: string): void {
    const last = texts.at(-1)
    held += text.length
    if (held <= MAX_HELD && last?.blockId === blockId) last.text += text
  }

  return {
    add(kind, text, signature) {
      if (text === '' && !signature) return NOTHING
      const started = open?.kind === kind ? NOTHING : start(kind)
      const blockId = open?.blockId ?? ''
      if (kind === 'text') hold(blockId, text)
      const delta: StreamEvent = { type: 'block-delta', blockId, text }
      if (!signature) return started.length === 0 ? [delta] : [...started, delta]
      return [...started, ...(text === '' ? [] : [delta]), signed(kind, blockId, signature)]
    },
    skipPart() {
      parts += 1
    },
    close,
    texts,
  }
}

/** What signs a thought is the thought's own; on an answer it is only kept, to be sent back with it. */
function signed(kind: BlockKind, blockId: string, signature: string): StreamEvent {
  if (kind === 'reasoning') return { type: 'block-patch', blockId, signature }
  return { type: 'block-patch', blockId, ...keep({ thoughtSignature: signature }) }
}
