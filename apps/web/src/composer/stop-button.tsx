import { useLayoutEffect, useRef } from 'react'
import { focusMain } from '../use-focus-after-move.ts'

interface StopButtonProps {
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** Answers at once; the log says when it has really stopped, and then the button goes and leaves its focus to the composer. */
export function StopButton({ isStopping, onStop }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      if (own !== null && own === document.activeElement) focusMain()
    }
  }, [])
  return (
    // A disabled button would drop the focus.
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
