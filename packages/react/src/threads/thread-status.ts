import type { RunInfo } from '@millrace/core/client'

/** The state of a thread: that of its last run. */
export type ThreadStatus =
  | 'needs-you'
  | 'handed-over'
  | 'live'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'stopped'
  | 'empty'

type RunState = Pick<RunInfo, 'state' | 'outcome'>

const statusByOutcome: { readonly [Outcome in NonNullable<RunInfo['outcome']>]: ThreadStatus } = {
  success: 'done',
  error: 'failed',
  interrupted: 'interrupted',
  cancelled: 'stopped',
  'awaiting-input': 'handed-over',
}

/** `isAsking`: something in it waits for the user's answer. A run that has ended accepts no answer from this page. */
export function threadStatusOf(lastRun: RunState | undefined, isAsking: boolean): ThreadStatus {
  if (lastRun === undefined) return 'empty'
  if (lastRun.state !== 'ended' && isAsking) return 'needs-you'
  if (lastRun.state === 'ended') return lastRun.outcome === undefined ? 'done' : statusByOutcome[lastRun.outcome]
  return lastRun.state
}

export const isRunning = (state: ThreadStatus): boolean => state === 'live' || state === 'waiting'
