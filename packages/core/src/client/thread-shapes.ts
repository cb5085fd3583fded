import type { ApiError } from '../api/api-error.ts'
import type { Answer, RunInfo, RunInput } from '../api/api-types.ts'
import type { ChatEvent, RunSnapshot } from '../fold/shapes.ts'
import type { Published } from './publisher.ts'
import type { RunStoreSettings } from './run-feed.ts'
import type { RunStoreSnapshot } from './run-store.ts'

/**
 * `sending`: the server has not answered yet. `running`: the newest run is live. `awaiting-input`: it has ended with an
 * open call or question. `failed`: the thread could not be read.
 */
export type ThreadState = 'idle' | 'loading' | 'ready' | 'sending' | 'running' | 'awaiting-input' | 'failed'

export interface ThreadStoreSnapshot {
  readonly thread: { readonly id: string; readonly title: string; readonly runs: readonly RunInfo[] }
  /** The chat events of the shown runs, joined: an output is at its call, whichever run contains it. */
  readonly chatEvents: readonly ChatEvent[]
  readonly state: ThreadState
  /** The newest run, if it is or was streamed here. */
  readonly newest?: RunStoreSnapshot
  readonly error?: ApiError
}

export interface SendOptions {
  readonly agent?: string
  /** The run that the new one continues. Default: the last one that is shown. `null`: none, a first question anew. */
  readonly after?: string | null
}

export interface ThreadStore extends Published<ThreadStoreSnapshot> {
  /** Reads the thread and streams its live runs, also those that begin elsewhere. */
  start(): void
  /** Closes all connections. The runs continue. */
  close(): void
  /**
   * Starts a run. The message is shown at once, under the id that it will have in the log. A lost response is retried
   * with the same run id and key, so that no run starts twice. On failure the message is removed and this rejects.
   */
  send(input: string | RunInput, options?: SendOptions): Promise<void>
  /**
   * What the thread has shown at a moment of one of its runs: the runs before it, and the run as it was then. An answer
   * that came in a later run is not there.
   */
  chatEventsAt(moment: Pick<RunSnapshot, 'runId' | 'chatEvents'>): readonly ChatEvent[]
  /** Asks the live run to stop. */
  stop(): Promise<void>
  answer(approvalId: string, answer: Answer): Promise<void>
  /** Reads the thread again. Resolves when the snapshot has what was read. */
  reload(): Promise<void>
}

export interface ThreadStoreOptions extends RunStoreSettings {
  readonly baseUrl: string
  readonly threadId: string
  /** Whether the server does not have the thread yet: the first run creates it. */
  readonly isNew?: boolean
}
