import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { openaiResponses } from './openai-responses.ts'

const read = (...values: readonly object[]) => through(createReader(openaiResponses), recordsOf(values))

const created = { type: 'response.created', response: { id: 'resp', object: 'response', model: 'm', output: [] } }
const completed = (output: readonly object[] = [], more: object = {}) => ({
  type: 'response.completed',
  response: { id: 'resp', object: 'response', status: 'completed', model: 'm', output, ...more },
})
const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })
const text = (output_index: number, item_id: string, delta: string) => ({
  type: 'response.output_text.delta',
  output_index,
  item_id,
  content_index: 0,
  delta,
})
const message = (id: string, text: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: text, annotations: [] }],
})
const call = (id: string, call_id: string, argumentsText: string) => ({
  id,
  type: 'function_call',
  call_id,
  name: 'grind',
  arguments: argumentsText,
})
const texts = (events: readonly StreamEvent[]) => ofType(events, 'block-delta').map((event) => event.text)

describe('openai-responses', () => {
  it('finds an item by its index if its id changes in every event', () => {
    const events = read(
      created,
      added(0, message('a', '')),
      text(0, 'b', 'one '),
      text(0, 'c', 'two'),
      done(0, message('d', 'one two')),
      completed([message('e', 'one two')]),
    )
    expect(texts(events)).toEqual(['one ', 'two'])
    expect(ofType(events, 'block-start')).toHaveLength(1)
  })

  it('finds an item by its id if every index is the same', () => {
    const events = read(
      created,
      added(0, message('a', '')),
      added(0, message('b', '')),
      text(0, 'a', 'one'),
      text(0, 'b', 'two'),
      done(0, message('a', 'one')),
      done(0, message('b', 'two')),
      completed(),
    )
    expect(texts(events)).toEqual(['one', 'two'])
    expect(ofType(events, 'block-start')).toHaveLength(2)
  })

  it('reads at the end what was not streamed, and nothing twice', () => {
    const events = read(created, done(0, message('a', 'seen')), completed([message('a', 'seen'), message('b', 'new')]))
    expect(texts(events)).toEqual(['seen', 'new'])
  })

  it('matches the items of an output that omits one, by call and by type', () => {
    const events = read(
      created,
      done(0, { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: 'why' }] }),
      done(1, message('a', 'said')),
      done(2, call('fc', 'call_1', '{}')),
      completed([message('x', 'said'), call('y', 'call_1', '{}')]),
    )
    expect(texts(events)).toEqual(['why', 'said'])
    expect(ofType(events, 'tool-start')).toHaveLength(1)
  })

  it('prefers the whole text over the streamed text', () => {
    const events = read(
      created,
      added(0, message('a', '')),
      text(0, 'a', 'wrng'),
      done(0, message('a', 'right')),
      completed(),
    )
    expect(ofType(events, 'block-patch')).toEqual([{ type: 'block-patch', blockId: 'resp:0:text-0', text: 'right' }])
  })

  it('retracts nothing for an empty whole text', () => {
    const events = read(
      created,
      text(0, 'a', 'kept'),
      { type: 'response.output_text.done', output_index: 0, text: '' },
      completed(),
    )
    expect(texts(events)).toEqual(['kept'])
    expect(ofType(events, 'block-patch')).toEqual([])
  })

  it('distinguishes two outputs of one call id in two responses', () => {
    const output = { id: 'o', type: 'function_call_output', call_id: 'same', output: 'ground' }
    const turn = (id: string) => [
      created,
      done(0, call(id, 'same', '{}')),
      done(1, { ...output, id: `o-${id}` }),
      completed(),
    ]
    const events = read(...turn('fc_1'), ...turn('fc_2'))
    expect(ofType(events, 'tool-output').map(({ callId }) => callId)).toEqual(['same', 'same~2'])
  })

  it('awaits input only if the response was completed', () => {
    const cut = { ...completed(), type: 'response.incomplete' }
    expect(read(created, done(0, call('a', 'call_1', '{}')), completed()).at(-1)).toMatchObject({
      outcome: 'awaiting-input',
    })
    expect(read(created, done(0, call('a', 'call_1', '{"')), cut).at(-1)).toMatchObject({
      outcome: 'success',
      reason: 'incomplete',
    })
  })

  it('counts a stream without its last event as interrupted', () => {
    expect(read(created, done(0, message('a', 'half'))).at(-1)).toEqual({ type: 'run-end', outcome: 'interrupted' })
  })

  it('keeps the message of an error that a failed response repeats without one', () => {
    const failed = { type: 'response.failed', response: { id: 'resp', status: 'failed', error: null } }
    const events = read(created, { type: 'error', code: 'busy', message: 'Too busy.', param: null }, failed)
    expect(events.at(-1)).toMatchObject({ outcome: 'error', error: { message: 'Too busy.', code: 'busy' } })
  })

  it('carries a small file, and the size of a large one', () => {
    const image = (result: string) => ({ id: 'ig', type: 'image_generation_call', status: 'completed', result })
    const [small] = ofType(read(created, done(0, image('AAAA')), completed()), 'file')
    const [large] = ofType(read(created, done(0, image('A'.repeat(70_000))), completed()), 'file')
    expect(small).toMatchObject({ bytes: 'AAAA', mediaType: 'image/png', callId: 'ig' })
    expect(large).not.toHaveProperty('bytes')
    expect(large?.meta).toEqual({ millrace: { size: 52_500 } })
  })

  it('streams an input that is not JSON as the JSON that it becomes', () => {
    const code = { id: 'ci', type: 'code_interpreter_call', code: '', container_id: 'c' }
    const piece = (delta: string) => ({
      type: 'response.code_interpreter_call_code.delta',
      output_index: 0,
      item_id: 'ci',
      delta,
    })
    const events = read(
      created,
      added(0, code),
      piece('a("'),
      piece('\ud83d'),
      piece('\ude00")'),
      done(0, { ...code, code: 'a("😀")' }),
      completed(),
    )
    const streamed = ofType(events, 'tool-input-delta').map((event) => event.text)
    expect(JSON.parse(streamed.join(''))).toEqual({ container_id: 'c', code: 'a("😀")' })
  })

  it('emits the metadata of a response once, and again only what changes', () => {
    const description = { id: 'resp', object: 'response', model: 'm', instructions: 'Be brief.', tools: [{ a: [1] }] }
    const events = read(
      { type: 'response.created', response: description },
      { type: 'response.in_progress', response: { ...description, tools: [{ a: [1] }] } },
      { type: 'response.completed', response: { ...description, tools: [{ a: [2] }], output: [] } },
    )
    expect(ofType(events, 'metadata').map(({ metadata }) => metadata)).toEqual([
      { id: 'resp', model: 'm', instructions: 'Be brief.', tools: [{ a: [1] }] },
      { tools: [{ a: [2] }] },
    ])
  })

  it('reads the cost that a gateway reports', () => {
    const usage = (more: object) =>
      ofType(read(created, completed([], { usage: { input_tokens: 1, ...more } })), 'usage')[0]
    expect(usage({ cost: 0.5 })?.costUsd).toBe(0.5)
    expect(usage({ cost: { total_cost: 0.25 } })?.costUsd).toBe(0.25)
    expect(usage({ cost_in_usd_ticks: 1e9 })?.costUsd).toBe(0.1)
  })

  it('keeps an approved call under the id of its request', () => {
    const request = { id: 'ask', type: 'mcp_approval_request', name: 'open', server_label: 's', arguments: '{}' }
    const ran = {
      id: 'mcp',
      type: 'mcp_call',
      name: 'open',
      server_label: 's',
      arguments: '{}',
      approval_request_id: 'ask',
      output: 'done',
    }
    const yes = { id: 'yes', type: 'mcp_approval_response', approval_request_id: 'ask', approve: true }
    const events = read(created, done(0, request), completed(), created, done(0, yes), done(1, ran), completed())
    expect(ofType(events, 'tool-start')).toHaveLength(1)
    expect(ofType(events, 'approval').map(({ state }) => state)).toEqual(['requested', 'approved'])
    expect(ofType(events, 'tool-output')).toMatchObject([{ callId: 'ask', output: 'done' }])
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('reads the time of a response in seconds, or in milliseconds if it is too large', () => {
    const startOf = (created_at: number) =>
      ofType(read({ type: 'response.created', response: { id: 'r', created_at } }), 'message-start')[0]
    expect(startOf(1_786_000_000)?.sentAt).toBe(1_786_000_000_000)
    expect(startOf(1_786_000_000_123)?.sentAt).toBe(1_786_000_000_123)
    expect(startOf(0)).not.toHaveProperty('sentAt')
  })

  it('does not claim events of the Realtime protocol', () => {
    const realtime = recordOf(JSON.stringify({ ...created, event_id: 'event_1' }))
    expect(openaiResponses.recognize(realtime)).toBeUndefined()
    expect(openaiResponses.recognize(recordOf(JSON.stringify(created)))?.certainty).toBe(1)
  })
})
