import type { RunInfo } from '@millrace/core/client'
import { formatTitle } from '@millrace/react'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'
import { DockTrouble } from './dock.tsx'
import type { ThreadActions } from './use-thread-actions.ts'

/** A stream that another program has made, and that has ended: no agent of this server can go on with it. */
export const isRecording = (run: RunInfo | undefined): run is RunInfo =>
  run !== undefined && run.agent === undefined && run.state === 'ended'

const ends: { readonly [outcome: string]: string } = {
  'awaiting-input': 'It ends with a question that can no longer be answered.',
  interrupted: 'Its stream broke off: what had arrived is kept.',
  error: 'It failed where it was made.',
}

interface ReadOnlyNoteProps extends Pick<ThreadActions, 'trouble' | 'dismiss'> {
  readonly run: RunInfo
}

/** In place of the composer: why nothing can be written here, and where it can. */
export function ReadOnlyNote({ run, trouble, dismiss }: ReadOnlyNoteProps) {
  return (
    <div className="dock">
      <DockTrouble trouble={trouble} dismiss={dismiss} />
      <div className="read-only">
        <Icon name="record" />
        <p>
          <b>A recorded stream of {formatTitle(run.format ?? 'unknown')}, read-only.</b>{' '}
          {ends[run.outcome ?? ''] ?? 'The program that made it is not connected.'}
        </p>
        <Link to={{ name: 'start' }} className="mr-button button">
          New thread
        </Link>
      </div>
    </div>
  )
}

/** In place of the composer while this page sends a file: the thread shows what the log has already. */
export function ReadingNote({ name, stop }: { readonly name: string; readonly stop: ReactNode }) {
  return (
    <div className="dock">
      <div className="read-only">
        <span className="mr-spinner" aria-hidden="true" />
        <p>
          <b>Reading {name}.</b> The thread shows what is in the log already.
        </p>
        {stop}
      </div>
    </div>
  )
}
