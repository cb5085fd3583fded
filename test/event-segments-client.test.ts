import type { StreamEvent } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import { recordOf } from '@millrace/core/source/source'
import { eventSegments } from '@millrace/core/wire/event-segments'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Run } from '@millrace/testkit/fold-laws'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { same } from '@millrace/testkit/verdicts'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient } from '../proofs/wires/readers/event-segments.ts'
import { pictureOf } from './round-trip/picture.ts'

const runs: readonly Run[] = [
  ...Object.entries(parsers).flatMap(([name, parser]) =>
    fixturesOf(name).map(({ name, records }) => ({ name, entries: entriesOf(eventsOf(parser, records)) })),
  ),
  waitingRun,
  ...generatedRuns(40, 7),
]

/** The chunks of each entry, in one form. */
function chunksOf({ entries }: Run, profile?: string): readonly (readonly Chunk[])[] {
  const wireState = eventSegments.create({
    runId: 'run',
    threadId: 'thread',
    ...(profile !== undefined && { profile }),
  })
  return entries.map((entry) => wireState.push(entry))
}

/** The chunks of each entry in both forms; a chunk that both have is sent once. */
function bothOf(run: Run): readonly (readonly Chunk[])[] {
  const other = chunksOf(run, 'tools')
  return chunksOf(run).map((chunks, index) => {
    const sent = new Set(chunks.map((chunk) => JSON.stringify(chunk)))
    return [...chunks, ...(other[index] ?? []).filter((chunk) => !sent.has(JSON.stringify(chunk)))]
  })
}

/** What a client holds at the end, without the numbers of its own entries. */
function heldAfter(chunks: readonly Chunk[], options?: ClientOptions): unknown {
  const client = createClient(options)
  for (const chunk of chunks) client.push(chunk)
  client.end()
  return JSON.parse(JSON.stringify(client.events(), (key, value) => (key === 'seqs' ? undefined : value)))
}

function recordsOf(chunks: readonly Chunk[]) {
  return chunks.map((chunk) => recordOf(JSON.stringify(chunk)))
}

describe('both forms', () => {
  it.each(runs)('S3-46: segments and tool events give a client the same Events: $name', (run) => {
    const held = heldAfter(chunksOf(run).flat())
    expect(heldAfter(chunksOf(run, 'tools').flat())).toEqual(held)
  })

  it.each(runs)('S3-46: together they give a client nothing twice: $name', (run) => {
    expect(heldAfter(bothOf(run).flat())).toEqual(heldAfter(chunksOf(run).flat()))
  })

  it.each(runs)('S3-46: are read back to the same run, each alone and both together: $name', (run) => {
    const pictures = [chunksOf(run), chunksOf(run, 'tools'), bothOf(run)].map((chunks) =>
      pictureOf(entriesOf(eventsOf(parsers['event-segments'], recordsOf(chunks.flat()))), {}),
    )
    expect(same(pictures[1], pictures[0], 'by events of their own')).toBeUndefined()
    expect(same(pictures[2], pictures[0], 'by both')).toBeUndefined()
  })
})

const twoMessages: StreamEvent[] = [
  { type: 'run-start' },
  ...['m', 'n'].flatMap((messageId): StreamEvent[] => [
    { type: 'message-start', messageId, role: 'assistant' },
    { type: 'block-start', blockId: `${messageId}-t`, kind: 'text' },
    { type: 'block-delta', blockId: `${messageId}-t`, text: 'Good ' },
    { type: 'block-delta', blockId: `${messageId}-t`, text: 'morning' },
    { type: 'block-end', blockId: `${messageId}-t` },
    { type: 'tool-start', callId: `${messageId}-c`, name: 'get_tide', runBy: 'agent' },
    { type: 'tool-input', callId: `${messageId}-c`, input: { days: 2 } },
    { type: 'tool-output', callId: `${messageId}-c`, status: 'ok', output: 'high' },
    { type: 'message-end', messageId },
  ]),
  { type: 'run-end', outcome: 'success' },
]
const stream = chunksOf({ name: 'turns', entries: entriesOf(twoMessages) }).flat()
const textsIn = (store: Map<string, ChatEvent>) =>
  [...store].map(([id, { segments }]): [string, string[]] => [
    id,
    segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])),
  ])
const twoTexts = [
  ['run/m', ['Good morning']],
  ['run/n', ['Good morning']],
]

