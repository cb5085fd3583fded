import type { RunInfo } from '@millrace/core/client'

/** How a thread stands, as one word: that of its last run. */
export type ThreadState =
  | 'needs-you'
  | 'handed-over'
  | 'live'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'stopped'
  | 'empty'

type Standing = Pick<RunInfo, 'state' | 'outcome'>

const states: { readonly [Outcome in NonNullable<RunInfo['outcome']>]: ThreadState } = {
  success: 'done',
  error: 'failed',
  interrupted: 'interrupted',
  cancelled: 'stopped',
  'awaiting-input': 'handed-over',
}

/** `isAsking`: something in it waits for a person's answer. A run that has ended takes no answer from this page. */
export function threadStateOf(lastRun: Standing | undefined, isAsking: boolean): ThreadState {
  if (lastRun === undefined) return 'empty'
  if (lastRun.state !== 'ended' && isAsking) return 'needs-you'
  if (lastRun.state === 'ended') return lastRun.outcome === undefined ? 'done' : states[lastRun.outcome]
  return lastRun.state
}

export const stateWords: { readonly [State in ThreadState]: string } = {
  'needs-you': 'Needs you',
  'handed-over': 'Awaits its client',
  live: 'Live',
  waiting: 'Waiting for its producer',
  done: 'Finished',
  failed: 'Failed',
  interrupted: 'Interrupted',
  stopped: 'Stopped',
  empty: 'No run yet',
}

export const isRunning = (state: ThreadState): boolean => state === 'live' || state === 'waiting'
