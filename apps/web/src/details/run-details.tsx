import { createRunStore, type RunInfo, type RunStoreSnapshot } from '@millrace/core/client'
import { CopyButton, englishLabels, formatTitle, Output, threadStatusOf, useStore } from '@millrace/react'
import { useEffect, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Sheet } from '../sheet.tsx'
import { seqText } from '../words/numbers.ts'
import { type Fact, loggedStderr, openFacts, runFacts } from './run-facts.ts'
import { useStderr } from './use-stderr.ts'

interface RunDetailsProps {
  readonly run: RunInfo
  /** The run, if this page streams it. */
  readonly newest: RunStoreSnapshot | undefined
}

/** Opens the sheet that says how the agent of a run was started, how it ended and what it printed beside its stream. */
export function DetailsButton(props: RunDetailsProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="mr-button button quiet wires-button"
        aria-haspopup="dialog"
        aria-label="Run details"
        title="How the agent was started, how it ended, and what it printed"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="process" />
        <span>Details</span>
      </button>
      {isOpen && (
        <Sheet title="Run details" onClose={() => setIsOpen(false)}>
          {props.newest === undefined ? <ReadDetails run={props.run} /> : <Details {...props} newest={props.newest} />}
        </Sheet>
      )}
    </>
  )
}

/** A run that ended before the page was opened is read when the sheet opens. */
function ReadDetails({ run }: Pick<RunDetailsProps, 'run'>) {
  const { basePath } = useApp()
  const store = useMemo(() => createRunStore({ baseUrl: basePath, runId: run.id }), [basePath, run.id])
  useEffect(() => {
    store.start()
    return () => store.stop()
  }, [store])
  return <Details run={run} newest={useStore(store)} />
}

function Details({ run, newest }: RunDetailsProps & { readonly newest: RunStoreSnapshot }) {
  const groups = runFacts(newest.run.metadata)
  const facts: readonly Fact[] = [
    ...(run.agent === undefined ? [] : [{ label: 'Agent', value: run.agent }]),
    ...(run.format === undefined ? [] : [{ label: 'Format', value: formatTitle(run.format) }]),
    { label: 'State', value: englishLabels.threadStatus[threadStatusOf(run, false)] },
    { label: 'Entries', value: seqText(Math.max(run.seq, newest.seq)) },
    ...openFacts(newest.run),
    { label: 'Run', value: run.id },
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <div className="details" tabIndex={0}>
      <Facts title="This run" facts={facts} />
      {groups.map((group) => (
        <Facts key={group.title} {...group} />
      ))}
      {groups.length === 0 && newest.connection === 'ended' && (
        <p className="details-note">
          {run.agent === undefined
            ? 'Its stream came from elsewhere: this server started no program for it.'
            : 'No program was started for it: the agent is a function of this server.'}
        </p>
      )}
      <Stderr run={run} logged={loggedStderr(newest.run.metadata)} />
    </div>
  )
}

function Facts({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="agent-table">
        {facts.map(({ label, value }) => (
          <div key={label} className={typeof value === 'string' ? 'fact-row' : 'fact-block'}>
            <dt>{label}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Value({ value }: Pick<Fact, 'value'>) {
  if (typeof value === 'string') return value
  if ('names' in value) {
    if (value.names.length === 0) return 'none'
    return value.names.map((name) => (
      <code key={name} className="fact-name">
        {name}
      </code>
    ))
  }
  return (
    <div className="command-line">
      <code>{value.command}</code>
      <CopyButton text={value.command} label="Copy the command" />
    </div>
  )
}

interface StderrProps extends Pick<RunDetailsProps, 'run'> {
  /** The last lines, which the log keeps after a bad end. */
  readonly logged: string | undefined
}

/** What the program printed beside its stream: the end of it, as long as the server keeps it, else the logged lines. */
function Stderr({ run, logged }: StderrProps) {
  const { api } = useApp()
  const kept = useStderr(api, run.agent === undefined ? undefined : run.id)
  const stderr = kept.state === 'none' && logged !== undefined ? ({ state: 'read', text: logged } as const) : kept
  if (stderr.state === 'none') return undefined
  return (
    <section>
      <h3>Printed beside the stream</h3>
      {stderr.state === 'reading' && <p className="details-note">Reading…</p>}
      {stderr.state === 'failed' && <p className="details-note">It could not be read. {stderr.reason}</p>}
      {stderr.state === 'read' && (
        <div className="mr-well">
          <Output text={stderr.text} label="Printed beside the stream" />
        </div>
      )}
    </section>
  )
}
