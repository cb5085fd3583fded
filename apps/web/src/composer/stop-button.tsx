import { useLayoutEffect, useRef } from 'react'
import { focusMain } from '../focus.ts'

interface StopButtonProps {
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** Reacts at once. When the log says that the run has stopped, the button goes and its focus moves to the composer. */
export function StopButton({ isStopping, onStop }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (element !== null && element === document.activeElement) focusMain()
    }
  }, [])
  return (
    // A disabled button would lose the focus.
    <button
      ref={button}
      type="button"
      className="mr-button button stop"
      aria-disabled={isStopping}
      onClick={() => !isStopping && onStop()}
    >
      <span className="stop-square" aria-hidden="true" />
      {isStopping ? 'Stopping…' : 'Stop'}
    </button>
  )
}
