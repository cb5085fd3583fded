/** How many pieces of one form are remembered until the other form says them too. */
const MAX_UNMATCHED = 64

/**
 * Some servers say every piece of text twice, as an event of its own and as a segment. The second saying of a piece is
 * known by its text: it is the oldest one that only the other form has said.
 */
export interface Twins {
  /** Whether this piece was said already, in the other form. */
  isSecond(form: 'event' | 'segment', text: string): boolean
}

export function createTwins(): Twins {
  let form: 'event' | 'segment' = 'event'
  let unmatched: string[] = []
  return {
    isSecond(now, text) {
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
