import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ofType, parserOf, pushed, recordsIn, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { anthropicMessages } from './anthropic-messages.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/anthropic-messages')

/** The events of the reader for a fixture. */
const read = (file: string) => through(createReader(anthropicMessages), recordsIn(readFileSync(join(FIXTURES, file))))

/** The events of the parser alone for these values, without an end. */
const parse = (...values: readonly unknown[]) => pushed(parserOf(anthropicMessages), recordsOf(values))

const textOf = (events: readonly StreamEvent[], blockId: string) =>
  ofType(events, 'block-delta')
    .filter((event) => event.blockId === blockId)
    .map((event) => event.text)
    .join('')

const start = { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' } }
const stop = { type: 'message_stop' }
const begin = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields })

describe('a run and its messages', () => {
  it('S0-8: S0-36: starts the run once, first, and the message with it', () => {
    const events = read('agent-loop.jsonl')
    expect(events.slice(0, 3)).toEqual([
      { type: 'run-start', model: 'claude-sonnet-4-5' },
      { type: 'message-start', messageId: 'msg_turn_1', role: 'assistant', model: 'claude-sonnet-4-5' },
      { type: 'step-start', kind: 'model' },
    ])
    expect(ofType(events, 'run-start')).toHaveLength(1)
  })

  it('S0-9: ends the run once, last', () => {
    for (const file of ['plain-text.sse', 'agent-loop.jsonl', 'error-mid-stream.sse']) {
      const events = read(file)
      expect(ofType(events, 'run-end')).toEqual([events.at(-1)])
    }
  })

  it('S0-46: ends step and message at message_stop, and the run only at the end of the stream', () => {
    const types = read('agent-loop.jsonl').map((event) => event.type)
    expect(types.filter((type) => type === 'message-end')).toHaveLength(2)
    expect(types.indexOf('run-end')).toBe(types.length - 1)
    expect(read('plain-text.sse').slice(-3)).toEqual([
      { type: 'step-end', reason: 'end_turn' },
      { type: 'message-end', messageId: 'msg_plain' },
      { type: 'run-end', outcome: 'success', reason: 'end_turn' },
    ])
  })

  it('awaits input if the model stopped for tools that the caller runs', () => {
    expect(read('thinking-tool.jsonl').at(-1)).toEqual({
      type: 'run-end',
      outcome: 'awaiting-input',
      reason: 'tool_use',
    })
  })

  it('returns no end if there was no message or if the message did not stop', () => {
    expect(anthropicMessages.create().end()).toEqual([])
    const parser = anthropicMessages.create()
    parser.push(start, recordOf('{}'))
    expect(parser.end()).toEqual([])
  })

  it('ends an open message before the next one and gives the blocks of equal message ids distinct ids', () => {
    const events = read('spliced.jsonl')
    expect(ofType(events, 'message-end')).toHaveLength(3)
    expect(ofType(events, 'block-start').map((event) => event.blockId)).toEqual(['msg_same:0', 'msg_same#3:0'])
    expect(textOf(events, 'msg_same#3:0')).toBe('Second try.')
  })

  it('reads the content of a message_start', () => {
    expect(ofType(read('spliced.jsonl'), 'tool-input')).toEqual([
      { type: 'tool-input', callId: 'toolu_ready', input: { sack: 5 } },
    ])
  })

  it('reads a whole response as if it had been streamed', () => {
    const events = read('whole-message.jsonl')
    expect(textOf(events, 'msg_whole:0')).toBe('Count the sacks.')
    expect(textOf(events, 'msg_whole:1')).toBe('There are four; I check.')
    expect(ofType(events, 'block-patch')).toMatchObject([
      { signature: 'd2hvbGU=' },
      { citations: [{ cited_text: 'four sacks' }] },
    ])
    expect(ofType(events, 'tool-input').map((event) => event.input)).toEqual([{ barn: 'north' }, {}])
    expect(events.at(-1)).toMatchObject({ outcome: 'awaiting-input' })
  })

  it('keeps the refusal of a model and its details', () => {
    const events = read('refusal.jsonl')
    expect(ofType(events, 'metadata')).toMatchObject([{ metadata: { stop_details: { category: 'sabotage' } } }])
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success', reason: 'refusal' })
  })

  it('awaits no input if every call has its result', () => {
    const parser = anthropicMessages.create()
    const call = begin(0, { type: 'server_tool_use', id: 'call', name: 'web_search', input: {} })
    const result = begin(1, { type: 'web_search_tool_result', tool_use_id: 'call', content: [] })
    const reason = { type: 'message_delta', delta: { stop_reason: 'tool_use' } }
    const more = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 2 } }
    for (const value of [start, call, result, reason, more, stop]) parser.push(value, recordOf('{}'))
    expect(parser.end()).toEqual([{ type: 'run-end', outcome: 'success', reason: 'tool_use' }])
  })

  it('does not await input after a pause', () => {
    const parser = anthropicMessages.create()
    const call = begin(0, { type: 'server_tool_use', id: 'call', name: 'web_search', input: {} })
    const pause = { type: 'message_delta', delta: { stop_reason: 'pause_turn' } }
    for (const value of [start, call, pause, stop]) parser.push(value, recordOf('{}'))
    expect(parser.end()).toEqual([{ type: 'run-end', outcome: 'success', reason: 'pause_turn' }])
  })
})

