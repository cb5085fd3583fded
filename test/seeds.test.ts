import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fold, type Segment } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { getWire, wires } from '@millrace/core/wire'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const segmentsIn = (format: keyof typeof parsers, values: readonly object[]): readonly Segment[] => {
  const records = values.map((value) => ({ value, text: JSON.stringify(value) }))
  return fold(entriesOf(eventsOf(parsers[format], records as never))).chatEvents.flatMap(({ segments }) => segments)
}

/** What a person sees of segments: no ids, times and positions. */
const pictureOf = (segments: readonly Segment[]) =>
  JSON.parse(
    JSON.stringify(segments, (key, value) =>
      ['id', 'callId', 'seqs', 'startedAt', 'endedAt', 'meta', 'runBy', 'inputText'].includes(key) ? undefined : value,
    ),
  )

describe('the two stages', () => {
  it('S0-1: a parser gives events and no frames, and a wire makes nothing of a raw record', () => {
    const scenario = fixturesOf('anthropic-messages').find(({ name }) => name.includes('/scenario.'))
    const events = eventsOf(parsers['anthropic-messages'], scenario?.records ?? [])
    expect(events.length).toBeGreaterThan(10)
    expect(events.filter((event) => JSON.stringify(event).includes('data: '))).toEqual([])
    const raw = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a raw word' } }
    for (const name of Object.keys(wires).filter((each) => each !== 'native')) {
      const state = getWire(name).create({ runId: 'r', threadId: 't' })
      const push = () => state.push({ seq: 1, at: 0, event: raw as never, rawThrough: 1 })
      const sent = attempt(push)
      expect(JSON.stringify(sent), name).not.toContain('a raw word')
    }
  })
})

function attempt(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return String(error)
  }
}

describe('one shape', () => {
  it('S3-2: a response that was not streamed has the same segments as one that was', () => {
    const choice = { role: 'assistant', content: 'At 06:12.' }
    const whole = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: choice, finish_reason: 'stop' }],
    }
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const streamed = [chunk({ role: 'assistant', content: 'At ' }), chunk({ content: '06:12.' }), chunk({}, 'stop')]
    const [one, other] = [segmentsIn('openai-chat', [whole]), segmentsIn('openai-chat', streamed)]
    expect(pictureOf(one)).toEqual(pictureOf(other))
    expect(one).toHaveLength(1)

    const content = [
      { type: 'text', text: 'I ask.' },
      { type: 'tool_use', id: 't1', name: 'get_tide', input: { harbour: 'Millport' } },
    ]
    const message = {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
    }
    const blocks = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I ask.' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't1', name: 'get_tide', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"harbour":"Millport"}' },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]
    expect(pictureOf(segmentsIn('anthropic-messages', [message]))).toEqual(
      pictureOf(segmentsIn('anthropic-messages', blocks)),
    )
  })

  it('S3-38: a result that comes within its call, and one that comes on its own, are the same', () => {
    const event = { id: 'e', role: 'assistant', segments: [], ts: 1 }
    const begin = { type: 'event_start', data: { event } }
    const ends = [{ type: 'message_final', event }, { type: 'complete' }]
    const [name, args, output] = ['get_tide', { harbour: 'Millport' }, { high: '06:12' }]
    const apart = [
      begin,
      { type: 'tool_start', tool_id: 'c', tool_name: name },
      { type: 'tool_finalized', tool_id: 'c', args },
      { type: 'tool_result', tool_id: 'c', output },
      ...ends,
    ]
    const within = [
      begin,
      { type: 'mcp_tool_start', tool_id: 'c', tool_name: name },
      { type: 'mcp_tool_finalized', tool_id: 'c', arguments: JSON.stringify(args) },
      { type: 'mcp_tool_complete', tool_id: 'c', output },
      ...ends,
    ]
    const asSegments = [
      begin,
      ...[
        { type: 'tool_call', id: 'c', name, args },
        { type: 'tool_result', id: 'c', output },
      ].map((segment, segmentIndex) => ({ type: 'segment', data: { segment, segmentIndex, event: { id: 'e' } } })),
      ...ends,
    ]
    const pictures = [apart, within, asSegments].map((frames) => pictureOf(segmentsIn('event-segments', frames)))
    expect(pictures[0]).toMatchObject([{ type: 'tool', name, input: args, output, state: 'done' }])
    expect(pictures[1]).toEqual(pictures[0])
    expect(pictures[2]).toEqual(pictures[0])
  })
})

describe('one code path', () => {
  const views = globSync('packages/react/src/**/*.tsx', { cwd: root })
  const sourceOf = (file: string) => readFileSync(`${root}${file}`, 'utf8')

  it('S3-8: where thoughts stand is decided by the fold: no view sorts, and one draws them', () => {
    expect(views.filter((file) => /\.(?:sort|toSorted)\(/.test(sourceOf(file)))).toEqual([])
    const drawers = views.filter((file) => /className="mr-thinking|mr-thinking \$|`mr-thinking/.test(sourceOf(file)))
    expect(drawers.map((file) => file.split('/').at(-1))).toEqual(['thinking.tsx'])
  })

  it('S3-41, S3-49: the client has chat events from the fold only; what wakes it has none', () => {
    const client = globSync('packages/core/src/client/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
    const makers = client.filter((file) => /\bcreateFold\b|\bcreateJoin\b/.test(sourceOf(file)))
    expect(makers.length).toBeGreaterThan(0)
    const bus = globSync('packages/server/src/bus/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
    expect(bus.length).toBeGreaterThan(0)
    expect(bus.filter((file) => /\b(?:ChatEvent|Segment|createFold)\b/.test(sourceOf(file)))).toEqual([])
  })
})
