import type { EventOf } from '../events.ts'
import type { Json } from '../json.ts'
import type { Chunk } from './wire.ts'

/** The chunks of the entry that is being written. */
export interface ChunkQueue {
  add(chunk: Chunk): void
  /** The chunks since the last call, in order. */
  take(): readonly Chunk[]
}

const NO_CHUNKS: readonly Chunk[] = []

/** Most entries make one chunk: a list created with that chunk is smaller and faster than one that grows (`bench/rows/wire.ts`). */
export function createChunkQueue(): ChunkQueue {
  let chunks: Chunk[] | undefined
  return {
    add(chunk) {
      if (chunks === undefined) chunks = [chunk]
      else chunks.push(chunk)
    },
    take() {
      const taken = chunks ?? NO_CHUNKS
      chunks = undefined
      return taken
    },
  }
}

/**
 * Decides where a response ends while its run waits for answers, on wires whose clients answer with a new request. That a
 * run waits is a state: a response ends whenever questions are open and nothing else is, and names all of them.
 */
export interface Pauses<Question> {
  /** A block or a call's input begins. No response ends while one is open. */
  open(): void
  close(): void
  hasOpen(): boolean
  /** No response ends before the next question if `isFollowed`: those that are asked at once are named at once. */
  ask(id: string, question: Question, isFollowed: boolean): void
  /** Returns false if the question was not open. */
  answer(id: string): boolean
  /** The open questions, in the order in which they were asked. */
  questions(): readonly Question[]
  /** Whether questions are open and nothing else is. */
  isWaiting(): boolean
}

/** Whether the next event is another question of the same moment. */
export const isFollowed = ({ meta }: EventOf<'approval'>): boolean => meta?.millrace?.more === true

export function createPauses<Question>(): Pauses<Question> {
  const open = new Map<string, Question>()
  let units = 0
  let awaitsNext = false
  return {
    open() {
      units++
    },
    close() {
      units--
    },
    hasOpen: () => units > 0,
    ask(id, question, isFollowed) {
      open.set(id, question)
      awaitsNext = isFollowed
    },
    answer: (id) => open.delete(id),
    questions: () => [...open.values()],
    isWaiting: () => units === 0 && open.size > 0 && !awaitsNext,
  }
}

/** Events that a protocol has no chunk for. They travel with the next chunk, so that the stream can be read back. */
export interface Riders {
  add(event: object): void
  /** Removes an event if it was the last to be added and has not left. Returns whether it did. */
  removeLast(event: object): boolean
  isEmpty(): boolean
  /** The waiting events, which leave with this chunk; undefined if there are none. */
  take(): readonly Json[] | undefined
}

/** A run may be silent for long: when so many events wait, they get a chunk of their own. */
const MOST_RIDERS = 64

/** `carry` MUST emit a chunk that takes the riders and adds nothing else. */
export function createRiders(carry: () => void): Riders {
  let riders: object[] | undefined
  return {
    add(event) {
      riders ??= []
      riders.push(event)
      if (riders.length >= MOST_RIDERS) carry()
    },
    removeLast(event) {
      if (riders === undefined || riders.at(-1) !== event) return false
      riders.pop()
      if (riders.length === 0) riders = undefined
      return true
    },
    isEmpty: () => riders === undefined,
    take() {
      const taken = riders
      riders = undefined
      return taken as readonly Json[] | undefined
    },
  }
}
