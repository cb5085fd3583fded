import type { BlockKind } from '../../event-fields.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/** The part is sent again when its text has grown by this factor, so that the bytes sent stay proportional to the text. */
const GROWTH = 1.25

/** A text or a thought of a subagent while it is written. */
export interface SubagentPart {
  start(metadata: Fields): Chunk
  add(text: string): Chunk
  end(metadata: Fields): Chunk
}

/**
 * What a subagent says is a data part that contains the part of a main agent's text: a page that does not look for it shows
 * the answer alone. The part replaces itself as it grows; in between, transient parts have what was added, so that no word
 * is held back and none is kept twice.
 */
export function createSubagentPart(id: string, type: BlockKind, agentId: string): SubagentPart {
  let text = ''
  let sentLength = 0
  let metadata: Fields = {}

  const whole = (state: 'streaming' | 'done') =>
    chunkOf('data-subagent-part', { id, data: defined({ agentId, type, text, state, ...metadata }) })

  return {
    start(fields) {
      metadata = fields
      return whole('streaming')
    },
    add(delta) {
      text += delta
      if (text.length < sentLength * GROWTH)
        return { type: 'data-subagent-delta', data: { id, agentId, delta }, transient: true }
      sentLength = text.length
      return whole('streaming')
    },
    end(fields) {
      metadata = fields
      return whole('done')
    },
  }
}
