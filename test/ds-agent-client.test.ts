import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { dsAgentMessages, readDsAgent } from '../proofs/wires/readers/ds-agent.ts'
import type { DsAgentMessage } from '../proofs/wires/readers/ds-agent-shape.ts'
import { streamedRun } from './ds-agent-records.ts'

const run = dsAgentMessages(eventsOf(parsers.smolagents, streamedRun))
const client = readDsAgent(run)
const contentsOf = (messages: readonly DsAgentMessage[]) => messages.map(({ content }) => content)
const streamOf = (type: string) =>
  run.filter(({ metadata }) => metadata.message_type === type && metadata.stream_id !== undefined)

describe('a client of the messages', () => {
  it('S2-23: shows plans, thoughts, badges, headers and the answer in the chat', () => {
    expect(client.pane('chat').map(({ metadata }) => metadata.message_type)).toEqual([
      ...['planning_header', 'planning_content', 'planning_footer', 'separator'],
      ...['action_header', 'action_thought', 'tool_call', 'action_footer', 'separator'],
      ...['action_header', 'action_thought', 'tool_call', 'tool_invocation', 'action_footer', 'separator'],
      'final_answer',
    ])
  })

  it('S2-24: shows code in the web IDE, bare for its editor', () => {
    expect(client.pane('webide')).toMatchObject([
      { metadata: { language: 'python', code: 'total = 6 + 12\nprint(total)' } },
    ])
  })

  it('S2-25: shows the outputs of tools in the terminal', () => {
    expect(contentsOf(client.pane('terminal'))).toEqual([
      'Execution logs:\n18\nLast output from code snippet:\nNone',
      'High water at 06:12.\nHigh water at 18:40.',
    ])
  })

  it('S2-36, S2-39: draws a badge for a plan without text, and the number of a step', () => {
    const badges = client.messages().filter(({ metadata }) => String(metadata.message_type).endsWith('_header'))
    const labels = badges.map(({ content, metadata }) => content || `${metadata.planning_type} plan`)
    expect(labels).toEqual(['initial plan', 'Step 1', 'Step 2'])
  })

  it('S2-37: has the plan as its markdown', () => {
    const plans = client.messages().filter(({ metadata }) => metadata.message_type === 'planning_content')
    expect(contentsOf(plans)).toEqual(['1. Add up.\n2. Look it up.'])
  })

  it.each(['planning_content', 'action_thought'])('S2-12, S2-35: ends a %s with the text of its deltas', (type) => {
    const ids = new Set(streamOf(type).map(({ message_id }) => message_id))
    expect(ids.size).toBeGreaterThan(0)
    for (const id of ids) {
      const phases = run.filter(({ message_id }) => message_id === id)
      const pieces = phases.filter(({ metadata }) => metadata.is_delta === true)
      expect(new Set(phases.map(({ metadata }) => metadata.stream_id)).size).toBe(1)
      expect(contentsOf(pieces).join('')).toBe(phases.at(-1)?.content)
    }
  })

  it('keeps two runs of a session apart, whose steps have the same numbers', () => {
    const turn: StreamEvent[] = [
      { type: 'run-start' },
      { type: 'block-start', blockId: 'b', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'b', text: 'one ' },
      { type: 'block-delta', blockId: 'b', text: 'two' },
      { type: 'block-end', blockId: 'b' },
      { type: 'run-end', outcome: 'success' },
    ]
    const idsOf = (runId: string) => new Set(dsAgentMessages(turn, { runId }).map(({ message_id }) => message_id))
    const second = idsOf('second')
    expect([...idsOf('first')].filter((id) => second.has(id))).toEqual([])
  })

  it('ends with the same content if its deltas are cumulative', () => {
    const messages = dsAgentMessages(eventsOf(parsers.smolagents, streamedRun), { profile: 'cumulative' })
    expect(contentsOf(readDsAgent(messages, true).messages())).toEqual(contentsOf(client.messages()))
  })

  it('takes only the last message for the answer', () => {
    const answers = run.filter(({ metadata }) => metadata.message_type === 'final_answer')
    expect(answers).toEqual([run.at(-1)])
  })
})

