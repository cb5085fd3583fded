import type { ToolState } from '@millrace/core/fold'
import { type Command, linesOf } from '@millrace/core/work'
import { Output } from '@millrace/react'
import { memo, useEffect, useState } from 'react'
import { Icon } from '../../icon.tsx'
import { usePositionStore } from '../../position/position-context.ts'
import { selectionOf } from '../../position/selected-segment.ts'
import { useMomentNow } from '../../travel/moment-clock.ts'
import { durationText, secondsText } from '../../words/numbers.ts'
import { isFolded, LAST_LINES } from './block-height.ts'

interface CommandBlockProps {
  readonly command: Command
  readonly isLinked: boolean
  readonly isHovered: boolean
  readonly onHeight: (element: HTMLElement | null) => void
}

/** A command and what it wrote: inert text in the colours of the terminal. */
export const CommandBlock = memo(function CommandBlock({ command, isLinked, isHovered, onHeight }: CommandBlockProps) {
  const store = usePositionStore()
  const { runId, segment, prompt, text, step, chunks, state, isTruncated } = command
  const selection = selectionOf(runId, segment)
  const isRunning = state === 'running'
  const [firstLine = '', ...others] = linesOf(text)
  return (
    <section
      className={`command${isLinked ? ' command-linked' : isHovered ? ' command-hovered' : ''}`}
      aria-label={`Command of step ${step}: ${firstLine}`}
      ref={onHeight}
      onPointerEnter={() => store.hover(selection)}
      onPointerLeave={() => store.hover(undefined)}
    >
      <button
        type="button"
        className="command-head"
        aria-pressed={isLinked}
        title={text}
        onClick={() => store.select(selection)}
      >
        <span className="command-step">
          <span className="unseen">step </span>
          {step}
        </span>
        <span className="command-prompt">{prompt}</span>
        <code>
          {firstLine}
          {others.length > 0 && ' …'}
        </code>
        <Facts command={command} />
      </button>
      {isLinked && others.length > 0 && <pre className="command-whole">{text}</pre>}
      {chunks.map(({ channel, text: written }, index) => (
        <Output
          // Chunks only grow: a chunk has no identity but its position.
          key={index}
          text={written}
          label={channel === 'stderr' ? 'Errors of the command' : 'Output of the command'}
          isError={channel === 'stderr' && state === 'failed'}
          isGrowing={isRunning && index === chunks.length - 1}
          {...(isFolded(command) && { last: LAST_LINES })}
        />
      ))}
      {isTruncated && <p className="command-note">The agent was given only a part of this output.</p>}
    </section>
  )
})

const words: { readonly [State in ToolState]?: readonly [words: string, tone: string] } = {
  approval: ['waits for you', ' command-asks'],
  denied: ['denied', ''],
  cancelled: ['stopped', ''],
  failed: ['failed', ' mr-bad'],
}

function Facts({ command: { agentName, exitCode, state, percent, segment } }: { readonly command: Command }) {
  const { startedAt, endedAt } = segment
  const [stateWords, tone] = words[state] ?? []
  const isFailure = exitCode !== undefined && exitCode !== 0
  return (
    <span className="command-facts">
      {agentName !== undefined && <span className="mr-badge">{agentName}</span>}
      {isFailure && <span className="mr-badge mr-bad">exit {exitCode}</span>}
      {!isFailure && stateWords !== undefined && (
        <span className={`mr-badge${tone}`}>
          {state === 'approval' && <Icon name="ask" />}
          {stateWords}
        </span>
      )}
      {state === 'running' && <span className="mr-spinner" aria-hidden="true" />}
      {state === 'running' && <span className="unseen">running</span>}
      {percent !== undefined && <span>{Math.round(percent)} %</span>}
      {state === 'running' ? (
        <Elapsed since={startedAt} />
      ) : (
        endedAt !== undefined && endedAt > startedAt && <span>{durationText(endedAt - startedAt)}</span>
      )}
    </span>
  )
}

/** Blank until it is mounted: what is drawn from the data alone has no clock. */
function Elapsed({ since }: { readonly since: number }) {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const now = useMomentNow(1_000)
  return isMounted && since !== 0 ? <span>{secondsText(Math.max(0, now - since))}</span> : undefined
}
