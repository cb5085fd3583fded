import type { ToolState } from '@millrace/core/fold'
import type { WorkStep } from '@millrace/core/work'
import { useMemo, useState } from 'react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { useCommands } from '../keys/keys-context.tsx'
import { usePositionStore } from '../position/position-context.ts'
import { selectionOf } from '../position/selected-segment.ts'
import { type Part, useCurrentPart } from './current-part.ts'
import { useWork } from './work-context.ts'

/** The steps of the thread as ticks, one for each call, and the step at which the panes stand. */
export function StepNavigator({ isPast }: { readonly isPast: boolean }) {
  const { steps, later } = useWork()
  const store = usePositionStore()
  const current = useCurrentPart()
  const total = steps.length + (later?.steps.length ?? 0)
  const index = current === undefined ? -1 : current.step.number - 1
  const [announcement, setAnnouncement] = useState('')
  const go = useMemo(
    () => (to: number) => {
      const step = steps[Math.max(0, Math.min(steps.length - 1, to))]
      const part = step?.parts[0]
      if (step === undefined || part === undefined) return
      store.select(selectionOf(step.runId, part))
      setAnnouncement(`Step ${step.number}, ${titleOf(part)}`)
    },
    [steps, store],
  )
  useCommands({
    'previous-step': () => go(index === -1 ? 0 : index - 1),
    'next-step': () => go(index === -1 ? 0 : index + 1),
  })
  return (
    <div className="steps">
      <span className="steps-nav">
        <button
          type="button"
          className="icon-button"
          aria-label="Previous step"
          title={titleWithKey('Previous step', 'previous-step')}
          disabled={index <= 0}
          onClick={() => go(index - 1)}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Next step"
          title={titleWithKey('Next step', 'next-step')}
          disabled={index === -1 || index === steps.length - 1}
          onClick={() => go(index + 1)}
        >
          <Icon name="right" />
        </button>
      </span>
      <span className="steps-at">
        {steps.length === 0
          ? 'No step yet'
          : current === undefined
            ? `${total} steps`
            : `Step ${index + 1} of ${total}`}
      </span>
      <Ticks />
      {current !== undefined && (
        <>
          <span className="mr-cut steps-name">{titleOf(current.part)}</span>
          <code className="steps-seqs">
            #{current.part.seqs[0]}
            {current.part.seqs[1] > current.part.seqs[0] && `–${current.part.seqs[1]}`}
          </code>
        </>
      )}
      <span className="unseen" role="status">
        {announcement}
        {isPast && announcement !== '' && ', in the past'}
      </span>
    </div>
  )
}

/** More than these are not told apart: only those around the current one are drawn. */
const MOST_TICKS = 120

function Ticks() {
  const { steps, later } = useWork()
  const store = usePositionStore()
  const current = useCurrentPart()
  const ticks = [...ticksOf(steps, false), ...ticksOf(later?.steps ?? [], true)]
  const at = Math.max(
    0,
    ticks.findIndex(({ part }) => part === current?.part),
  )
  const start = Math.max(0, Math.min(at - MOST_TICKS / 2, ticks.length - MOST_TICKS))
  return (
    // The buttons at the left and the keys do the same; a tick is too small for a finger.
    <span className="ticks" aria-hidden="true">
      {ticks.slice(start, start + MOST_TICKS).map(({ step, part, isFirst, isLater }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: hidden, and a shortcut for the pointer only
        // biome-ignore lint/a11y/noStaticElementInteractions: hidden, and a shortcut for the pointer only
        <i
          key={`${step.runId}-${part.seqs[0]}`}
          className={`tick tick-${kindOfPart(part)}${isFirst && index > 0 ? ' tick-first' : ''}${part === current?.part ? ' tick-current' : ''}${isLater ? ' tick-later' : ''}`}
          style={{ flexGrow: weightOf(part) }}
          title={`Step ${step.number}: ${titleOf(part)}`}
          onClick={() =>
            // What is not there yet is shown at the moment when it is whole.
            isLater
              ? store.travel({ runId: step.runId, seq: part.seqs[1] })
              : store.select(selectionOf(step.runId, part))
          }
        />
      ))}
    </span>
  )
}

const ticksOf = (steps: readonly WorkStep[], isLater: boolean) =>
  steps.flatMap((step) => step.parts.map((part, index) => ({ step, part, isFirst: index === 0, isLater })))

const kindsOfState: { readonly [State in ToolState]?: string } = { failed: 'bad', approval: 'wait' }

function kindOfPart(part: Part): string {
  if (part.type === 'subagent') return part.state === 'failed' ? 'bad' : 'sub'
  return kindsOfState[part.state] ?? (part.shownAs === 'subagent' ? 'sub' : 'tool')
}

const titleOf = (part: Part): string => (part.type === 'tool' ? (part.title ?? part.name) : part.name)

/** The logarithm of its duration: a call of a minute is about four times as wide as one of a second. */
function weightOf({ startedAt, endedAt }: Part): number {
  const seconds = endedAt === undefined ? 1 : Math.max(0, endedAt - startedAt) / 1_000
  return 1 + Math.log2(1 + seconds) / 2
}
