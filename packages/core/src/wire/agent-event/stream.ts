import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import { createChunkQueue, createRiders, type Riders } from '../responses.ts'
import type { Chunk } from '../wire.ts'
import type { AgentEvent } from './tool-events.ts'

/** What stands beside the protocol's own fields. A client that does not know it sees nothing of it. */
export interface Beside {
  readonly callId?: string | undefined
  readonly parentCallId?: string | undefined
  /** When it was said, by the framework's clock. */
  readonly at?: number | undefined
  /** What the words alone do not say: further fields of the event, or the events that are meant `instead`. */
  readonly marks?: Fields | undefined
}

/** The chunks of a run, in which the protocol's words are said and all other events ride along. */
export interface Stream {
  /** The next chunk's `millrace.before` holds them. */
  readonly riders: Riders
  say(words: AgentEvent, beside?: Beside): void
  /** A piece of the answer beside which nothing stands. Most chunks are such, so they have a short way (bench/rows/wire.ts). */
  sayText(content: string): void
  /** What an entry says. */
  take(): readonly Chunk[]
}

/** A chunk that adds nothing to the answer and only carries riders. */
const NO_WORDS: AgentEvent = { type: 'stream', content: '' }

/** What a chunk means that stands for no event. */
export const NOTHING: Fields = { instead: [] }

/** What a chunk means whose words are only what a client can show of an event. */
export function insteadOf(event: StreamEvent): Fields {
  return { instead: [event as unknown as Json] }
}

export function createStream(runId: string): Stream {
  const { add, take } = createChunkQueue()
  const riders = createRiders(() => say(NO_WORDS, { marks: NOTHING }))
  let seq = 0

  function millrace(marks: Fields | undefined): JsonObject | undefined {
    const before = riders.take()
    if (before !== undefined) return defined({ before, ...marks })
    return marks === undefined ? undefined : present(defined(marks))
  }

  function say(words: AgentEvent, beside: Beside = {}): void {
    const chunk = { ...words } as Record<string, Json>
    const { callId, parentCallId, at, marks } = beside
    if (callId !== undefined) chunk.callId = callId
    if (parentCallId !== undefined) chunk.parentCallId = parentCallId
    if (seq === 0) chunk.runId = runId
    chunk.seq = ++seq
    if (at !== undefined) chunk.at = at
    const own = millrace(marks)
    if (own !== undefined) chunk.millrace = own
    add(chunk)
  }

  return {
    riders,
    say,
    sayText(content) {
      if (seq === 0 || !riders.isEmpty()) say({ type: 'stream', content })
      else add({ type: 'stream', content, seq: ++seq })
    },
    take,
  }
}

function present(fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}
