import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { Position, PositionStore } from '../position/position-store.ts'

type Moment = Position['at']

/**
 * The moment that is drawn. It follows the position as fast as it can be drawn, and no faster: while a moment is being
 * drawn, newer ones wait, and only the newest of them is drawn next. So the head never waits for the content.
 */
export function useDrawnMoment({ snapshot, subscribe }: PositionStore): Moment {
  // An object, so that every drawing ends with an effect.
  const [drawn, setDrawn] = useState<{ readonly at: Moment }>(() => ({ at: snapshot().at }))
  const isDrawing = useRef(false)
  const latest = useRef(drawn)
  const drawNext = useCallback(() => {
    const { at } = snapshot()
    if (isDrawing.current || isSameMoment(at, latest.current.at)) return
    isDrawing.current = true
    startTransition(() => setDrawn({ at }))
  }, [snapshot])
  useEffect(() => {
    latest.current = drawn
    isDrawing.current = false
    drawNext()
  }, [drawn, drawNext])
  useEffect(() => subscribe(drawNext), [subscribe, drawNext])
  return drawn.at
}

export const isSameMoment = (one: Moment, other: Moment): boolean =>
  one?.runId === other?.runId && one?.seq === other?.seq