describe('the messages of every recording', () => {
  const recordings = Object.entries(parsers).flatMap(([name, parser]) =>
    fixturesOf(name).map(({ records }) => dsAgentMessages(eventsOf(parser, records))),
  )
  const all = recordings.flat()
  const seen = (field: string) => new Set(all.map(({ metadata }) => metadata[field]))

  it('S2-13, S2-14, S2-15, S2-21, S2-22, S2-32: have the shape of the protocol, each and one after another', () => {
    // A field that is not in the tables of the shape is refused.
    for (const messages of recordings) expect(() => readDsAgent(messages)).not.toThrow()
    expect(seen('component')).toEqual(new Set(['chat', 'webide', 'terminal']))
    expect(seen('status')).toEqual(new Set(['streaming', 'done']))
    expect(seen('error')).toEqual(new Set([undefined, true, false]))
    expect(seen('step_type')).toEqual(new Set([undefined, 'planning', 'action', 'final_answer']))
  })

  it('X30: leave a client with the same content if deltas are cumulative', () => {
    for (const [name, parser] of Object.entries(parsers)) {
      for (const { records } of fixturesOf(name)) {
        const events = eventsOf(parser, records)
        const cumulative = readDsAgent(dsAgentMessages(events, { profile: 'cumulative' }), true)
        expect(contentsOf(cumulative.messages())).toEqual(contentsOf(readDsAgent(dsAgentMessages(events)).messages()))
      }
    }
  })

  it('S2-14: are of every type', () => {
    expect(seen('message_type').size).toBe(13)
  })

  it('S2-15: have their step in the metadata and beside it', () => {
    const steps = all.filter(({ metadata }) => metadata.step_type !== undefined)
    expect(steps.length).toBeGreaterThan(1000)
    expect(steps.every(({ metadata, step_number }) => metadata.step_number === step_number)).toBe(true)
  })

  it('S2-17, S2-18: name tools, and show no more than sixty characters of a thought', () => {
    const tools = all.filter(({ metadata }) => /^tool_|observation/.test(String(metadata.message_type)))
    expect(tools.every(({ metadata }) => typeof metadata.tool_name === 'string')).toBe(true)
    const shown = all.flatMap(({ metadata }) =>
      typeof metadata.thoughts_content === 'string' ? [metadata.thoughts_content] : [],
    )
    expect(Math.max(...shown.map((text) => [...text].length))).toBe(60)
  })

  it('S2-41, S2-42: have a badge and an invocation for every call', () => {
    for (const messages of recordings) {
      const idsOf = (type: string) =>
        readDsAgent(messages)
          .messages()
          .flatMap(({ metadata }) => (metadata.message_type === type ? [metadata.tool_id] : []))
      expect(idsOf('tool_invocation').toSorted()).toEqual(idsOf('tool_call').toSorted())
      expect(idsOf('tool_call')).toEqual(expect.arrayContaining(idsOf('observation')))
    }
  })
})

describe('a client refuses', () => {
  const [initial, delta, , whole] = streamOf('planning_content') as [
    DsAgentMessage,
    DsAgentMessage,
    DsAgentMessage,
    DsAgentMessage,
  ]
  const withMetadata = (message: DsAgentMessage, metadata: object) => ({
    ...message,
    metadata: { ...message.metadata, ...metadata },
  })

  it.each<[string, readonly object[]]>([
    ['a delta of nothing', [delta]],
    ['a delta after the end', [initial, whole, delta]],
    ['two beginnings', [initial, initial]],
    ['two ends', [initial, delta, whole, whole]],
    ['an end of nothing', [whole]],
    ['a stream that is left open', [initial, delta]],
    ['a beginning with words', [{ ...initial, content: 'x' }]],
    ['a stream id that is another message’s', [initial, whole, { ...initial, message_id: 'other' }]],
    ['another component', [withMetadata(run[0] as DsAgentMessage, { component: 'sidebar' })]],
    ['a pane that the message does not belong to', [withMetadata(run[0] as DsAgentMessage, { component: 'terminal' })]],
    ['another status', [withMetadata(run[0] as DsAgentMessage, { status: 'busy' })]],
    ['an error that is an object', [withMetadata(run[0] as DsAgentMessage, { error: { type: 'x' } })]],
    ['a field that nobody knows', [withMetadata(run[0] as DsAgentMessage, { colour: 'red' })]],
    ['a message without a time', [{ ...run[0], timestamp: 'now' }]],
    ['a frame that is no message', [{ type: 'pong' }]],
  ])('%s', (_case, messages) => {
    expect(() => readDsAgent(messages)).toThrow()
  })
})
