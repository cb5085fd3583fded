import { mainRuns } from '@millrace/core/api'
import type { ThreadStore } from '@millrace/core/client'
import {
  type EntryAddress,
  englishLabels,
  isCutOff,
  openQuestions,
  runningTool,
  StopButton,
  sourceTitle,
  splitAgents,
  threadStatusOf,
  titleOf,
  useStore,
  useThread,
} from '@millrace/react'
import { useEffect, useMemo, useRef } from 'react'
import { useApp } from '../app-context.ts'
import { useAgentChoice } from '../composer/agent-choices.ts'
import { DetailsButton } from '../details/run-details.tsx'
import { focusMain } from '../focus.ts'
import { FoundMarks } from '../found-marks.tsx'
import { PositionProvider } from '../position/position-context.ts'
import type { ThreadRoute } from '../position/thread-route.ts'
import { usePositionInAddress } from '../position/use-position-in-address.ts'
import { StatusBar } from '../status/status-bar.tsx'
import { totalsOf } from '../threads/totals.ts'
import { MomentClockProvider } from '../travel/moment-clock.ts'
import { TimeButton } from '../travel/time-button.tsx'
import { useTravelPage } from '../travel/use-travel-page.tsx'
import { TroublePage } from '../trouble-page.tsx'
import { WiresButton } from '../wires/wires-button.tsx'
import { useRevealed } from '../work/link/use-revealed.ts'
import { PanesButton, ThreadViewSwitch, WorkArea } from '../work/work-area.tsx'
import { ContinueNote, canContinue } from './continue-note.tsx'
import { Dock } from './dock.tsx'
import { useLastSeen } from './last-seen.ts'
import { Messages } from './messages.tsx'
import { isRecording, ReadingNote, ReadOnlyNote } from './read-only-note.tsx'
import { ThreadCommands } from './thread-commands.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { UsageButton } from './usage-button.tsx'
import { useBranches } from './use-branches.tsx'
import { useHiddenThoughts } from './use-hidden-thoughts.ts'
import { usePieceCommands } from './use-piece-commands.ts'
import { useThreadActions } from './use-thread-actions.ts'

