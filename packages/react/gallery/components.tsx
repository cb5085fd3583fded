import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { createToggles, EventView } from '../src/index.ts'
import { boot, hidden, plan, status, thought, warned } from './samples/blocks.ts'
import { message, NOW } from './samples/make.ts'
import { answered, data, fatal, question, recovered, sources, subagent, text } from './samples/others.ts'
import * as tools from './samples/tools.ts'

interface Sample {
  readonly title: string
  readonly note: string
  /** One chat event each, so that none is closed by the next. */
  readonly pieces: readonly (Segment | readonly Segment[] | ChatEvent)[]
  /** The indexes of those that the user has opened. */
  readonly opened?: readonly number[]
}

const live = { state: 'live' } as const
const mark = (segment: Segment) => ({ ...segment, type: 'hologram' }) as unknown as Segment

const samples: readonly Sample[] = [
  {
    title: 'Processing',
    note: 'Fill 1. Status lines of the run.',
    pieces: [status(boot.slice(0, 2), 2000), warned, status(boot, 9000, 4000), status(boot, 9000, 4000)],
    opened: [3],
  },
  {
    title: 'Thinking',
    note: 'Fill 2. Open while live; closes at a newer block, or 500 ms after the end.',
    pieces: [
      thought('ALB closes after 60 s of idle too, but it counts bytes in both', 6000),
      thought('The cut lands at exactly 60 s.', 20_000, 12_000),
      thought(
        'The cut lands at exactly 60 s, so this is a timer and not load. Two hops have a 60 s timer: nginx and the ALB.\n\nnginx sits closer, so its `proxy_read_timeout` fires first.',
        90_000,
        64_000,
      ),
      hidden,
    ],
    opened: [2],
  },
  {
    title: 'Tool card',
    note: 'Outline. One line when done; open while it streams, prints or failed.',
    pieces: [
      tools.writing,
      tools.writingUnknown,
      tools.running,
      tools.starting,
      tools.edited,
      tools.edited,
      tools.failed,
      tools.stopped,
      tools.unknown,
    ],
    opened: [5],
  },
  {
    title: 'Approval',
    note: 'Amber asks the user. Never grouped, never collapsed.',
    pieces: [tools.asking, tools.approved, tools.denied, question, answered],
  },
  {
    title: 'Grouped tools',
    note: 'Three or more finished ones in a row.',
    pieces: [tools.lookups, tools.lookups],
    opened: [1],
  },
  { title: 'Plan', note: 'Counts done of all. One list, updated in place.', pieces: [plan(3, true), plan(5, false)] },
  { title: 'Subagent', note: 'Same cards, one rail deeper.', pieces: [subagent(true), subagent(false)] },
  {
    title: 'Errors',
    note: 'Recovered: one quiet line. Fatal: filled, with the next action.',
    pieces: [
      [recovered, text('The second attempt went through.')],
      message('interrupted', [text('Before I restart the proxy, I will')], { state: 'interrupted' }),
      message('fatal', [fatal]),
      message('withdrawn', [text('This was replaced.')], { state: 'retracted' }),
    ],
  },
  {
    title: 'Long output',
    note: 'Above 200 lines: head and tail, the rest on demand.',
    pieces: [tools.long],
    opened: [0],
  },
  {
    title: 'Files, sources, the unknown',
    note: 'A segment of unknown type is kept and shown.',
    pieces: [sources, data, mark(data)],
  },
  {
    title: 'Text that grows',
    note: 'Open marks are closed; no mark appears briefly.',
    pieces: [message('growing', [text('The fix is **a comment line in `src/stream', true)], live)],
  },
]

const toggles = createToggles()
const now = () => NOW
const noop = () => {}

function eventOf(piece: Sample['pieces'][number], id: string): ChatEvent {
  if ('segments' in piece && 'role' in piece) return { ...piece, id }
  const segments = (Array.isArray(piece) ? piece : [piece]) as readonly Segment[]
  const isLive = segments.some(({ endedAt }) => endedAt === undefined)
  return message(id, segments, isLive ? live : {})
}

export function Components() {
  return (
    <main className="columns">
      {samples.map((sample) => (
        <section key={sample.title} className="sample">
          <h2>{sample.title}</h2>
          <p>{sample.note}</p>
          {sample.pieces.map((piece, index) => (
            <Shown
              // biome-ignore lint/suspicious/noArrayIndexKey: the samples never change
              key={index}
              event={eventOf(piece, `${sample.title}-${index}`)}
              isOpened={sample.opened?.includes(index) === true}
            />
          ))}
        </section>
      ))}
    </main>
  )
}

function Shown({ event, isOpened }: { readonly event: ChatEvent; readonly isOpened: boolean }) {
  const [first] = event.segments
  if (isOpened && first !== undefined && toggles.get(`${event.id}:${first.seqs[0]}`) === undefined) {
    toggles.set(`${event.id}:${first.seqs[0]}`, true)
    toggles.set(`${event.id}:tools-${first.seqs[0]}`, true)
    if (event.segments.length > 1) toggles.set(`${event.id}:${first.seqs[0]}`, false)
  }
  return <EventView event={event} toggles={toggles} now={now} onAnswer={noop} onContinue={noop} />
}
