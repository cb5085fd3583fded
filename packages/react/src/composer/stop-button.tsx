import { useLayoutEffect, useRef } from 'react'
import { useViewContext } from '../view-context.ts'

export interface StopButtonProps {
  readonly isStopping: boolean
  readonly onStop: () => void
  /** The button has gone and had the focus: moves it to where the user goes on. */
  readonly onFocusLost?: () => void
}

/** Reacts at once. It goes when the log says that the run has stopped. */
export function StopButton({ isStopping, onStop, onFocusLost }: StopButtonProps) {
  const { labels } = useViewContext()
  const focusLost = useRef(onFocusLost)
  focusLost.current = onFocusLost
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (element !== null && element === document.activeElement) focusLost.current?.()
    }
  }, [])
  return (
    // A disabled button would lose the focus.
    <button
      ref={button}
      type="button"
      className="mr-button mr-stop"
      aria-disabled={isStopping}
      onClick={() => !isStopping && onStop()}
    >
      <span className="mr-stop-square" aria-hidden="true" />
      {isStopping ? labels.stopping : labels.stop}
    </button>
  )
}