export function ThreadPage({ route }: { readonly route: ThreadRoute }) {
  const { threadId } = route
  const { basePath, agents = [], threadList, namePage } = useApp()
  const store = useOpenThread(threadId)
  const view = useThread(store)
  const { thread, chatEvents, path, state: phase, newest, error } = view
  const listed = useStore(threadList).threads.find(({ id }) => id === threadId)
  const run = path.at(-1)
  const { store: position, link } = usePositionInAddress(route, mainRuns(thread.runs).at(-1)?.id)
  const [revealed, setRevealed] = useRevealed(link)
  const isBusy = phase === 'sending' || phase === 'running'
  const readingName = useReadingName(threadId, isBusy)
  const lastAgent = agents.find(({ name }) => name === run?.agent)
  const { available } = splitAgents(agents)
  const [chosen, setChosen] = useAgentChoice(threadId)
  const usual = [chosen, run?.agent].flatMap((wanted) => available.filter(({ name }) => name === wanted))
  // Only a person decides that another agent goes on with a thread.
  const first = run === undefined ? available[0] : undefined
  const agent = (isBusy ? run?.agent : undefined) ?? (usual[0] ?? first)?.name ?? ''
  const actions = useThreadActions(store, threadId, agent, isBusy)
  const { trouble, dismiss, fail, isStopping, sendCount, stop, continueRun, answer, renamed, rename } = actions
  const seen = useLastSeen(threadId, chatEvents)
  const branches = useBranches(store, view, link, actions)
  const travel = useTravelPage({ store, position, runs: path, chatEvents, isBusy, send: actions.send })
  const { past, clock } = travel
  const { handle, notice } = usePieceCommands({ threadId, chatEvents: travel.chatEvents, position })
  const hidesThoughts = useHiddenThoughts()
  const questions = useMemo(() => openQuestions(chatEvents), [chatEvents])
  const totals = useMemo(() => totalsOf(travel.runs), [travel.runs])
  const state = phase === 'sending' ? 'live' : threadStatusOf(run, questions.length > 0)
  const isCut = isBusy && isCutOff(newest?.connection)
  const format = run?.format ?? lastAgent?.format
  // The list may have a title before the thread was read.
  const title = titleOf(renamed ?? (thread.title || (listed?.title ?? '')), format, englishLabels)
  const tool = runningTool(chatEvents)?.name
  useEffect(
    () => namePage(state === 'needs-you' ? `${englishLabels.threadStatus[state]} · ${title}` : title),
    [namePage, title, state],
  )
  useEffect(() => () => namePage(undefined), [namePage])
  // The row changes with the state and the tool, not with every token: so the chat events are not a dependency.
  useEffect(() => {
    const runs = thread.runs.map((each) => (format === undefined ? each : { format, ...each }))
    if (runs.length > 0) threadList.note(threadId, { runs, chatEvents, isCut })
  }, [threadList, threadId, thread, state, tool, format, isCut])
  useEffect(() => () => threadList.forget(threadId), [threadList, threadId])

  if (phase === 'failed' && chatEvents.length === 0) return <TroublePage error={error} threadId={threadId} />
  const again = run !== undefined && canContinue(run) && lastAgent?.unavailable === undefined ? lastAgent : undefined
  const stopButton = isBusy && <StopButton isStopping={isStopping} onStop={stop} onFocusLost={focusMain} />
  return (
    <PositionProvider value={position}>
      <main className="main" id="main">
        <ThreadHeader
          title={title}
          source={run && sourceTitle({ ...run, ...(format !== undefined && { format }) }, agents)}
          state={state}
          isCut={isCut}
          model={chatEvents.findLast(({ model }) => model !== undefined)?.model}
          attempts={past === undefined && branches.picker}
          usage={<UsageButton totals={totals} runs={travel.runs} events={travel.chatEvents} />}
          pastSeq={past?.seq}
          tools={
            run !== undefined && (
              <>
                <ThreadViewSwitch />
                <DetailsButton run={run} newest={newest} />
                <WiresButton runs={thread.runs} newest={newest} />
                <TimeButton isOpen={travel.isDockOpen} onToggle={travel.toggleDock} />
                <PanesButton />
              </>
            )
          }
          onRename={rename}
        />
        <ThreadCommands
          threadId={threadId}
          title={title}
          run={run}
          stop={isBusy && !isStopping ? stop : undefined}
          fail={fail}
          notice={notice}
        />
        {link.find !== undefined && <FoundMarks words={link.find.split(' ')} />}
        <MomentClockProvider value={clock}>
          <WorkArea
            basePath={basePath}
            chatEvents={travel.chatEvents}
            present={past && chatEvents}
            runs={travel.runs}
            newest={newest}
            onReveal={setRevealed}
            chat={
              <>
                <Messages
                  handle={handle}
                  basePath={basePath}
                  events={travel.chatEvents}
                  runs={travel.runs}
                  now={clock.now}
                  onJump={clock.onJump}
                  link={revealed ?? entryOf(link)}
                  isLoaded={past === undefined && phase !== 'idle' && phase !== 'loading' && !branches.isSwitching}
                  linkTo={branches.linkTo}
                  seenUpTo={seen}
                  isStill={isCut || state === 'waiting'}
                  sendCount={sendCount}
                  hidesThoughts={hidesThoughts}
                  {...(past === undefined && {
                    onAnswer: answer,
                    renderActions: branches.renderActions,
                    renderTurnActions: branches.renderTurnActions,
                  })}
                  canEdit={lastAgent?.can?.edit === true}
                  end={
                    travel.horizon ??
                    (run !== undefined && lastAgent !== undefined && canContinue(run) && (
                      <ContinueNote run={run} agent={lastAgent} onContinue={() => continueRun(lastAgent.name)} />
                    ))
                  }
                />
                {travel.bar ??
                  (readingName !== undefined ? (
                    <ReadingNote name={readingName} stop={stopButton} />
                  ) : !isBusy && travel.branch === undefined && isRecording(run) ? (
                    <ReadOnlyNote run={run} trouble={trouble} dismiss={dismiss} />
                  ) : (
                    <Dock
                      agent={agent}
                      onAgent={setChosen}
                      phase={travel.branch ? 'ready' : phase}
                      run={travel.branch ? undefined : run}
                      newest={newest}
                      events={chatEvents}
                      stop={stopButton}
                      editing={branches.editing}
                      endEditing={branches.endEditing}
                      trouble={trouble}
                      dismiss={dismiss}
                      fail={fail}
                      send={actions.send}
                      attempt={actions.attempt}
                      {...travel.branch}
                    />
                  ))}
              </>
            }
          />
        </MomentClockProvider>
      </main>
      {travel.dock}
      <StatusBar
        state={state}
        phase={phase}
        run={run}
        newest={newest}
        events={chatEvents}
        error={error}
        actions={{
          stop: isBusy && !isStopping ? stop : undefined,
          continue: again === undefined ? undefined : () => continueRun(again.name),
        }}
      />
    </PositionProvider>
  )
}

/** The entry that a link names. */
function entryOf({ runId, seq }: ThreadRoute): EntryAddress | undefined {
  return seq === undefined ? undefined : { runId, seq }
}

/** The store of a thread, connected while the component is mounted. */
function useOpenThread(threadId: string): ThreadStore {
  const { openThreads } = useApp()
  const store = useMemo(() => openThreads.open(threadId), [openThreads, threadId])
  useEffect(() => {
    store.start()
    return () => store.close()
  }, [store])
  return store
}

/** The file that this page reads into the thread, until the thread has the end of it. */
function useReadingName(threadId: string, isBusy: boolean): string | undefined {
  const name = useApp().reading.get(threadId)
  const last = useRef(name)
  if (name !== undefined) last.current = name
  return name ?? (isBusy ? last.current : undefined)
}
