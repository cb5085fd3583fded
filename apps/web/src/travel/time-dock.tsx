import type { ChatEvent } from '@millrace/core/fold'
import { stepsOf } from '@millrace/core/work'
import { useStore } from '@millrace/react'
import { useDeferredValue, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { usePositionStore } from '../position/position-context.ts'
import { HeadNumbers } from './head-numbers.tsx'
import { chosenPlaying, keepPlaying } from './playing-choice.ts'
import { createTimeHead, SPEEDS, type Speed, type TimeHead } from './time-head.ts'
import { Track } from './track.tsx'
import type { TravelRun } from './travel-run.ts'
import { useTimeCommands } from './use-time-commands.ts'
import '../styles/time-dock.css'

interface TimeDockProps {
  readonly travelRun: TravelRun
  /** The chat in the present: its steps, and what there is at an entry. */
  readonly present: readonly ChatEvent[]
}

/** The time of a run: where the page stands in it, and what there was when. */
export function TimeDock({ travelRun, present }: TimeDockProps) {
  const position = usePositionStore()
  const box = useRef<HTMLElement>(null)
  const head = useMemo(() => createTimeHead(travelRun, position, chosenPlaying()), [travelRun, position])
  useEffect(() => head.start(), [head])
  const view = useStore(travelRun)
  const choice = useStore(head)
  useEffect(() => keepPlaying(choice), [choice])
  // The steps of a live run change with every entry: the dock may be a moment late.
  const chatEvents = useDeferredValue(present)
  const steps = useMemo(
    () =>
      stepsOf(chatEvents).flatMap(({ number, runId, seqs: [seq] }) => {
        const time = view.times[seq - 1]
        return runId === view.runId && time !== undefined ? [{ number, seq, time }] : []
      }),
    [chatEvents, view],
  )
  const { step, faster } = useTimeCommands(head, travelRun, steps, box)
  const isPresent = useIsPresent(head)
  // The present of a run that goes on plays by itself.
  const isMoving = choice.isPlaying || (isPresent && !view.isWhole)
  const isFast = choice.isPlaying && choice.speed >= 10
  useEffect(() => {
    document.documentElement.toggleAttribute('data-fast', isFast)
    return () => document.documentElement.removeAttribute('data-fast')
  }, [isFast])
  const playTitle = isMoving ? 'Pause' : 'Play'
  return (
    <section className="time" aria-label="Time" ref={box}>
      <span className="transport">
        <TransportButton
          title={titleWithKey('Previous step', 'previous-time-step')}
          icon="step-back"
          onClick={() => step(-1)}
        />
        <button
          type="button"
          className="mr-button button square play"
          aria-label={playTitle}
          title={titleWithKey(playTitle, 'play')}
          onClick={head.togglePlay}
        >
          <Icon name={isMoving ? 'pause' : 'play'} />
        </button>
        <TransportButton title={titleWithKey('Next step', 'next-time-step')} icon="step-on" onClick={() => step(1)} />
        <SpeedSwitch speed={choice.speed} onChoose={(speed) => head.choose({ speed })} />
        <button
          type="button"
          className="mr-button button speed-one"
          aria-label={`Speed ${choice.speed}×`}
          onClick={() => faster(choice.speed === 50 ? -SPEEDS.length : 1)}
        >
          {choice.speed}×
        </button>
        <button
          type="button"
          className="mr-button button quiet skip-silence"
          aria-pressed={choice.skipsSilence}
          onClick={() => head.choose({ skipsSilence: !choice.skipsSilence })}
        >
          Skip silence
        </button>
      </span>
      <Track head={head} view={view} steps={steps} chatEvents={chatEvents} />
      <HeadNumbers head={head} view={view} isPresent={isPresent} />
      {view.hasFailed && (
        <p className="time-trouble" role="alert">
          The entries of this run could not be read.
        </p>
      )}
    </section>
  )
}

/** Whether the page shows the present. Only its change is drawn. */
function useIsPresent(head: TimeHead): boolean {
  const isPresent = () => head.point().isPresent
  return useSyncExternalStore(head.onMove, isPresent, isPresent)
}

interface TransportButtonProps {
  readonly title: string
  readonly icon: 'step-back' | 'step-on'
  readonly onClick: () => void
}

function TransportButton({ title, icon, onClick }: TransportButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={title.replace(/ \(.*/, '')}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

interface SpeedSwitchProps {
  readonly speed: Speed
  readonly onChoose: (speed: Speed) => void
}

function SpeedSwitch({ speed, onChoose }: SpeedSwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame
    <span className="view-switch speeds" role="group" aria-label="Speed">
      {SPEEDS.map((each) => (
        <button key={each} type="button" aria-pressed={each === speed} onClick={() => onChoose(each)}>
          {each}×
        </button>
      ))}
    </span>
  )
}