describe('messages that overlap', () => {
  /** A user message overlaps with the assistant's, and a second message begins before the first has ended. */
  const deltas = (blockId: string, ...pieces: readonly string[]) =>
    pieces.map((text): StreamEvent => ({ type: 'block-delta', blockId, text }))
  const begun = (messageId: string, role: 'user' | 'assistant'): StreamEvent[] => [
    { type: 'message-start', messageId, role },
    { type: 'block-start', blockId: `${messageId}-t`, kind: 'text', messageId },
  ]
  const ended = (messageId: string): StreamEvent[] => [
    { type: 'block-end', blockId: `${messageId}-t` },
    { type: 'message-end', messageId },
  ]
  const entries = entriesOf([
    { type: 'run-start' },
    ...begun('a', 'assistant'),
    ...deltas('a-t', 'Leave '),
    ...begun('u', 'user'),
    ...deltas('u-t', 'And '),
    ...deltas('a-t', 'at '),
    ...deltas('u-t', 'the wind?'),
    ...begun('b', 'assistant'),
    ...deltas('a-t', 'six.'),
    ...deltas('b-t', 'The wind '),
    ...ended('u'),
    ...deltas('b-t', 'is low.'),
    ...ended('b'),
    ...ended('a'),
    { type: 'run-end', outcome: 'success' },
  ])

  it.each([undefined, 'tools'])('are kept apart by a client and by our parser, profile %s', (profile) => {
    const chunks = chunksOf({ name: 'overlap', entries }, profile).flat()
    const store = new Map<string, ChatEvent>()
    heldAfter(chunks, { store })
    expect(new Map(textsIn(store))).toEqual(
      new Map([
        ['run/a', ['Leave at six.']],
        ['run/u', ['And the wind?']],
        ['run/b', ['The wind is low.']],
      ]),
    )
    const back = entriesOf(eventsOf(parsers['event-segments'], recordsOf(chunks)))
    expect(same(pictureOf(back, {}), pictureOf(entries, {}), 'read back')).toBeUndefined()
  })
})

describe('replays', () => {
  it('S3-44: a stream that comes twice leaves as many Events as one that comes once, under the ids of the server', () => {
    const store = new Map<string, ChatEvent>()
    heldAfter(stream, { store })
    expect(textsIn(store)).toEqual(twoTexts)
    const once = JSON.stringify([...store])
    heldAfter(stream, { store })
    expect(JSON.stringify([...store])).toBe(once)
  })

  it('S3-44: a client that is cut off anywhere and reads from the start again holds every Event once', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const store = new Map<string, ChatEvent>()
      heldAfter([...stream.slice(0, cut), ...stream], { store })
      expect(textsIn(store).toSorted()).toEqual(twoTexts)
    }
  })

  it('S3-44: an id that the client has preallocated is kept', () => {
    const store = new Map<string, ChatEvent>()
    heldAfter(stream, { store, placeholderEventId: 'mine' })
    expect([...store.keys()]).toEqual(['mine', 'run/n'])
    expect(store.get('mine')?.meta).toEqual({ millrace: { givenId: 'run/m' } })
  })

  it('S3-44: what is read from a stream that comes twice is read once, cut anywhere', () => {
    const read = (chunks: readonly Chunk[]) => eventsOf(parsers['event-segments'], recordsOf(chunks))
    for (let cut = 1; cut <= stream.length; cut++) {
      expect(read([...stream.slice(0, cut), ...stream])).toEqual(read(stream))
    }
  })
})

describe('names', () => {
  const named: readonly [string, object, object][] = [
    ['token', { content: 'Hi' }, { type: 'text', text: 'Hi' }],
    ['segment', { segment: { type: 'text', id: 't', text: 'Hi' } }, { type: 'text', text: 'Hi' }],
    ['tool_start', { tool_id: 'c', tool_name: 'tide' }, { name: 'tide', state: 'input' }],
    ['tool_finalized', { tool_id: 'c', args: { a: 1 } }, { input: { a: 1 } }],
    ['tool_result', { tool_id: 'c', output: 'six' }, { output: 'six', state: 'done' }],
    ['mcp_tool_complete', { tool_id: 'c', error: 'no' }, { error: 'no', state: 'failed' }],
    ['reasoning_summary_text_delta', { delta: 'Hm', sequence_number: 1 }, { type: 'reasoning', text: 'Hm' }],
    ['web_search_call_searching', { item_id: 'w' }, { name: 'web_search', state: 'running' }],
    ['code_interpreter_call_completed', { item_id: 'k' }, { name: 'code_interpreter', state: 'done' }],
    ['code_interpreter_call_code_done', { item_id: 'k', code: 'x' }, { input: { code: 'x' } }],
  ]

  it.each(named)(
    'S3-45: a client takes %s, after an Event that `event` or `event_start` began',
    (type, fields, segment) => {
      for (const start of ['event', 'event_start']) {
        const client = createClient()
        client.push({ type: start, event: { id: 'e', role: 'assistant', segments: [] } })
        client.push({ type, ...fields } as Chunk)
        expect(client.events()).toMatchObject([{ id: 'e', state: 'live', segments: [segment] }])
      }
    },
  )
})
