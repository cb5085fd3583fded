import type { SubagentSegment, ToolSegment } from '@millrace/core/fold'
import type { WorkStep } from '@millrace/core/work'
import { usePositionPart } from '../position/position-context.ts'
import type { Position } from '../position/position-store.ts'
import { selectedSegment } from '../position/selected-segment.ts'
import { useWork, type Work } from './work-context.ts'

export type Part = ToolSegment | SubagentSegment

/** What the panes stand at: a part of a step. */
export interface CurrentPart {
  readonly step: WorkStep
  readonly part: Part
  readonly index: number
}

/** The part that the position names: the newest while the panes follow, else that of the selection. */
export function useCurrentPart(): CurrentPart | undefined {
  const work = useWork()
  const selection = usePositionPart(({ selection }) => selection)
  const isFollowing = usePositionPart(({ isFollowing }) => isFollowing)
  return currentPart(work, { ...(selection !== undefined && { selection }), isFollowing })
}

type Standing = Pick<Position, 'selection' | 'isFollowing'>

function currentPart({ chatEvents, steps }: Work, { selection, isFollowing }: Standing): CurrentPart | undefined {
  if (selection === undefined || isFollowing) return lastPart(steps)
  const segment = selectedSegment(chatEvents, selection)
  return segment === undefined ? undefined : partAt(steps, selection.runId, segment.seqs[0])
}

/** The newest part that shows work: one that asks, or that waits for its input, never takes the place of it. */
function lastPart(steps: readonly WorkStep[]): CurrentPart | undefined {
  const step = steps.at(-1)
  if (step === undefined) return undefined
  const started = step.parts.findLastIndex(({ state }) => state !== 'approval')
  const index = Math.max(0, started)
  return { step, part: step.parts[index] as Part, index }
}

/** The part that holds an entry, else the last one before it. */
function partAt(steps: readonly WorkStep[], runId: string, seq: number): CurrentPart | undefined {
  const step = steps.findLast((each) => each.runId === runId && each.seqs[0] <= seq)
  if (step === undefined) return undefined
  const starting = step.parts.findIndex(({ seqs }) => seqs[0] === seq)
  const index = starting === -1 ? step.parts.findLastIndex(({ seqs }) => seqs[0] <= seq) : starting
  const part = step.parts[index]
  return part === undefined ? undefined : { step, part, index }
}
