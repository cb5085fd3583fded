import { useEffect, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Composer } from '../composer/composer.tsx'
import { StopButton } from '../composer/stop-button.tsx'
import { isCutOff } from '../status/liveness.ts'
import { StatusBar } from '../status/status-bar.tsx'
import { openQuestions, runningTool } from '../threads/asking.ts'
import { titleOf } from '../threads/summary.ts'
import { threadStateOf } from '../threads/thread-state.ts'
import { totalsOf } from '../threads/totals.ts'
import { TroublePage } from '../trouble-page.tsx'
import { useStore } from '../use-store.ts'
import { useTitle } from '../use-title.ts'
import { WiresButton } from '../wires/wires-button.tsx'
import { Messages } from './messages.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { useOpenThread } from './use-open-thread.ts'
import { useThreadActions } from './use-thread-actions.ts'

interface ThreadPageProps {
  readonly threadId: string
  readonly runId: string | undefined
  readonly seq: number | undefined
}

export function ThreadPage({ threadId, runId, seq }: ThreadPageProps) {
  const { agents = [], threadList } = useApp()
  const store = useOpenThread(threadId)
  const { thread, chatEvents, state: phase, newest, error } = useStore(store)
  const listed = useStore(threadList).threads.find(({ id }) => id === threadId)
  const [chosen, setChosen] = useState<string>()
  const run = thread.runs.at(-1)
  const isBusy = phase === 'sending' || phase === 'running'
  const ran = agents.find(({ name }) => name === run?.agent)
  const agent = chosen ?? ran?.name ?? agents[0]?.name ?? ''
  const { trouble, dismiss, isStopping, send, sends, stop, goOn, answer, renamed, rename } = useThreadActions(
    store,
    threadId,
    agent,
    isBusy,
  )
  const questions = useMemo(() => openQuestions(chatEvents), [chatEvents])
  const totals = useMemo(() => totalsOf(thread.runs), [thread.runs])
  const state = phase === 'sending' ? 'live' : threadStateOf(run, questions.length > 0)
  const isCut = isBusy && isCutOff(newest?.connection)
  const format = run?.format ?? ran?.format
  const title = renamed ?? (thread.title || listed?.title || titleOf('', format))
  const tool = runningTool(chatEvents)?.name
  useTitle(title)
  // The row changes with the state and the tool, not with every token: so the chat events themselves are no reason.
  useEffect(() => {
    const runs = thread.runs.map((each) => (format === undefined ? each : { format, ...each }))
    if (runs.length > 0) threadList.note(threadId, { runs, chatEvents, isCut })
  }, [threadList, threadId, thread, state, tool, format, isCut])
  useEffect(() => () => threadList.forget(threadId), [threadList, threadId])

  if (phase === 'failed' && chatEvents.length === 0) return <TroublePage error={error} threadId={threadId} />
  const stopButton = isBusy && <StopButton isStopping={isStopping} onStop={stop} />
  return (
    <>
      <main className="main" id="main">
        <ThreadHeader
          title={title}
          format={format}
          state={state}
          isCut={isCut}
          totals={totals}
          wires={thread.runs.length > 0 && <WiresButton runs={thread.runs} newest={newest} />}
          stop={stopButton}
          onRename={rename}
        />
        <Messages
          chatEvents={chatEvents}
          runs={thread.runs}
          runId={runId}
          seq={seq}
          isLoaded={phase !== 'idle' && phase !== 'loading'}
          isStill={isCut || state === 'waiting'}
          sends={sends}
          onAnswer={answer}
          {...(!isBusy && agent !== '' && { onContinue: goOn })}
        />
        <div className="dock">
          {trouble !== undefined && (
            <p className="dock-trouble" role="alert">
              {trouble}
              <button type="button" className="mr-button button quiet" onClick={dismiss}>
                Dismiss
              </button>
            </p>
          )}
          <Composer
            agent={agent}
            onAgent={setChosen}
            placeholder={isBusy ? 'Write the next message while this runs' : 'Ask for more'}
            onSend={send}
            isBusy={isBusy}
            stop={stopButton}
          />
        </div>
      </main>
      <StatusBar state={state} phase={phase} run={run} newest={newest} chatEvents={chatEvents} error={error} />
    </>
  )
}
