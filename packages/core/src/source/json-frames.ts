import { type CreateSource, DEFAULT_MAX_RECORD, KEPT_OF_TOO_LARGE, recordOf, tooLarge } from './source.ts'

/** One frame, one value: a WebSocket message, or a row of a store. The transport separates the frames. */
export const jsonFrames: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) => {
  const decoder = new TextDecoder()
  return {
    feed(frame) {
      if (frame.length === 0) return []
      if (frame.length <= maxRecord) return [recordOf(decoder.decode(frame))]
      return [tooLarge(decoder.decode(frame.subarray(0, KEPT_OF_TOO_LARGE)), maxRecord)]
    },
    end: () => [],
  }
}
