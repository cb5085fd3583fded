const sentences = {
  'unknown-log': (name: string) => `No log is called "${name}".`,
  'unknown-run': (runId: string) => `There is no run "${runId}".`,
  'stale-attempt': (detail: string) => `A later attempt has taken the run over: ${detail}.`,
  'stale-owner': (detail: string) => `The run has another owner by now: ${detail}.`,
  'run-owned': (runId: string) => `Another node feeds run "${runId}".`,
  'unknown-node': (nodeId: string) => `The lease of node "${nodeId}" has ended.`,
  'run-closed': (runId: string) => `Run "${runId}" has ended; nothing can be added.`,
  'run-live': (runId: string) => `Run "${runId}" has not ended yet.`,
  'wrong-position': (detail: string) => `The run is at another position: ${detail}.`,
  'other-request': (key: string) => `The key "${key}" was used for another request.`,
  'foreign-message': (messageId: string) => `Message "${messageId}" belongs to another thread.`,
  'log-closed': (operation: string) => `The log is closed; it cannot ${operation}.`,
  'log-failed': (cause: string) => `The log has failed: ${cause}.`,
  'log-full': (cause: string) => `There is no room left for the log: ${cause}.`,
  'log-corrupt': (cause: string) => `The log's file is damaged: ${cause}. Restore it from a copy.`,
  'log-taken': (folder: string) => `Another process has the log in "${folder}" open.`,
  'log-unreachable': (cause: string) => `The database of the log cannot be used: ${cause}.`,
  'newer-log': (detail: string) => `The log was written by a newer Millrace: ${detail}.`,
} as const

export type LogErrorCode = keyof typeof sentences

/** A refused operation of a log: a code for the program, a sentence for the person. */
export class LogError extends Error {
  override readonly name = 'LogError'
  readonly code: LogErrorCode
  /** The sentence's parameter: with the code, enough to rebuild the error in another thread. */
  readonly detail: string

  constructor(code: LogErrorCode, detail: string, options?: ErrorOptions) {
    super(sentences[code](detail), options)
    this.code = code
    this.detail = detail
  }
}

const troubles: ReadonlySet<LogErrorCode> = new Set(['log-failed', 'log-full', 'log-corrupt'])

/** Whether the log itself has failed. Any other error is a refusal: the request was wrong, the log works. */
export const isTrouble = (error: unknown): error is LogError => error instanceof LogError && troubles.has(error.code)
