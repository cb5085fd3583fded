import { usePositionPart, usePositionStore } from '../../position/position-context.ts'
import type { Selection } from '../../position/position-store.ts'
import { selectedSegment, selectionOf } from '../../position/selected-segment.ts'
import { useCurrentPart } from '../current-part.ts'
import { useWork, type Work } from '../work-context.ts'

/** What the pieces of a pane are compared with. */
export interface Links {
  /** The call that is selected; absent while the panes follow. */
  readonly selectedCall?: string
  readonly hoveredCall?: string
  /** The step at which the panes stand. */
  readonly currentStep?: number
  readonly hoveredStep?: number
  /** The call at which the panes stand: the selected one, else the newest. */
  readonly currentCall?: string
}

export function useLinks(): Links {
  const work = useWork()
  const selection = usePositionPart(({ selection }) => selection)
  const hovered = usePositionPart(({ hovered }) => hovered)
  const current = useCurrentPart()
  const selectedCall = callOf(work, selection)
  const hoveredCall = callOf(work, hovered)
  const newest = current?.part.type === 'tool' ? current.part.callId : undefined
  const currentCall = selection === undefined ? newest : selectedCall
  const hoveredStep = stepOfCall(work, hoveredCall)
  return {
    ...(selectedCall !== undefined && { selectedCall }),
    ...(hoveredCall !== undefined && { hoveredCall }),
    ...(currentCall !== undefined && { currentCall }),
    ...(current !== undefined && { currentStep: current.step.number }),
    ...(hoveredStep !== undefined && { hoveredStep }),
  }
}

/** The call of a selection; a link that names only an entry names the call that holds it. */
function callOf({ chatEvents }: Work, selection: Selection | undefined): string | undefined {
  if (selection === undefined || selection.callId !== undefined) return selection?.callId
  const segment = selectedSegment(chatEvents, selection)
  return segment?.type === 'tool' ? segment.callId : undefined
}

const stepOfCall = ({ calls }: Work, callId: string | undefined) =>
  callId === undefined ? undefined : calls.find(({ segment }) => segment.callId === callId)?.step

/** The selection of a call, wherever it lies. */
export function selectionOfCall({ calls }: Work, runId: string, callId: string): Selection | undefined {
  const call = calls.find((each) => each.runId === runId && each.segment.callId === callId)
  return call === undefined ? undefined : selectionOf(runId, call.segment)
}

/** Stays at what the panes show now: for a reader who scrolls while they follow. */
export function useHold(): () => void {
  const store = usePositionStore()
  const current = useCurrentPart()
  return () => {
    if (!store.snapshot().isFollowing) return
    if (current === undefined) store.follow(false)
    else store.select(selectionOf(current.step.runId, current.part))
  }
}
