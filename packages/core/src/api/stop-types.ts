/** The JSON of requests that stop something. A stop that comes too late is no error: the answer says so. */

export interface StoppedRun {
  readonly runId: string
  /** False if the run had already ended. */
  readonly stopped: boolean
}

/** What a stop of a conversation has stopped. */
export interface StoppedConversation {
  readonly threadId: string
  /** False if nothing was live: the stop came too late. */
  readonly stopped: boolean
  readonly runIds: readonly string[]
}
