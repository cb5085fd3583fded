import { englishLabels, momentText } from '@millrace/react'
import { Icon } from '../icon.tsx'
import { Popover } from '../popover.tsx'
import type { Attempt } from './attempts.ts'

interface AttemptPickerProps {
  readonly attempts: readonly Attempt[]
  readonly onShow: (runId: string) => void
  /** Makes another attempt; undefined: it cannot be made now. */
  readonly onRegenerate?: (() => void) | undefined
  /** The command that opens the list, if it is the one for all of the page. */
  readonly command?: 'attempts' | undefined
}

/** ‹2 of 3›: the attempt before, the list of all, the attempt after. */
export function AttemptPicker({ attempts, onShow, onRegenerate, command }: AttemptPickerProps) {
  const shown = attempts.findIndex(({ isShown }) => isShown)
  const step = (to: number, icon: 'left' | 'right', label: string) => {
    const attempt = attempts[to]
    return (
      <button
        type="button"
        className="attempt-step"
        aria-label={label}
        title={label}
        // A disabled button would lose the focus.
        aria-disabled={attempt === undefined}
        onClick={() => attempt !== undefined && onShow(attempt.runId)}
      >
        <Icon name={icon} />
      </button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame
    <span className="attempts" role="group" aria-label="Attempts">
      {step(shown - 1, 'left', 'Attempt before')}
      <Popover
        label="All attempts"
        className="attempt-count"
        command={command}
        button={
          <>
            <Icon name="branch" />
            {shown + 1} of {attempts.length}
          </>
        }
      >
        {(close) => (
          <>
            <ol className="attempt-list">
              {attempts.map((attempt, index) => (
                <li key={attempt.runId}>
                  <button
                    type="button"
                    aria-current={attempt.isShown}
                    onClick={() => {
                      close()
                      onShow(attempt.runId)
                    }}
                  >
                    <span className="attempt-number">{index + 1}</span>
                    <span className="attempt-words">
                      <b className="mr-cut">{attempt.title}</b>
                      <span className="mr-cut">{attempt.facts}</span>
                    </span>
                    {attempt.startedAt !== undefined && attempt.startedAt > 0 && (
                      <time dateTime={new Date(attempt.startedAt).toISOString()}>
                        {momentText(attempt.startedAt, Date.now(), englishLabels)}
                      </time>
                    )}
                  </button>
                </li>
              ))}
            </ol>
            {onRegenerate !== undefined && (
              <p className="attempt-foot">
                <button
                  type="button"
                  className="mr-button button"
                  onClick={() => {
                    close()
                    onRegenerate()
                  }}
                >
                  <Icon name="retry" />
                  Regenerate
                </button>
              </p>
            )}
          </>
        )}
      </Popover>
      {step(shown + 1, 'right', 'Attempt after')}
    </span>
  )
}
