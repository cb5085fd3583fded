import type { AgentInfo, RunInfo } from '@millrace/core/client'
import { Icon } from '../icon.tsx'
import { useCommands } from '../keys/keys-context.tsx'

interface ContinueNoteProps {
  readonly run: RunInfo
  /** The agent of the run. */
  readonly agent: AgentInfo
  readonly onContinue: () => void
}

/** Why there is something to continue, where the thread itself does not say it. */
const reasons: { readonly [outcome: string]: string } = {
  interrupted: 'The server or the agent stopped in the middle of this run. ',
  cancelled: '',
  error: '',
}

/** What can be done after a run that did not end by itself, in words. */
export function ContinueNote({ run, agent, onContinue }: ContinueNoteProps) {
  const reason = reasons[run.outcome ?? '']
  useCommands({ continue: agent.unavailable === undefined ? onContinue : undefined })
  if (reason === undefined) return undefined
  const { title, can, unavailable } = agent
  const memory =
    can?.session === undefined ? 'It gets this thread as its history.' : 'It takes up its own conversation again.'
  return (
    <div className="continue-note">
      <p>
        {reason}
        {unavailable === undefined
          ? `Continue starts a new run of ${title} in this thread. ${memory}`
          : `${title} cannot be continued now: ${unavailable}`}
      </p>
      {unavailable === undefined && (
        <button type="button" className="mr-button button" onClick={onContinue}>
          <Icon name="play" />
          Continue
        </button>
      )}
    </div>
  )
}

/** Whether a run that has ended leaves something to continue. */
export const canContinue = ({ state, outcome }: RunInfo): boolean =>
  state === 'ended' && reasons[outcome ?? ''] !== undefined
