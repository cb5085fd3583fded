import { ApiError, type RunInfo, type RunStoreSnapshot, type ThreadState } from '@millrace/core/client'
import type { Delivery, Draft, Unsent } from '@millrace/react'
import { type ReactNode, useState } from 'react'
import { useApp } from '../app-context.ts'
import { AppComposer } from '../composer/app-composer.tsx'
import { MessageQueue } from '../queue/message-queue.tsx'
import type { PendingMessage } from '../queue/pending-messages.ts'
import { useRunMessages } from '../queue/use-run-messages.ts'
import type { ThreadActions } from './use-thread-actions.ts'

interface DockProps extends Pick<ThreadActions, 'trouble' | 'dismiss' | 'fail' | 'send'> {
  readonly agent: string
  readonly onAgent: (name: string) => void
  readonly phase: ThreadState
  readonly run: RunInfo | undefined
  readonly newest: RunStoreSnapshot | undefined
  readonly stop: ReactNode
  /** What the field holds when it is empty. */
  readonly unsent?: Unsent | undefined
  /** What the message is for, above the field. */
  readonly note?: ReactNode
}

/** What a person says to the thread: the messages that wait, and the composer. */
export function Dock({
  agent,
  onAgent,
  phase,
  run,
  newest,
  stop,
  trouble,
  dismiss,
  fail,
  send,
  unsent,
  note,
}: DockProps) {
  const { agents = [] } = useApp()
  const messages = useRunMessages(run, newest)
  const [reused, setReused] = useState<Unsent & { readonly messageId: string }>()
  const isLive = phase === 'running' && run !== undefined
  const canSteer = run?.agent === undefined || agents.find(({ name }) => name === run.agent)?.can?.steer === true
  const title = agents.find(({ name }) => name === run?.agent)?.title ?? 'the agent'

  async function deliver(draft: Draft, delivery: Delivery): Promise<void> {
    if (delivery === 'run' || run === undefined) return send(draft)
    try {
      await messages.send(run.id, draft, delivery)
    } catch (error) {
      // The run has ended meanwhile: the message starts the next one.
      if (!(error instanceof ApiError) || error.code !== 'run-closed') throw error
      await send(draft)
    }
  }
  const reuse = ({ messageId, text, files = [] }: PendingMessage) => setReused({ messageId, text, files })
  const pending = messages.pending.filter(({ messageId }) => messageId !== reused?.messageId)
  return (
    <div className="dock">
      {trouble !== undefined && (
        <p className="dock-trouble" role="alert">
          {trouble}
          <button type="button" className="mr-button button quiet" onClick={dismiss}>
            Dismiss
          </button>
        </p>
      )}
      <MessageQueue
        pending={pending}
        onTakeBack={({ runId, messageId }) => messages.takeBack(runId, messageId).catch(fail)}
        onReuse={reuse}
      />
      {note}
      <AppComposer
        agent={agent}
        onAgent={onAgent}
        placeholder={placeholderOf(phase, isLive ? { canSteer, title } : undefined)}
        onSend={deliver}
        live={isLive ? { canSteer } : undefined}
        isBlocked={phase === 'sending'}
        unsent={reused ?? unsent}
        stop={stop}
      />
    </div>
  )
}

function placeholderOf(
  phase: ThreadState,
  live: { readonly canSteer: boolean; readonly title: string } | undefined,
): string {
  if (phase === 'sending') return 'Sending the message above…'
  if (live === undefined) return 'Ask for more'
  return live.canSteer ? `Say something to ${live.title} while it runs` : 'Write the next message, sent after this run'
}
