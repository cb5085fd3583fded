import type { BlockDelta } from '../../content-events.ts'
import type { StreamEvent } from '../../events.ts'
import { scopeOf } from '../pass.ts'
import { type Cut, metaOf, takeTags } from './parts.ts'

/**
 * Continues the last thought if nothing but tags is between it and the text that follows: some gateways put tags around
 * every delta of one thought. Returns the tags in between; undefined if there is no thought to continue.
 */
export function joinThoughts(cut: Cut): string | undefined {
  const last = cut.parts.at(-1)
  if (!cut.isThought || cut.ending === undefined || last?.kind !== 'reasoning') return undefined
  const { close = '', ...tags } = last.tags
  const { before = '', open = '' } = takeTags(cut)
  const seam = close + before + open
  cut.ending = undefined
  cut.current = last
  last.tags = tags
  cut.onSeam?.(last, seam)
  return seam
}

/** The first delta behind a seam carries its tags in `meta.millrace.seam`, so that no byte is lost. */
export function deltaWithSeam(cause: StreamEvent, blockId: string, text: string, seam: string): BlockDelta {
  const meta = cause.type === 'block-delta' ? cause.meta : undefined
  return { ...scopeOf(cause), type: 'block-delta', blockId, text, ...metaOf(meta, { seam }) }
}
