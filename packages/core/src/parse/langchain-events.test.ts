import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ofType, recordsIn, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { getParser } from './index.ts'
import { langchainEvents } from './langchain-events.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/langchain-events')

const read = (file: string, parser = langchainEvents) =>
  through(createReader(parser), recordsIn(readFileSync(join(FIXTURES, file))))

const textOf = (events: readonly StreamEvent[]) => ofType(events, 'block-delta').map(({ text }) => text)

describe('models', () => {
  it('are read as they stream, or at their end if they do not', () => {
    expect(textOf(read('models.jsonl'))).toEqual(['Mil', 'let.', 'Only whole.'])
  })

  it('are emitted once, though chains, parsers and the graph repeat them', () => {
    const events = read('chain.jsonl')
    expect(textOf(events)).toEqual(['Which grain is the oldest here?', 'Emmer is ', 'the oldest.'])
    expect(ofType(events, 'usage')).toMatchObject([{ inputTokens: 44, outputTokens: 6 }])
  })

  it('continue one text, whether it comes in blocks or without', () => {
    const events = read('mixed-text.jsonl')
    expect(ofType(events, 'block-start')).toHaveLength(1)
    expect(textOf(events).join('')).toBe('Seven sacks, and one more.')
  })

  it('inside a tool are an agent of their own', () => {
    const inside = read('model-in-tool.jsonl').filter(({ agentId }) => agentId === 'call_t')
    expect(ofType(inside, 'message-start').map(({ messageId }) => messageId)).toEqual(['run-x4'])
  })
})

describe('messages of the user', () => {
  it('are emitted once, though they get an id, and another one, later', () => {
    const users = ofType(read('constructors.jsonl'), 'message-start').filter(({ role }) => role === 'user')
    expect(users).toHaveLength(1)
  })

  it('are read from the first prompt if no other event has them', () => {
    const [user] = ofType(read('model-in-tool.jsonl'), 'message-start')
    expect(user).toMatchObject({ role: 'user' })
  })
})

describe('tools', () => {
  it('run for the call of their name and input', () => {
    const outputs = ofType(read('scenario.jsonl'), 'tool-output')
    expect(outputs.map(({ callId, status }) => [callId, status])).toEqual([
      ['toolu_tide', 'ok'],
      ['toolu_wind', 'error'],
      ['toolu_todo', 'ok'],
      ['toolu_task', 'ok'],
    ])
  })

  it('without a call are shown by their run', () => {
    const sweeps = ofType(read('models.jsonl'), 'tool-start').filter(({ name }) => name === 'sweep')
    expect(sweeps.map(({ callId }) => callId)).toEqual(['l4', 'l5'])
  })

  it('stream their output as progress', () => {
    expect(ofType(read('models.jsonl'), 'tool-progress').map(({ text, data }) => text ?? data)).toEqual([
      'half of it',
      { part: 2 },
    ])
  })
})

describe('how a run ends', () => {
  it('succeeds with the outermost run, and is interrupted without its end', () => {
    expect(read('scenario.jsonl').at(-1)).toMatchObject({ outcome: 'success' })
    expect(read('cut-off.jsonl').at(-1)).toMatchObject({ outcome: 'interrupted' })
    expect(read('constructors.jsonl').at(-1)).toMatchObject({ outcome: 'awaiting-input' })
  })

  it('fails when the outermost run does, and only then', () => {
    const events = read('failed.jsonl')
    expect(ofType(events, 'error')).toMatchObject([{ message: 'The model is too busy now.' }])
    expect(events.at(-1)).toMatchObject({ outcome: 'error', error: { name: 'RateLimitError' } })
  })
})

describe('the name of the framework', () => {
  it('S0-4: reads events under the name langchain as under their own', () => {
    expect(read('scenario.jsonl', getParser('langchain'))).toEqual(read('scenario.jsonl'))
  })

  it('is recognised by the name of an event and the run that it is of', () => {
    const event = { event: 'on_chain_start', run_id: 'r', data: {} }
    expect(langchainEvents.recognize(recordOf(JSON.stringify(event)))?.certainty).toBe(1)
    expect(langchainEvents.recognize(recordOf('{"event":"on_fire","run_id":"r","data":{}}'))).toBeUndefined()
  })
})
