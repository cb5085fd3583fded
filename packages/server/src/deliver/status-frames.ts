import type { RunStatus } from '@millrace/core/api'

/** The status of one run, as its viewers follow it. */
export interface WatchedStatus {
  /** The run's current status; undefined if it has ended. */
  first(): RunStatus | undefined
  /** Calls the listener with each later status, until the returned function is called. */
  listen(listener: (status: RunStatus) => void): () => void
}

/**
 * Sends a run's status at once and at each change, until the returned function is called. For a viewer that does not keep up
 * nothing is queued: it gets the newest status when it has taken the one before. If `send` fails, `fail` gets the error, and
 * nothing more is sent.
 */
export function followStatus(
  { first, listen }: WatchedStatus,
  send: (status: string) => Promise<unknown> | undefined,
  fail: (error: unknown) => void,
): () => void {
  let due: RunStatus | undefined
  let last: string | undefined
  let isSending = false

  async function sendDue(): Promise<void> {
    if (isSending) return
    isSending = true
    while (due !== undefined) {
      const text = JSON.stringify(due)
      due = undefined
      if (text === last) continue
      last = text
      await send(text)
    }
    isSending = false
  }

  const stop = listen((status) => {
    due = status
    sendDue().catch(fail)
  })
  due = first()
  sendDue().catch(fail)
  return stop
}
