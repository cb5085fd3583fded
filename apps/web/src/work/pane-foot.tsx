import type { Authorship } from '@millrace/core/work'
import { Icon } from '../icon.tsx'
import { clockText, seqText } from '../words/numbers.ts'
import { useShowInChat } from './link/show-in-chat.ts'
import { selectionOfCall } from './link/use-links.ts'
import { useWork } from './work-context.ts'

interface AuthorLineProps {
  /** `Written`, `Read`. */
  readonly verb: string
  readonly by: Pick<Authorship, 'runId' | 'callId' | 'seq' | 'agentName' | 'endedAt'> & {
    readonly step?: number
    readonly toolName?: string
  }
}

/** The call that made what a pane shows, and the way to it. */
export function AuthorLine({ verb, by }: AuthorLineProps) {
  const work = useWork()
  const showInChat = useShowInChat()
  const { runId, callId, seq, agentName, toolName, step, endedAt } = by
  const selection = selectionOfCall(work, runId, callId)
  const startedAt = work.chatEvents.find((event) => event.runId === runId)?.startedAt
  const facts = [
    [verb, toolName && `by ${toolName}`, agentName && `of ${agentName}`, step !== undefined && `in step ${step}`],
    [seqText(seq)],
    [endedAt !== undefined && startedAt !== undefined && endedAt >= startedAt && clockText(endedAt - startedAt)],
  ]
  return (
    <footer className="pane-foot">
      <Icon name="pencil" />
      <span className="mr-cut">
        {facts
          .map((words) => words.filter(Boolean).join(' '))
          .filter((words) => words !== '')
          .join(' · ')}
      </span>
      {selection !== undefined && (
        <button type="button" className="text-link" onClick={() => showInChat(selection)}>
          Show in chat
        </button>
      )}
    </footer>
  )
}
