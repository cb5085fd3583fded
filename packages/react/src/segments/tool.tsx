import type { ToolSegment } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import { DisclosureCard, Unseen } from '../disclosure-card.tsx'
import { durationOf, durationText } from '../durations.ts'
import { Elapsed } from '../elapsed.tsx'
import { Icon, type IconName, Spinner } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { bytesText, numberText } from '../numbers.ts'
import { argumentOf } from '../tools/argument.ts'
import { changeCounts, changesOf } from '../tools/changes.ts'
import { editableInput } from '../tools/editable.ts'
import { answerText, exitOf, resultFact } from '../tools/fact.ts'
import { kindOf } from '../tools/kinds.ts'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'
import { ApprovalRequest } from './approval.tsx'
import { ProgressBar, ToolBody, ToolRequest } from './tool-body.tsx'

type Phase = 'writing' | 'running' | 'asking' | 'ended' | 'abandoned'

/** One line when done; open while it streams, prints or asks, and if it failed. */
export function Tool({ segment }: { readonly segment: ToolSegment }) {
  const { isOver, labels } = useViewContext()
  const phase = phaseOf(segment, isOver)
  const disclosure = useDisclosure(segment.seqs[0], isOpenByItself(segment, phase))
  if (phase === 'asking' && segment.approval !== undefined) {
    return (
      <ApprovalRequest
        approval={segment.approval}
        title={labels.approveTool(nameOf(segment))}
        since={segment.startedAt}
        editable={editableInput(segment)}
      >
        <ToolRequest segment={segment} />
      </ApprovalRequest>
    )
  }
  return (
    <DisclosureCard
      className={`mr-tool mr-tool-${segment.state}`}
      disclosure={disclosure}
      icon={<Glyph segment={segment} phase={phase} />}
      label={<ToolLabel segment={segment} isRunning={phase === 'running'} />}
      end={<ToolFacts segment={segment} phase={phase} />}
    >
      {hasBody(segment) && (
        <>
          {phase === 'running' && <ProgressBar segment={segment} />}
          <ToolBody segment={segment} isGrowing={phase === 'running' || phase === 'writing'} />
        </>
      )}
    </DisclosureCard>
  )
}

function phaseOf({ state, endedAt }: ToolSegment, isOver: boolean): Phase {
  if (state === 'approval') return isOver ? 'abandoned' : 'asking'
  if (endedAt !== undefined || state === 'denied' || state === 'cancelled') return 'ended'
  if (isOver) return 'abandoned'
  return state === 'input' ? 'writing' : 'running'
}

function isOpenByItself(segment: ToolSegment, phase: Phase): boolean {
  if (phase === 'writing') return segment.inputText !== undefined
  return segment.state === 'failed' || (phase === 'running' && segment.progress !== undefined)
}

function hasBody(segment: ToolSegment): boolean {
  const { input, inputText, output, error, approval } = segment
  if (approval?.input !== undefined) return true
  const isBlank = input === undefined || (typeof input === 'object' && Object.keys(input ?? {}).length === 0)
  return !isBlank || [inputText, segment.progress, output, error].some((part) => part !== undefined && part !== '')
}

export function nameOf({ title, name }: ToolSegment): string {
  return title ?? name
}

export function ToolLabel({ segment, isRunning }: { readonly segment: ToolSegment; readonly isRunning: boolean }) {
  const { labels } = useViewContext()
  const { server } = segment
  return (
    <>
      <span className="mr-label mr-strong">
        {isRunning && <Unseen>{labels.usingTool(nameOf(segment))}</Unseen>}
        <span aria-hidden={isRunning}>{nameOf(segment)}</span>
      </span>
      {server !== undefined && <span className="mr-quiet mr-server">{server}</span>}
      <code className="mr-argument mr-cut">{argumentOf(segment)}</code>
    </>
  )
}

const endedGlyphs: { readonly [state: string]: IconName } = {
  failed: 'cross-circle',
  denied: 'cross',
  cancelled: 'cross-circle',
}

function Glyph({ segment, phase }: { readonly segment: ToolSegment; readonly phase: Phase }) {
  if (phase === 'writing' || phase === 'running') return <Spinner />
  const wasApproved = segment.approval?.state === 'approved' && segment.state === 'done'
  const name = endedGlyphs[segment.state] ?? (wasApproved ? 'check' : kindOf(segment.name).icon)
  return <Icon name={name} className="mr-glyph" />
}

/** The facts at the right end: state in words, result, time. */
export function ToolFacts({ segment, phase }: { readonly segment: ToolSegment; readonly phase: Phase }) {
  const { labels } = useViewContext()
  const { state, startedAt, inputText } = segment
  if (phase === 'writing') {
    const size = inputText ? [bytesText(inputText.length, labels)] : []
    return <span className="mr-time">{[labels.writingInput, ...size].join(' · ')}</span>
  }
  if (phase === 'running') {
    const percent = segment.progress?.findLast((piece) => piece.percent !== undefined)?.percent
    return (
      <>
        <AnswerBadge segment={segment} />
        {percent !== undefined && (
          <span className="mr-time">{labels.percent(numberText(Math.round(percent), labels))}</span>
        )}
        <Elapsed since={startedAt} />
      </>
    )
  }
  const duration = durationOf(segment)
  const badge = phase === 'abandoned' ? abandoned(segment, labels) : badges[state]?.(segment, labels)
  return (
    <>
      <AnswerBadge segment={segment} />
      {badge !== undefined && <span className={`mr-badge${tones[state] ?? ''}`}>{badge}</span>}
      <ResultFact segment={segment} />
      {duration !== undefined && <span className="mr-time">{durationText(duration, labels)}</span>}
    </>
  )
}

const badges: { readonly [state: string]: (segment: ToolSegment, labels: Labels) => string | undefined } = {
  failed: (segment, labels) => exitOf(segment, labels) ?? labels.failed,
  denied: ({ approval }, labels) => (approval?.state === 'denied' ? undefined : labels.denied),
  cancelled: ({ approval }, labels) => (approval?.state === 'expired' ? undefined : labels.stopped),
}

const tones: { readonly [state: string]: string } = { failed: ' mr-bad' }

/** A run that has ended accepts no answer and delivers no result. */
function abandoned({ state }: ToolSegment, labels: Labels): string {
  return state === 'approval' ? labels.notAnswered : labels.noResult
}

/** The logged answer is shown at its call, whatever the outcome of the call. */
function AnswerBadge({ segment: { approval } }: { readonly segment: ToolSegment }) {
  const { labels } = useViewContext()
  const answer = approval && answerText(approval, labels)
  if (answer === undefined) return undefined
  return <span className={`mr-badge${approval?.state === 'approved' ? ' mr-ok' : ''}`}>{answer}</span>
}

function ResultFact({ segment }: { readonly segment: ToolSegment }): ReactNode {
  const { labels } = useViewContext()
  const changes = segment.state === 'done' ? changesOf(segment) : undefined
  if (changes !== undefined) {
    const { added, removed } = changeCounts(changes)
    return (
      <span className="mr-mono">
        <span className="mr-added">+{numberText(added, labels)}</span>{' '}
        <span className="mr-removed">−{numberText(removed, labels)}</span>
      </span>
    )
  }
  const fact = resultFact(segment, labels)
  return fact === undefined ? undefined : <span className="mr-time">{fact}</span>
}
