import type { Entry, StreamEvent } from '@millrace/core/events'
import { blocksOf, fold, groupedBlocksOf, messageRow, panesOf, partsOfRow, timelineOf } from '@millrace/core/fold'
import { createNormalizer } from '@millrace/core/normalize'
import { wires } from '@millrace/core/wire'
import type { Law, Verdict } from './law.ts'
import { entriesOf } from './runs.ts'

/** One character or sequence, which is repeated up to a size. */
export interface HostileText {
  readonly name: string
  readonly sequence: string
}

const CHARACTERS = [...'\n\r \t`<>*_[](){}"\'\\#-|~:=!&/\0\u0001\u0301\u2028\ufeff', '\ud800', '\udc00']
const SEQUENCES = [
  ...[
    '\r\n',
    '- ',
    '> ',
    '1. ',
    '[a](',
    '![',
    '```\n',
    '~~a',
    '**a',
    '{"a":',
    '\\"',
    '\\u00',
    '{"a":[',
    "{'a':",
    '../',
  ],
  ...[
    '<think>',
    '</think>',
    '<think',
    'import ',
    'from ',
    '\nimport',
    'Error',
    'AError ',
    '```python\n',
    'Final answer:',
  ],
  ...[
    'data:',
    'data:;',
    'https://',
    '&amp;',
    '$$',
    '[^a]:',
    '| - ',
    '\u001b[31m',
    'a\u0301',
    '\u{1f469}\u200d',
    '__proto__',
  ],
]

/** Texts of agents, deliberate or not, that are hard for programs which search for structure in them. */
export const hostileTexts: readonly HostileText[] = [...CHARACTERS, ...SEQUENCES].map((sequence) => ({
  name: `many ${JSON.stringify(sequence)}`,
  sequence,
}))

/** The number of deltas of a streamed text: work that is repeated for each delta becomes measurable. */
const DELTAS = 100

/** Position of a text in an agent's output → the events of a message with the text there. */
const eventsByPosition: { readonly [position: string]: (text: string) => readonly StreamEvent[] } = {
  text: (text) => block('text', [text]),
  'streamed text': (text) => block('text', deltasOf(text)),
  reasoning: (text) => block('reasoning', [text]),
  'tool input': (text) => call('search', { text }, ''),
  'streamed tool input': (text) => [
    { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' },
    ...deltasOf(text).map((delta): StreamEvent => ({ type: 'tool-input-delta', callId: 'c', text: delta })),
  ],
  code: (text) => call('python', { code: text }, ''),
  'tool output': (text) => call('search', {}, text),
  'an error of a tool': (text) => [
    { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input: {} },
    { type: 'tool-output', callId: 'c', output: text, status: 'error', error: text },
  ],
  'a name of a tool': (text) => call(text, {}, ''),
  status: (text) => [{ type: 'status', message: text, level: 'info' }],
  error: (text) => [{ type: 'error', message: text }],
  data: (text) => [{ type: 'data', name: 'note', data: text }],
}

function block(kind: 'text' | 'reasoning', deltas: readonly string[]): readonly StreamEvent[] {
  return [
    { type: 'block-start', blockId: 'b', kind },
    ...deltas.map((text): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })),
    { type: 'block-end', blockId: 'b' },
  ]
}

function call(name: string, input: { readonly [field: string]: string }, output: string): readonly StreamEvent[] {
  return [
    { type: 'tool-start', callId: 'c', name, runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input },
    { type: 'tool-output', callId: 'c', output, status: 'ok' },
  ]
}

function deltasOf(text: string): readonly string[] {
  const size = Math.ceil(text.length / DELTAS)
  return Array.from({ length: DELTAS }, (_, index) => text.slice(index * size, (index + 1) * size))
}

type Consume = (entries: readonly Entry[]) => unknown

/** The consumers of a run: the views of the fold, and every wire in every profile. */
const consumers: { readonly [name: string]: Consume } = {
  'the fold': (entries) => JSON.stringify(fold(entries)),
  blocks: (entries) => fold(entries).chatEvents.map(({ segments }) => [blocksOf(segments), groupedBlocksOf(segments)]),
  'the timeline': (entries) => timelineOf(fold(entries).chatEvents),
  panes: (entries) => panesOf(fold(entries).chatEvents),
  'the row of a message': (entries) => partsOfRow(messageRow(entries)),
  ...Object.fromEntries(
    Object.entries(wires).flatMap(([wireName, wire]) =>
      [undefined, ...wire.profiles].map((profile): [string, Consume] => [
        `the wire ${wireName}${profile === undefined ? '' : `, ${profile}`}`,
        (entries) => {
          const wireState = wire.create({ runId: 'r', threadId: 't', ...(profile !== undefined && { profile }) })
          return entries.map((entry) => JSON.stringify(wireState.push(entry)))
        },
      ]),
    ),
  ),
}

function normalized(events: readonly StreamEvent[]): readonly Entry[] {
  const out: StreamEvent[] = []
  const normalizer = createNormalizer((event) => out.push(event))
  normalizer.push({ type: 'run-start' })
  normalizer.push({ type: 'message-start', messageId: 'm', role: 'assistant' })
  for (const event of events) normalizer.push(event)
  normalizer.end()
  return entriesOf(out)
}

/** A text of `GROWTH` times the size may take `MOST_GROWTH` times as long; quadratic work takes 64 times as long. */
const GROWTH = 8
const MOST_GROWTH = 32
/** Below this, in ms, the measurement shows nothing about growth; quadratic work is far above it. */
const MEASURABLE = 100
const TRIES = 5

export const hostileTextLaw: Law<HostileText> = {
  promise: 'takes linear time for any text at any position',
  *check({ sequence }, { hostileText: size }) {
    const textOf = (length: number) => sequence.repeat(Math.ceil(length / sequence.length))
    for (const [position, eventsOf] of Object.entries(eventsByPosition)) {
      const [small, large] = [eventsOf(textOf(size / GROWTH)), eventsOf(textOf(size))]
      yield growthOf(`${position}, normalized`, normalized, small, large)
      const [few, many] = [normalized(small), normalized(large)]
      for (const [name, consume] of Object.entries(consumers))
        yield growthOf(`${position}, ${name}`, consume, few, many)
    }
  },
}

/** The shortest of several times counts: a pause of the machine or of the garbage collector is not growth. */
function growthOf<Input>(what: string, act: (input: Input) => unknown, small: Input, large: Input): Verdict {
  let time = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES; tries++) {
    time = Math.min(
      time,
      timeOf(() => act(large)),
    )
    if (time < MEASURABLE) return undefined
  }
  const eighth = timeOf(() => act(small))
  if (time <= eighth * MOST_GROWTH) return undefined
  return `${what}: ${time.toFixed(0)} ms, but ${eighth.toFixed(0)} ms for an eighth of it`
}

function timeOf(act: () => unknown): number {
  const start = performance.now()
  act()
  return performance.now() - start
}
