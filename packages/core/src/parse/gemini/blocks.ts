import type { BlockKind } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { type MessageScope, type Mint, NOTHING } from './message-scope.ts'
import { keep } from './meta.ts'

/** A text that may be cited. Citations arrive after it, with offsets in bytes. */
export interface HeldText {
  readonly blockId: string
  /** The index of its part in the assembled content. */
  readonly partIndex: number
  text: string
}

/** The prose of one candidate. Parts have no ids: a part of the same kind continues the block, any other ends it. */
export interface Blocks {
  add(kind: BlockKind, text: string, signature: string | null | undefined): readonly StreamEvent[]
  /** Counts a part that is not prose. */
  skipPart(): void
  close(): StreamEvent[]
  readonly texts: readonly HeldText[]
}

/** The most text that is held for citations, in characters, so that an endless stream does not exhaust memory. */
const MAX_HELD = 4 * 1024 * 1024

export function createBlocks({ messageId }: MessageScope, mint: Mint): Blocks {
  const texts: HeldText[] = []
  let heldLength = 0
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
    if (kind === 'text' && heldLength < MAX_HELD) texts.push({ blockId: open.blockId, partIndex: parts, text: '' })
    parts += 1
    const variant = kind === 'reasoning' ? { variant: 'thinking' as const } : {}
    return [...closed, { type: 'block-start', blockId: open.blockId, messageId, kind, ...variant }]
  }

  function hold(blockId: string, text: string): void {
    const last = texts.at(-1)
    heldLength += text.length
    if (heldLength <= MAX_HELD && last?.blockId === blockId) last.text += text
  }

  return {
    add(kind, text, signature) {
      if (text === '' && !signature) return NOTHING
      const started = open?.kind === kind ? NOTHING : start(kind)
      const blockId = open?.blockId ?? ''
      if (kind === 'text') hold(blockId, text)
      const delta: StreamEvent = { type: 'block-delta', blockId, text }
      if (!signature) return started.length === 0 ? [delta] : [...started, delta]
      return [...started, ...(text === '' ? [] : [delta]), signatureEvent(kind, blockId, signature)]
    },
    skipPart() {
      parts += 1
    },
    close,
    texts,
  }
}

/** The signature of a thought is a field of the block. That of an answer is only kept as meta, to be sent back. */
function signatureEvent(kind: BlockKind, blockId: string, signature: string): StreamEvent {
  if (kind === 'reasoning') return { type: 'block-patch', blockId, signature }
  return { type: 'block-patch', blockId, ...keep({ thoughtSignature: signature }) }
}
