import type { Entry } from '../entry.ts'
import type { JsonObject } from '../json.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/** A run of the branch that is loaded. */
export interface LoadedRun extends Pick<WireOptions, 'runId' | 'messageId'> {
  /** Whether the client streams the run's message itself, from its first chunk: then only what the stream lacks is loaded. */
  readonly isStreamed: boolean
}

/** Turns the runs of a branch into the messages that a wire's client loads. */
export interface History {
  /** The next run, oldest first. */
  begin(run: LoadedRun): void
  /** The next entry of the run that has begun. */
  push(entry: Entry): void
  messages(): readonly JsonObject[]
}

/**
 * The history of a thread on a wire; undefined if the wire has none. The chunks are those of the stream, so that what is
 * loaded cannot differ from what is streamed except by a fault of the reader. Its cost is that of the stream.
 */
export function createHistory(
  wire: Wire,
  { threadId, profile }: Pick<WireOptions, 'threadId' | 'profile'>,
): History | undefined {
  const reader = wire.createHistory?.(profile)
  if (reader === undefined) return undefined
  let wireState: WireState | undefined
  return {
    begin({ runId, messageId, isStreamed }) {
      const ids = { runId, threadId, ...(messageId !== undefined && { messageId }) }
      const options = { ...ids, ...(profile !== undefined && { profile }) }
      wireState = isStreamed ? undefined : wire.create(options)
      reader.begin(options)
    },
    push: (entry) => reader.push(entry, wireState?.push(entry) ?? []),
    messages: reader.messages,
  }
}
