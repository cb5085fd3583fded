interface StopButtonProps {
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** Answers at once; the log says when it has really stopped, and then the button goes. */
export function StopButton({ isStopping, onStop }: StopButtonProps) {
  return (
    <button type="button" className="mr-button button stop" disabled={isStopping} onClick={onStop}>
      <span className="stop-square" aria-hidden="true" />
      {isStopping ? 'Stopping…' : 'Stop'}
    </button>
  )
}
