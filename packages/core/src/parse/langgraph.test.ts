import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ofType, recordsIn, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from '../fold/fold.ts'
import { createReader } from '../read/read.ts'
import { createStamp } from '../read/stamp.ts'
import { recordOf } from '../source/source.ts'
import { getParser } from './index.ts'
import { langgraph } from './langgraph.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/langgraph')

const recordsOfFile = (file: string) => recordsIn(readFileSync(join(FIXTURES, file)))
const read = (file: string, parser = langgraph) => through(createReader(parser), recordsOfFile(file))
const readValues = (values: readonly unknown[], name?: string) =>
  through(createReader(langgraph), recordsOf(values, name))

const textOf = (events: readonly StreamEvent[]) => ofType(events, 'block-delta').map(({ text }) => text)

const message = (id: string, content: string) => ({ type: 'ai', id, content, tool_calls: [] })
const chunk = (id: string, content: string) => ({ ...message(id, content), type: 'AIMessageChunk' })

describe('the shapes of a stream', () => {
  const whole = message('m', 'Ground and sifted.')
  const tuple = [chunk('m', 'Ground and sifted.'), { langgraph_checkpoint_ns: 'agent:1' }]
  const shapes: readonly (readonly [string, unknown, string?])[] = [
    ['a bare state', { messages: [whole] }],
    ['a bare update', { agent: { messages: [whole] } }],
    ['a bare pair of a message and its metadata', tuple],
    ['a mode and its data', ['values', { messages: [whole] }]],
    ['a namespace and its data', [[], tuple]],
    ['a namespace, a mode and its data', [[], 'messages', tuple]],
    ['an envelope', { type: 'updates', ns: [], data: { agent: { messages: [whole] } } }],
    ['an event of a server', tuple, 'messages'],
    ['an event of a server as one record', { event: 'messages/complete', data: [whole] }],
    [
      'an event of the protocol',
      { type: 'event', seq: 1, method: 'values', params: { namespace: [], timestamp: 5, data: { messages: [whole] } } },
    ],
  ]
  for (const [name, value, event] of shapes) {
    it(`reads ${name}`, () => {
      expect(textOf(readValues([value], event))).toEqual(['Ground and sifted.'])
      expect(langgraph.recognize(recordOf(JSON.stringify(value), event))?.certainty).toBeGreaterThan(0.8)
    })
  }

  it('keeps what has none of the shapes', () => {
    expect(ofType(readValues([{ grain: 'rye' }, ['mill', {}], { agent: { flour: 1 } }]), 'raw')).toHaveLength(3)
  })

  it('reads an object without messages as an update if updates came before', () => {
    const events = readValues([{ agent: { messages: [whole] } }, { sieve: { mesh: 3 } }])
    expect(ofType(events, 'state')).toEqual([
      { type: 'state', channel: 'updates|sieve', op: 'snapshot', value: { mesh: 3 } },
    ])
  })
})

