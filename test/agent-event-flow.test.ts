import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
import type { Segment } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import { type RawRecord, recordOf } from '@millrace/core/source/source'
import { getWire } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { protocolFields } from '../packages/core/test/wire/agent-event.ts'
import { pictureOf } from './round-trip/picture.ts'

type Protocol = 'agent-event' | 'ai-sdk'

const read = (protocol: Protocol, records: readonly RawRecord[]) => entriesOf(eventsOf(parsers[protocol], records))

function write(protocol: Protocol, entries: readonly Entry[]): Chunk[] {
  const wireState = getWire(protocol).create({ runId: 'run', threadId: 'thread' })
  return entries.flatMap((entry) => wireState.push(entry))
}

const asRecords = (chunks: readonly Chunk[]) => chunks.map((chunk) => recordOf(JSON.stringify(chunk)))

/** The records of a fixture, from AgentEvents to the AI SDK's chunks and back. */
function thereAndBack(records: readonly RawRecord[]) {
  const first = read('agent-event', records)
  const last = read('ai-sdk', asRecords(write('ai-sdk', first)))
  return { first, last, chunks: write('agent-event', last) }
}

function recordsOf(name: string): readonly RawRecord[] {
  const fixture = fixturesOf('agent-event').find((one) => one.name === `agent-event/${name}`)
  if (fixture === undefined) throw new Error(`There is no fixture ${name}.`)
  return fixture.records
}

const toolOf = (segments: readonly Segment[] | undefined) => segments?.find((segment) => segment.type === 'tool')

describe('thought, call, progress, result, thought, answer, final', () => {
  const records = recordsOf('seven-steps.sse')

  it("S1-26: become the AI SDK's chunks and AgentEvents again, word for word", () => {
    const { first, last, chunks } = thereAndBack(records)
    expect(protocolFields(chunks)).toEqual(records.map(({ value }) => value))
    expect(pictureOf(last, {}).messages).toEqual(pictureOf(first, {}).messages)
  })

  it('S1-26: are seven steps of one answer', () => {
    const steps = protocolFields(thereAndBack(records).chunks).map(({ type }) => type)
    const changes = steps.filter((type, index) => type !== steps[index - 1])
    expect(changes).toEqual(['thought', 'tool_call', 'tool_progress', 'tool_result', 'thought', 'stream', 'final'])
  })
})

describe('the progress of a tool', () => {
  const toolProgress = (data: unknown) => [
    { type: 'tool_call', toolName: 'work', toolArgs: '{}' },
    { type: 'tool_progress', toolName: 'work', data },
    { type: 'tool_result', toolName: 'work', output: 'Done.' },
    { type: 'final' },
  ]

  it.each([
    [
      'S1-23',
      'what a command printed',
      { subtype: 'stdout_chunk', content: 'rope.txt\n' },
      { channel: 'stdout', text: 'rope.txt\n' },
    ],
    ['S1-24', 'words', 'The harbour is ', { channel: 'text', text: 'The harbour is ' }],
    ['S1-25', 'how far it is', { subtype: 'transfer_progress', percent: 65 }, { channel: 'data', percent: 65 }],
    ['S1-7', 'nothing', null, { channel: 'data', data: null }],
    [
      'S1-3',
      'data of an unknown kind',
      { knots: [3, { gust: 9 }] },
      { channel: 'data', data: { knots: [3, { gust: 9 }] } },
    ],
  ])('%s: %s survives both ways', (_id, _what, data, shown) => {
    const records = toolProgress(data).map((event) => recordOf(JSON.stringify(event)))
    const first = read('agent-event', records)
    const chunks = write('agent-event', first)
    expect(protocolFields(chunks)).toEqual(toolProgress(data))
    for (const entries of [first, read('agent-event', asRecords(chunks))]) {
      expect(toolOf(fold(entries).chatEvents[0]?.segments)).toMatchObject({ progress: [shown] })
    }
  })
})
