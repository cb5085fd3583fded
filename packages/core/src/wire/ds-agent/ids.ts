import { remember } from '../../data/remember.ts'

/** The ids of a run's messages. */
export interface MessageIds {
  /** The id of the next message that is not a stream. */
  next(): string
  /** The ids of the next stream of a type in a step. */
  stream(step: number, type: string): StreamIds
}

export interface StreamIds {
  readonly streamId: string
  readonly messageId: string
}

/**
 * Ids from run and position, so that they are the same whenever the run is written again. The id of a stream is its step
 * and type; the second stream of the same step and type gets a number, so that a client does not add its text to the
 * first. The steps of every run of a session begin at one, so the message's own id begins with the run.
 */
export function createMessageIds(runId: string): MessageIds {
  const seed = hashOf(runId)
  const streams = new Map<string, number>()
  let position = 0

  return {
    next: () => `msg_${hexOf(spread(seed + position++))}`,
    stream(step, type) {
      const name = `msg-${step}-${type}-stream`
      const count = (streams.get(name) ?? 0) + 1
      remember(streams, name, count)
      const streamId = count === 1 ? name : `${name}-${count}`
      return { streamId, messageId: `${runId}/${streamId}` }
    },
  }
}

/** Each byte in two digits: joined, they are faster than `toString` of a number of 32 bits (bench/rows/wire.ts). */
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bits: number): string {
  return `${BYTES[bits >>> 24]}${BYTES[(bits >>> 16) & 255]}${BYTES[(bits >>> 8) & 255]}${BYTES[bits & 255]}`
}

/** FNV-1a over the UTF-16 units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** A bijection of 32-bit numbers: no two positions of a run share an id. */
function spread(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
