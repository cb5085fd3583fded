import { createRunStore, type RunInfo, type RunStoreSnapshot } from '@millrace/core/client'
import { formatTitle, useRun } from '@millrace/react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'
import { seqText } from '../words/numbers.ts'
import { WireCard } from './wire-card.tsx'
import { shownFirst, wireFactsOf } from './wire-facts.ts'
import type { RunsOfThread } from './wires-button.tsx'

/** What each wire cannot carry of one run of the thread, and the addresses of that run's streams. */
export function WiresPanel({ runs, newest }: RunsOfThread) {
  const [chosen, setChosen] = useState<string>()
  const run = runs.find(({ id }) => id === chosen) ?? runs.at(-1)
  if (run === undefined) return undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <div className="wires" tabIndex={0}>
      <p className="wires-lead">
        A run can be streamed over any of these protocols. Some cannot carry everything: this is what each one leaves
        out.
      </p>
      {runs.length > 1 && <RunChoice runs={runs} runId={run.id} onChoose={setChosen} />}
      {newest?.run.runId === run.id ? <Wires run={run} streamed={newest} /> : <StoredWires key={run.id} run={run} />}
    </div>
  )
}

interface RunChoiceProps {
  readonly runs: readonly RunInfo[]
  readonly runId: string
  readonly onChoose: (runId: string) => void
}

function RunChoice({ runs, runId, onChoose }: RunChoiceProps) {
  const field = useId()
  return (
    <p className="wires-choice">
      <label htmlFor={field}>Run</label>
      <select id={field} className="select" value={runId} onChange={(event) => onChoose(event.target.value)}>
        {runs.map(({ id, format, agent }, index) => (
          <option key={id} value={id}>
            {[`${index + 1} of ${runs.length}`, agent ?? (format && formatTitle(format))].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </p>
  )
}

/** A run that this page has not streamed is read from the log. */
function StoredWires({ run }: { readonly run: RunInfo }) {
  const { basePath } = useApp()
  const store = useMemo(() => createRunStore({ baseUrl: basePath, runId: run.id }), [basePath, run.id])
  const streamed = useRun(store)
  useEffect(() => {
    store.start()
    return () => store.stop()
  }, [store])
  return <Wires run={run} streamed={streamed} />
}

function Wires({ run, streamed }: { readonly run: RunInfo; readonly streamed: RunStoreSnapshot }) {
  const [toggled, setToggled] = useState<{ readonly [wire: string]: boolean }>({})
  const wires = useMemo(() => wireFactsOf(streamed.seen), [streamed.seen])
  const isWhole = streamed.connection === 'ended'
  return (
    <>
      <p className="wires-count">{countedText(run, streamed)}</p>
      <ul className="wires-list">
        {wires.map((facts) => {
          const isOpen = toggled[facts.wire] ?? facts.wire === shownFirst
          const disclosure = {
            isOpen,
            isToggled: facts.wire in toggled,
            toggle: () => setToggled({ ...toggled, [facts.wire]: !isOpen }),
          }
          return (
            <li key={facts.wire}>
              <WireCard facts={facts} runId={run.id} isWhole={isWhole} disclosure={disclosure} />
            </li>
          )
        })}
      </ul>
      <p className="wires-note">
        Outside this browser a request also carries the token: <code>Authorization: Bearer $MILLRACE_TOKEN</code>. A
        client that reconnects adds the last id that it has received, as <code>&amp;after=</code>.
      </p>
    </>
  )
}

/** How much of the run was counted. */
function countedText(run: RunInfo, { connection, seq, error }: RunStoreSnapshot): string {
  if (connection === 'ended') return `Counted over all ${seq.toLocaleString('en')} entries of the run.`
  if (connection === 'failed') return `The run could not be read. ${troubleText(error)}`
  if (run.state === 'ended') return `Reading the log… ${seqText(seq)} of ${seqText(run.seq)}`
  return `Counted over ${seq.toLocaleString('en')} entries so far; the run is still live.`
}
