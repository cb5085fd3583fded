import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { defined } from '../chunk-fields.ts'

/** The most text of a channel that is repeated; of more, its end is. */
const MAX_TEXT = 64 * 1024

/** It is said again when it has grown by this much, so that what is sent stays in proportion to what came. */
const GROWTH = 1.25

/** What a running tool has said so far. */
export interface Progress {
  /** All of it, if it is time to say it again. */
  add(event: EventOf<'tool-progress'>): JsonObject | undefined
}

export function createProgress(): Progress {
  const texts = new Map<string, string>()
  let data: Json | undefined
  let percent: number | undefined
  let size = 0
  let saidSize = 0

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
      if (size < saidSize * GROWTH) return undefined
      saidSize = size
      const ends = [...texts].map(([channel, text]) => [channel, text.slice(-MAX_TEXT)] as const)
      const said = Object.fromEntries(ends)
      return defined({ ...said, data: data ?? said.data, percent })
    },
  }
}
