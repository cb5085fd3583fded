import { KEPT_OF_TOO_LARGE } from './source.ts'

/** Bytes → text, whole characters only: a character cut at the end of a chunk waits for the rest. A BOM is dropped. */
export function createDecoder(): { decode(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder()
  return {
    decode: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

/** This many fragments are joined into a block: a fragment of one byte takes far more memory than its character. */
const BLOCK_FRAGMENTS = 1024

/** The text of the current record, which arrives in fragments of any size. */
export interface RecordText {
  readonly length: number
  add(fragment: string): void
  /** Returns the whole text, or the beginning of a text that is too large, and begins a new text. */
  take(): { readonly text: string; readonly isWhole: boolean }
}

/**
 * Holds at most `max` characters, and of a longer text only its beginning, which does not depend on the fragments. Each
 * character is copied at most twice, however small they are: appending to a string would flatten it repeatedly.
 */
export function createRecordText(max: number): RecordText {
  const keptLength = Math.min(KEPT_OF_TOO_LARGE, max)
  let blocks: string[] = []
  let fragments: string[] = []
  let length = 0

  const joined = () => blocks.join('') + fragments.join('')

  return {
    get length() {
      return length
    },
    add(fragment) {
      const wasWhole = length <= max
      length += fragment.length
      if (!wasWhole) return
      fragments.push(fragment)
      if (length > max) {
        blocks = [joined().slice(0, keptLength)]
        fragments = []
      } else if (fragments.length === BLOCK_FRAGMENTS) {
        blocks.push(fragments.join(''))
        fragments = []
      }
    },
    take() {
      const taken = { text: joined(), isWhole: length <= max }
      blocks = []
      fragments = []
      length = 0
      return taken
    },
  }
}
