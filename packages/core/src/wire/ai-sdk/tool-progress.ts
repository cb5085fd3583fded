import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { defined } from '../chunk-fields.ts'

/** The most text of a channel that is repeated, in UTF-16 units. Of a longer text only the end is. */
const MAX_TEXT = 64 * 1024

/** Progress is sent again when it has grown by this factor, so that the bytes sent stay proportional to the input. */
const GROWTH = 1.25

/** The progress of a running call so far. */
export interface ProgressBuffer {
  /** Adds the event. Returns all progress so far if it is due to be sent again, otherwise undefined. */
  add(event: EventOf<'tool-progress'>): JsonObject | undefined
}

export function createToolProgress(): ProgressBuffer {
  const texts = new Map<string, string>()
  let data: Json | undefined
  let percent: number | undefined
  let size = 0
  let emittedSize = 0

  function addText(channel: string, text: string): void {
    const whole = (texts.get(channel) ?? '') + text
    texts.set(channel, whole.length > 2 * MAX_TEXT ? whole.slice(-MAX_TEXT) : whole)
    size += text.length
  }

  return {
    add(event) {
      if (event.text !== undefined) addText(event.channel, event.text)
      if (event.data !== undefined) {
        data = event.data
        size += JSON.stringify(data).length
      }
      percent = event.percent ?? percent
      size++
      if (size < emittedSize * GROWTH) return undefined
      emittedSize = size
      const ends = [...texts].map(([channel, text]) => [channel, text.slice(-MAX_TEXT)] as const)
      const textsByChannel = Object.fromEntries(ends)
      return defined({ ...textsByChannel, data: data ?? textsByChannel.data, percent })
    },
  }
}
