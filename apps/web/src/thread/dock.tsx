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
  const title = agents.find(({ name }) => name === run?.agent)?.title

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
      <DockTrouble trouble={trouble} dismiss={dismiss} />
      <MessageQueue
        pending={pending}
        onTakeBack={({ runId, messageId }) => messages.takeBack(runId, messageId).catch(fail)}
        onReuse={reuse}
      />
      {note}
      <AppComposer
        agent={agent}
        onAgent={onAgent}
        placeholder={isLive ? livePlaceholder(canSteer, title) : idlePlaceholder(phase, agent, title)}
        onSend={deliver}
        live={isLive ? { canSteer, canQueue: run.agent !== undefined } : undefined}
        isBlocked={phase === 'sending'}
        unsent={reused ?? unsent}
        stop={stop}
      />
    </div>
  )
}

/** Why the last action on the thread has failed. */
export function DockTrouble({ trouble, dismiss }: Pick<ThreadActions, 'trouble' | 'dismiss'>) {
  if (trouble === undefined) return undefined
  return (
    <p className="dock-trouble" role="alert">
      {trouble}
      <button type="button" className="mr-button button quiet" onClick={dismiss}>
        Dismiss
      </button>
    </p>
  )
}

function livePlaceholder(canSteer: boolean, title: string | undefined): string {
  if (!canSteer) return 'Write the next message, sent after this run'
  return `Say something to ${title ?? 'the program that sends this stream, if it reads messages'}${title === undefined ? '' : ' while it runs'}`
}

function idlePlaceholder(phase: ThreadState, agent: string, title: string | undefined): string {
  if (phase === 'sending') return 'Sending the message above…'
  if (agent !== '') return 'Ask for more'
  return `${title ?? 'The agent of this thread'} cannot run now. Choose another agent to go on.`
}
