import type { FormatsShow } from '@millrace/core/api'
import { type CSSProperties, useId, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { useCommands } from '../keys/keys-context.tsx'
import { clockText, durationText } from '../words/numbers.ts'
import type { ColumnSnapshot } from './column-store.ts'
import type { Agreement } from './picture.ts'
import type { ShowControls } from './use-show.ts'

const SPEEDS = [0.5, 1, 5, 50] as const

/** Whether the five pictures are the same, as far as they are finished. */
export function AgreementBadge({ agreement, isDown }: { readonly agreement: Agreement; readonly isDown: boolean }) {
  const { pieces, different, isWhole } = agreement
  if (isDown) return <span className="agreement">waiting for the log</span>
  if (different.length > 0) {
    return (
      <span className="agreement agreement-bad">
        <Icon name="warning" />
        {5 - different.length} of 5 equal
      </span>
    )
  }
  if (pieces === 0) return <span className="agreement">nothing to compare yet</span>
  return (
    <span className="agreement agreement-ok">
      <Icon name="check" />
      {isWhole ? '5 of 5 equal' : `5 of 5 equal so far, ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`}
    </span>
  )
}

interface ControlsProps extends Pick<ShowControls, 'pending' | 'act' | 'begin' | 'setSpeed'> {
  readonly show: FormatsShow
}

/** How fast it goes, and the button that kills the server, or starts it again. */
export function Controls({ show, pending, act, begin, setSpeed }: ControlsProps) {
  const name = useId()
  const { speed, server, position, duration } = show
  const isOver = position >= duration
  const button = server === 'down' ? 'restart' : isOver ? 'begin' : 'kill'
  const isBusy = pending !== undefined
  const before = useRef(1)
  if (speed !== 0) before.current = speed
  useCommands({ 'kill-server': button === 'kill' && !isBusy ? () => act('kill') : undefined })
  return (
    <span className="show-controls">
      <fieldset className="show-speeds" aria-label="Speed">
        {SPEEDS.map((each) => (
          <label key={each}>
            <input type="radio" name={name} checked={speed === each} onChange={() => setSpeed(each)} />
            {each}×
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        className="icon-button show-pause"
        aria-label={speed === 0 ? 'Go on' : 'Pause'}
        onClick={() => setSpeed(speed === 0 ? before.current : 0)}
      >
        <Icon name={speed === 0 ? 'play' : 'pause'} />
      </button>
      {button === 'kill' && (
        <button type="button" className="mr-button button show-kill" disabled={isBusy} onClick={() => act('kill')}>
          <Icon name="power" />
          {pending === 'kill' ? 'Killing…' : 'Kill the server'}
          <kbd>⇧K</kbd>
        </button>
      )}
      {button === 'restart' && (
        <button type="button" className="mr-button button mr-primary" disabled={isBusy} onClick={() => act('restart')}>
          <Icon name="bolt" />
          {pending === 'restart' ? 'Starting…' : 'Start it again'}
        </button>
      )}
      {button === 'begin' && (
        <button type="button" className="mr-button button" disabled={isBusy} onClick={begin}>
          <Icon name="retry" />
          {pending === 'begin' ? 'Starting…' : 'Play again'}
        </button>
      )}
    </span>
  )
}

interface TrackProps {
  readonly show: FormatsShow
  readonly viewers: readonly ColumnSnapshot[]
}

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)

/** How far the scenario is, where the server was killed, and what that has cost. */
export function Track({ show, viewers }: TrackProps) {
  const { position, duration, kills, server, columns } = show
  const share = (at: number): CSSProperties => ({ left: `${(100 * at) / duration}%` })
  const last = kills.at(-1)
  const resumed = columns.flatMap(({ resumedAt }) => (resumedAt === undefined ? [] : [resumedAt]))
  return (
    <div className="show-track">
      <span role="status">
        {server === 'down' && <b className="show-down">Server down</b>}
        {server === 'down' && ` since ${clockText(last?.at ?? 0)}, its process was killed`}
        {server === 'up' && last?.downMs !== undefined && <b>Killed at {clockText(last.at)}</b>}
        {server === 'up' && last?.downMs !== undefined && `, back after ${durationText(last.downMs)}`}
        {server === 'up' && last === undefined && `Process ${show.pid ?? ''}: kill it at any moment`}
      </span>
      <span className="show-line" aria-hidden="true">
        <span style={{ width: `${(100 * position) / duration}%` }} />
        {kills.map(({ at }) => (
          <i key={at} style={share(at)} />
        ))}
      </span>
      <span className="show-cost">
        {server === 'down' && 'every viewer keeps what it has'}
        {server === 'up' &&
          last !== undefined &&
          resumed.length > 0 &&
          'each program and each viewer went on where it was · '}
        {server === 'up' && (
          <b>
            {sum(viewers.map(({ lost }) => lost))} lost · {sum(viewers.map(({ doubled }) => doubled))} doubled
          </b>
        )}
      </span>
    </div>
  )
}
