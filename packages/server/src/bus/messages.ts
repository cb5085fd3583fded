import { randomBytes } from 'node:crypto'

/** Messages as texts that every server takes: well-formed Unicode without control characters. */
export interface Codec {
  encode(message: string): string
  /** Undefined for a message of this codec itself: its bus has called its own listeners. Never throws. */
  decode(text: string): string | undefined
}

/** The length of the sender's mark in front of a message. */
const MARK = 12

export function createCodec(): Codec {
  const mark = randomBytes((MARK * 3) / 4).toString('base64url')
  return {
    encode: (message) => mark + JSON.stringify(message),
    decode(text) {
      if (text.startsWith(mark)) return undefined
      try {
        const message: unknown = JSON.parse(text.slice(MARK))
        return typeof message === 'string' ? message : ''
      } catch {
        // Another program may use the channel. To look again harms nobody.
        return ''
      }
    },
  }
}

/** Whether a text has more bytes of UTF-8. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > limit || (3 * text.length > limit && Buffer.byteLength(text) > limit)