describe('what a stream sends twice', () => {
  it('emits a message once that arrives in chunks, in an update and in every state', () => {
    const events = read('scenario.jsonl')
    expect(ofType(events, 'message-start')).toHaveLength(6)
    expect(ofType(events, 'tool-start').map(({ callId }) => callId)).toEqual([
      'toolu_tide',
      'toolu_wind',
      'toolu_todo',
      'toolu_task',
    ])
    expect(ofType(events, 'usage').reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)).toBe(640)
  })

  it('adds what a whole message has beyond its chunks, and adopts what was rewritten', () => {
    expect(textOf(read('rewritten.jsonl')).slice(-2)).toEqual(['Anything ', 'else you want?'])
    expect(ofType(read('rewritten.jsonl'), 'block-patch')).toMatchObject([{ text: 'The mill is owned by [a person].' }])
  })

  it('emits only what is new of a message that is repeated from its beginning each time', () => {
    expect(textOf(read('server-legacy.sse')).slice(1)).toEqual(['The toll', ' is two', ' pence.'])
  })

  it('recognises a message whose id changes while it is streamed', () => {
    expect(ofType(read('messages-only.jsonl'), 'message-start').map(({ messageId }) => messageId)).toEqual([
      'run-01',
      'run-03',
    ])
  })

  it('emits only the changes of a state', () => {
    expect(ofType(read('values-only.jsonl'), 'state').map(({ value }) => value)).toEqual([
      { granary: 'north' },
      [{ op: 'add', path: '/counted', value: 4 }],
      [{ op: 'remove', path: '/granary' }],
    ])
  })

  it('ends the oldest of 256 open messages when another begins', () => {
    const tuples = Array.from({ length: 257 }, (_, at) => [
      chunk(`m${at}`, 'x'),
      { langgraph_checkpoint_ns: `a:${at}` },
    ])
    const reader = createReader(langgraph)
    const ended = recordsOf(tuples).flatMap((record) => ofType(reader.push(record), 'message-end'))
    expect(ended.map(({ messageId }) => messageId)).toEqual(['m0'])
  })

  it('grows with what is new, not with what states repeat', () => {
    const messages = Array.from({ length: 60 }, (_, at) => message(`m${at}`, `Sack number ${at}.`))
    const states = messages.map((_, at) => ({ messages: messages.slice(0, at + 1), rules: 'x'.repeat(1000) }))
    expect(readValues(states).length).toBeLessThan(60 * 7 + 10)
  })
})

describe('graphs inside graphs', () => {
  it('gives each agent its own messages and calls, though they use the same ids', () => {
    const stamp = createStamp()
    const { chatEvents } = fold(read('agents-at-once.jsonl').map((event) => stamp(event, 0)))
    expect(chatEvents.map(({ role }) => role)).toEqual(['assistant', 'assistant'])
    const agents = chatEvents.flatMap(({ segments }) => segments.filter((segment) => segment.type === 'subagent'))
    expect(agents.map(({ callId, segments }) => [callId, segments.map((segment) => segment.type)])).toEqual([
      ['toolu_a', ['text', 'tool']],
      ['toolu_b', ['text', 'tool', 'data', 'data']],
    ])
    expect(agents.map(({ state }) => state)).toEqual(['done', 'failed'])
  })

  it('names the graph of a node by the node, and ends it when the node has written', () => {
    const events = read('node-agent.jsonl')
    expect(ofType(events, 'subagent-start').map(({ name, parentAgentId }) => [name, parentAgentId])).toEqual([
      ['helper', undefined],
      ['deep', 'helper:n1'],
    ])
    expect(ofType(events, 'subagent-end').map(({ agentId }) => agentId)).toEqual(['helper:n1|deep:n3', 'helper:n1'])
  })
})

describe('how a run ends', () => {
  it('awaits an answer for each action of an interrupt, paired with the calls in their order', () => {
    const events = read('approval.jsonl')
    expect(ofType(events, 'approval').map(({ approvalId, callId }) => [approvalId, callId])).toEqual([
      ['int-g:0', 'call_g1'],
      ['int-g:1', 'call_g2'],
    ])
    expect(events.at(-1)).toMatchObject({ outcome: 'awaiting-input' })
    expect(read('approval-answered.jsonl').at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('is interrupted in the middle of a message, failed by an error, and awaits tools that were not run', () => {
    const call = { name: 'grind', args: {}, id: 'c' }
    expect(read('cut-off.jsonl').at(-1)).toMatchObject({ outcome: 'interrupted' })
    expect(read('server.sse').at(-1)).toMatchObject({ outcome: 'error', error: { name: 'GraphRecursionError' } })
    expect(readValues([{ messages: [{ ...message('m', ''), tool_calls: [call] }] }]).at(-1)).toMatchObject({
      outcome: 'awaiting-input',
    })
  })
})

describe('the names of the framework', () => {
  for (const name of ['deepagents', 'langchain']) {
    it(`S0-4: reads a graph under the name ${name} as under its own`, () => {
      expect(read('scenario.jsonl', getParser(name))).toEqual(read('scenario.jsonl'))
    })
  }
})