describe('errors', () => {
  it('S0-10: S0-47: ends the run with the error of the stream', () => {
    const events = read('error-mid-stream.sse')
    expect(textOf(events, 'msg_broken:0')).toBe('The stone is')
    expect(events.at(-1)).toEqual({
      type: 'run-end',
      outcome: 'error',
      error: { message: 'Overloaded', code: 'overloaded_error' },
      meta: { anthropic: { request_id: 'req_7' } },
    })
  })

  it('S0-10: states that an error occurred if the stream gives no message', () => {
    for (const value of [{ type: 'error' }, { type: 'error', error: { type: 'api_error' } }]) {
      expect(parse(value)).toMatchObject([{ outcome: 'error', error: { message: 'An error occurred' } }])
    }
  })

  it('is not a success if an error came before the stop', () => {
    const parser = anthropicMessages.create()
    for (const value of [start, { type: 'error' }, stop]) parser.push(value, recordOf('{}'))
    expect(parser.end()).toEqual([])
  })
})

describe('text and thinking', () => {
  it('S0-12: S0-37: starts a text block with an id', () => {
    expect(parse(start, begin(0, { type: 'text', text: '' })).at(-1)).toEqual({
      type: 'block-start',
      blockId: 'msg_1:0',
      kind: 'text',
    })
  })

  it('S0-13: S0-38: returns a text delta unchanged, and no event for an empty one', () => {
    const first = [start, begin(0, { type: 'text', text: '' })]
    expect(parse(...first, delta(0, { type: 'text_delta', text: 'Hello' })).at(-1)).toEqual({
      type: 'block-delta',
      blockId: 'msg_1:0',
      text: 'Hello',
    })
    expect(parse(...first, delta(0, { type: 'text_delta', text: '' }))).toEqual(parse(...first))
  })

  it('returns no event for thinking that is counted but not shown', () => {
    const first = [start, begin(0, { type: 'thinking', thinking: '' })]
    const hidden = delta(0, { type: 'thinking_delta', thinking: '', estimated_tokens: 9 })
    expect(parse(...first, hidden)).toEqual(parse(...first))
  })

  it('S0-39: ends the text block at its stop', () => {
    const ends = ofType(read('plain-text.sse'), 'block-end')
    expect(ends).toEqual([{ type: 'block-end', blockId: 'msg_plain:0' }])
  })

  it('S0-14: S0-40: starts thinking with an id before any of its deltas, and ends it', () => {
    const events = read('thinking-tool.jsonl').filter((event) => 'blockId' in event && event.blockId === 'msg_think:0')
    expect(events[0]).toEqual({ type: 'block-start', blockId: 'msg_think:0', kind: 'reasoning', variant: 'thinking' })
    expect(events.at(-1)).toEqual({ type: 'block-end', blockId: 'msg_think:0' })
  })

  it('S0-15: S0-41: gives thinking with the id of its block, and the signature unchanged', () => {
    const events = read('thinking-tool.jsonl')
    expect(textOf(events, 'msg_think:0')).toBe('The wheel stands still. I should look at the sluice.')
    expect(ofType(events, 'block-patch')).toEqual([
      {
        type: 'block-patch',
        blockId: 'msg_think:0',
        signature: 'c2lnLW9uZQ==',
        meta: { anthropic: { type: 'thinking' } },
      },
    ])
  })

  it('S0-48: distinguishes interleaved blocks by their index', () => {
    const events = read('interleaved.jsonl')
    expect(textOf(events, 'msg_weave:0')).toBe('warp and warp')
    expect(textOf(events, 'msg_weave:1')).toBe('weft and weft')
    expect(ofType(events, 'tool-input')).toEqual([
      { type: 'tool-input', callId: 'toolu_right', input: { side: 'right' } },
      { type: 'tool-input', callId: 'toolu_left', input: { side: 'left' } },
    ])
  })

  it('keeps redacted thinking, and a signature without text', () => {
    const events = read('redacted.jsonl')
    expect(ofType(events, 'block-start').map((event) => event.variant)).toEqual(['redacted', 'thinking', undefined])
    expect(ofType(events, 'block-patch')).toMatchObject([{ encrypted: 'b3BhcXVl' }, { signature: 'b25seQ==' }])
  })

  it('opens the block of a delta whose start was missed', () => {
    const events = parse(
      delta(3, { type: 'thinking_delta', thinking: 'late' }),
      delta(3, { type: 'text_delta', text: '!' }),
    )
    expect(events.map((event) => event.type)).toEqual(['block-start', 'block-delta', 'block-delta'])
  })
})
