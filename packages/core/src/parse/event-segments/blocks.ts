import type { StreamEvent } from '../../events.ts'

/** A block of a message with its text so far. */
export interface Block {
  readonly id: string
  text: string
}

/** A message has at most one open block, of any kind. */
export interface OpenBlockHolder {
  open: Block | undefined
}

/** Makes a block the open one and ends the block that was open. */
export function switchTo(holder: OpenBlockHolder | undefined, block: Block | undefined): StreamEvent[] {
  if (holder === undefined || holder.open === block) return []
  const { open } = holder
  holder.open = block
  return open === undefined ? [] : [{ type: 'block-end', blockId: open.id }]
}

/** How many deltas of one form are remembered until the other form repeats them. */
const MAX_UNMATCHED = 64

/**
 * Some servers send every text delta twice, as an event of its own and as a segment. A delta is a repetition if its
 * text equals the oldest delta that only the other form has sent.
 */
export interface RepeatedDeltas {
  /** Whether the other form has already sent this delta. */
  isRepeated(form: 'event' | 'segment', text: string): boolean
}

export function createRepeatedDeltas(): RepeatedDeltas {
  let form: 'event' | 'segment' = 'event'
  let unmatched: string[] = []
  return {
    isRepeated(now, text) {
      if (now !== form && unmatched[0] === text) {
        unmatched.shift()
        return true
      }
      if (now !== form) unmatched = []
      form = now
      unmatched.push(text)
      if (unmatched.length > MAX_UNMATCHED) unmatched.shift()
      return false
    },
  }
}
