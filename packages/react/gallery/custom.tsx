import type { ReactNode } from 'react'
import { type Components, EventView, type Labels, type SegmentProps } from '../src/index.ts'
import { plan, thought } from './samples/blocks.ts'
import { message, NOW } from './samples/make.ts'
import { text } from './samples/others.ts'
import * as tools from './samples/tools.ts'

const now = () => NOW
const noop = () => {}

/** A frame around our card: `fallback` is the card. */
function FramedTool({ segment, fallback }: SegmentProps<'tool'>) {
  return (
    <div className="framed">
      <span className="framed-note">{segment.name}: a card of the host around ours</span>
      {fallback}
    </div>
  )
}

/** Text as it is written, in the host's typeface. */
const components: Components = { tool: { Bash: FramedTool, Edit: FramedTool } }
const plainMarkdown: Components = { markdown: ({ text: written }) => <p className="host-text">{written}</p> }
const underlined: Components = { link: ({ href, children }) => <HostLink href={href}>{children}</HostLink> }

function HostLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a className="host-link" href={href} rel="noreferrer">
      {children} ↗
    </a>
  )
}

/** The labels of the samples below. `examples/react-custom` has all of them. */
const german: Partial<Labels> = {
  locale: 'de',
  seconds: (seconds) => `${seconds} s`,
  thoughtFor: (duration) => `${duration} nachgedacht`,
  plan: 'Plan',
  planDone: (done, all) => `${done} von ${all}`,
  todoStatus: { pending: 'Offen: ', in_progress: 'Jetzt: ', completed: 'Fertig: ', cancelled: 'Entfällt: ' },
  approveTool: (name) => `${name} genehmigen?`,
  runWaits: 'Der Lauf wartet auf Ihre Antwort.',
  waitingFor: (duration) => `wartet ${duration}`,
  approve: 'Genehmigen',
  approveKey: 'G',
  deny: 'Ablehnen',
  denyKey: 'A',
}

/** What a host replaces: a tool's card, the text, links, and the words. */
export function Custom() {
  const linked = text('The timer is described in the [manual](https://nginx.org/en/docs/).')
  return (
    <main className="columns">
      <section className="sample">
        <h2>A tool's card</h2>
        <p>{'components={{ tool: { Bash } }}'}</p>
        {[tools.running, tools.edited].map((tool) => (
          <EventView key={tool.callId} event={message(tool.callId, [tool])} components={components} now={now} />
        ))}
      </section>
      <section className="sample">
        <h2>The text</h2>
        <p>{'components={{ markdown }}'}</p>
        <EventView event={message('markdown', [text('It is **a timer**, not load.')])} components={plainMarkdown} />
      </section>
      <section className="sample">
        <h2>Links</h2>
        <p>{'components={{ link }}'}</p>
        <EventView event={message('link', [linked])} components={underlined} />
      </section>
      <section className="sample">
        <h2>Words</h2>
        <p>{'labels={{ approve: … }}'}</p>
        <EventView
          event={message('words', [thought('Ein Timer.', 20_000, 9400), plan(3, false), tools.asking])}
          labels={german}
          now={now}
          onAnswer={noop}
        />
      </section>
    </main>
  )
}
