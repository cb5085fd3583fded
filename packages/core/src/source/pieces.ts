import { KEPT_OF_TOO_LARGE } from './source.ts'

/** So many pieces are joined into a block: a piece of one byte takes far more memory than its character. */
const BLOCK = 1024

/** The text of one record under way, which arrives in pieces of any size. */
export interface Pieces {
  readonly length: number
  add(piece: string): void
  /** The whole text, or the beginning of a text that is too large; after it, a new text begins. */
  take(): { readonly text: string; readonly isWhole: boolean }
}

/**
 * Holds at most `most` characters, and of a longer text only its beginning, which does not depend on the pieces. Each
 * character is copied at most twice, however small the pieces are: appending to a string would flatten it repeatedly.
 */
export function createPieces(most: number): Pieces {
  const kept = Math.min(KEPT_OF_TOO_LARGE, most)
  let blocks: string[] = []
  let pieces: string[] = []
  let length = 0

  const joined = () => blocks.join('') + pieces.join('')

  return {
    get length() {
      return length
    },
    add(piece) {
      const wasWhole = length <= most
      length += piece.length
      if (!wasWhole) return
      pieces.push(piece)
      if (length > most) {
        blocks = [joined().slice(0, kept)]
        pieces = []
      } else if (pieces.length === BLOCK) {
        blocks.push(pieces.join(''))
        pieces = []
      }
    },
    take() {
      const taken = { text: joined(), isWhole: length <= most }
      blocks = []
      pieces = []
      length = 0
      return taken
    },
  }
}
