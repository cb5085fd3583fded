import type { ChatEvent } from '@millrace/core/fold'
import { criticalPaths, type Span, type Spans } from '@millrace/core/spans'
import { Icon } from '../icon.tsx'
import { spanText } from '../words/numbers.ts'
import { endOf, timeCovered } from './row-times.ts'
import { pathTimes } from './rows.ts'
import { type Fact, factsOfGroup, factsOfModel, factsOfSpan } from './span-facts.ts'
import type { SpanNode } from './span-tree.ts'
import { nameOfSpan, whyText, wordsOfPhase, wordsOfTimes } from './span-words.ts'
import { spentOf } from './spent.ts'
import { fillsOfPhases, toneOf, tonesOfPhases, tonesOfTimes } from './tones.ts'

interface SideProps {
  readonly node: SpanNode
  readonly times: Spans
  readonly chatEvents: readonly ChatEvent[]
  readonly hasTimes: boolean
  readonly onShow: (span: Span) => void
  readonly onLens: (span: Span) => void
  readonly onClose: () => void
}

/** Why the chosen row took as long as it did, and what is certain about it. */
export function Side({ node, ...props }: SideProps) {
  const { span } = node
  const isOnPath = span !== undefined && pathTimes(props.times).has(span.id)
  return (
    <aside className="tl-side" aria-label="Details of the span">
      <header className={`tl-side-head tone-${node.tone}`}>
        <Icon name={node.glyph} />
        <h2>
          {node.name} <span>{node.note}</span>
        </h2>
        {span !== undefined && props.hasTimes && span.kind !== 'thought' && (
          <span className="mr-badge badge">{isOnPath ? 'on path' : 'off path'}</span>
        )}
        <button type="button" className="icon-button tl-close" aria-label="Close the details" onClick={props.onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {span !== undefined ? (
        <SpanDetails span={span} {...props} />
      ) : node.id === '' ? (
        <RunDetails {...props} />
      ) : (
        <Facts title="Together" facts={factsOfGroup(node.spans, props.times.startedAt, props.hasTimes)}>
          {props.hasTimes && <p className="tl-why">{groupText(node.spans, props.times)}</p>}
        </Facts>
      )}
      {span !== undefined && (
        <div className="tl-acts">
          <button type="button" className="mr-button button" onClick={() => props.onShow(span)}>
            Show in chat
            <span className="tl-key" aria-hidden="true">
              ↵
            </span>
          </button>
          <button type="button" className="mr-button button" onClick={() => props.onLens(span)}>
            <Icon name="search" />
            Lens
          </button>
        </div>
      )}
    </aside>
  )
}

function groupText(spans: readonly Span[], times: Spans): string {
  const onPath = pathTimes(times)
  const waited = spans.filter(({ id }) => onPath.has(id))
  const ms = waited.reduce((sum, { id }) => sum + (onPath.get(id) ?? 0), 0)
  const at = `At work for ${spanText(timeCovered(spans))}.`
  if (waited.length === 0) return `${at} The run waited for none of them.`
  return `${at} The run waited for ${waited.length.toLocaleString('en')} of them, for ${spanText(ms)}.`
}

type DetailsProps = Omit<SideProps, 'node' | 'onShow' | 'onLens' | 'onClose'>

function SpanDetails({ span, times, chatEvents, hasTimes }: DetailsProps & { readonly span: Span }) {
  const model = span.asked === undefined ? undefined : times.spans.find(({ id }) => id === span.asked)
  const isModel = span.kind === 'model'
  return (
    <>
      {hasTimes && <Why span={span} times={times} />}
      {hasTimes && <Phases span={span} />}
      <Facts title="Span" facts={factsOfSpan(span, times, chatEvents, hasTimes)} />
      {isModel && <Facts title="Model call" facts={factsOfModel(span, hasTimes)} />}
      {model !== undefined && <Facts title="Model call it came from" facts={factsOfModel(model, hasTimes)} />}
    </>
  )
}

function Why({ span, times }: { readonly span: Span; readonly times: Spans }) {
  const holder = times.spans.find(({ id }) => id === span.parent)
  const path = criticalPaths(times).get(span.parent ?? '')
  const onPathMs = (path?.parts ?? []).reduce(
    (sum, part) => (part.span?.id === span.id ? sum + part.to - part.from : sum),
    0,
  )
  const slack = path?.slack.get(span.id)
  const name = holder === undefined ? undefined : nameOfSpan(holder, undefined)
  return <p className="tl-why">{whyText({ span, slack, onPathMs, holder: name, isLive: !times.isOver })}</p>
}

function Phases({ span }: { readonly span: Span }) {
  return (
    <>
      <h3>Where {spanText(endOf(span) - span.startedAt)} went</h3>
      <ul className="tl-phases">
        {span.phases.map(({ kind, from, to }, index) => (
          <li key={index}>
            <i
              className={`fill-${fillsOfPhases[kind]} tone-${tonesOfPhases[kind] ?? toneOf(span)}`}
              aria-hidden="true"
            />
            {wordsOfPhase(span, kind)}
            <b>{spanText(to - from)}</b>
          </li>
        ))}
      </ul>
    </>
  )
}

function RunDetails({ times, hasTimes }: DetailsProps) {
  const { usage, spans, marks, outcome } = times
  const failures = marks.filter(({ kind }) => kind === 'failure').length
  const facts: Fact[] = [
    ['Run', times.runId],
    ['Outcome', outcome ?? 'still at work'],
    ['Model calls', spans.filter(({ kind }) => kind === 'model').length.toLocaleString('en')],
    ['Calls', spans.filter(({ kind }) => kind === 'tool').length.toLocaleString('en')],
  ]
  const failed: readonly Fact[] = failures === 0 ? [] : [['Failures', String(failures)]]
  return (
    <>
      {hasTimes && (
        <>
          <h3>Where {spanText(times.endedAt - times.startedAt)} went</h3>
          <ul className="tl-phases">
            {spentOf(times).map(({ kind, tenths }) => (
              <li key={kind}>
                <i className={`fill-work tone-${tonesOfTimes[kind]}`} aria-hidden="true" />
                {wordsOfTimes[kind]}
                <b>{(tenths / 10).toFixed(1)}s</b>
              </li>
            ))}
          </ul>
        </>
      )}
      <Facts title="Run" facts={[...facts, ...failed]} />
      {usage !== undefined && <Facts title="Usage" facts={factsOfModel({ ...EMPTY, usage }, false)} />}
    </>
  )
}

/** Usage of the run, shown as that of a call. */
const EMPTY: Span = {
  id: '',
  kind: 'model',
  state: 'done',
  name: '',
  seqs: [1, 1],
  startedAt: 0,
  readyAt: 0,
  phases: [],
}

interface FactsProps {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly children?: React.ReactNode
}

function Facts({ title, facts, children }: FactsProps) {
  if (facts.length === 0) return null
  return (
    <>
      {children}
      <h3>{title}</h3>
      <dl className="tl-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
