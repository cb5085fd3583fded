import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { openaiAgents } from './openai-agents.ts'

const read = (...values: readonly object[]) => through(createReader(openaiAgents), recordsOf(values))

const texts = (events: readonly StreamEvent[]) => ofType(events, 'block-delta').map(({ text }) => text)

const python = (data: object) => ({ type: 'raw_response_event', data })
const js = (data: object) => ({ type: 'raw_model_stream_event', data })
const model = (event: object) => js({ type: 'model', event })
const item = (name: string, type: string, raw: object, more: object = {}) => ({
  type: 'run_item_stream_event',
  name,
  item: { type, rawItem: raw, agent: { name: 'Miller' }, ...more },
})

const created = { type: 'response.created', response: { id: 'resp', output: [] } }
const delta = { type: 'response.output_text.delta', item_id: 'msg', output_index: 0, content_index: 0, delta: 'Well.' }
const message = { id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Well.' }] }
const completed = { type: 'response.completed', response: { id: 'resp', output: [message] } }
const call = { type: 'function_call', id: 'fc', callId: 'call', name: 'grind', arguments: '{"sacks":1}' }
const started = js({ type: 'response_started' })
const done = (output: readonly object[], usage?: object) =>
  js({ type: 'response_done', response: { id: 'r', output, usage } })

describe('openai-agents', () => {
  it('shows once what the model, the library and the run each send', () => {
    const events = read(
      started,
      model(created),
      js({ type: 'output_text_delta', delta: 'Well.', itemId: 'msg' }),
      model(delta),
      done([message]),
      model(completed),
      item('message_output_created', 'message_output_item', message),
    )
    expect(texts(events)).toEqual(['Well.'])
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual(['resp'])
  })

  it('reads the text from the library if the model has another format', () => {
    const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Well.' } }] }
    const events = read(
      started,
      model(chunk),
      js({ type: 'output_text_delta', delta: 'Well.' }),
      done([message]),
      item('message_output_created', 'message_output_item', message),
    )
    expect(texts(events)).toEqual(['Well.'])
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('keeps a chunk of another shape as a raw record', () => {
    const odd = model({ object: 'chat.completion.chunk', choices: [[{ index: 0, delta: { content: 'Well.' } }]] })
    expect(ofType(read(started, odd), 'raw')).toHaveLength(1)
  })

  it('reads a run that has only items, with tools run by the agent', () => {
    const output = {
      type: 'function_call_result',
      callId: 'call',
      name: 'grind',
      output: { type: 'text', text: 'Flour.' },
    }
    const events = read(
      item('tool_called', 'tool_call_item', call),
      item('tool_output', 'tool_call_output_item', output),
      item('message_output_created', 'message_output_item', message),
      item('message_output_created', 'message_output_item', { ...message, id: 'msg_2' }),
    )
    expect(ofType(events, 'tool-start')).toMatchObject([{ callId: 'call', name: 'grind', runBy: 'agent' }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ callId: 'call', output: 'Flour.', status: 'ok' }])
    expect(texts(events)).toEqual(['Well.', 'Well.'])
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('prefers what the tool returned over the text that the model receives', () => {
    const output = { type: 'function_call_output', call_id: 'call', output: "{'sacks': 1}" }
    const events = read(item('tool_output', 'tool_call_output_item', output, { output: { sacks: 1 } }))
    expect(ofType(events, 'tool-output')[0]?.output).toEqual({ sacks: 1 })
  })

  it('names steps after the current agent, also after a handoff', () => {
    const events = read(
      { type: 'agent_updated_stream_event', new_agent: { name: 'Miller' } },
      python(created),
      python(completed),
      { type: 'agent_updated_stream_event', new_agent: { name: 'Pilot' } },
      python({ type: 'response.created', response: { id: 'resp_2' } }),
      python({ type: 'response.completed', response: { id: 'resp_2', output: [] } }),
    )
    expect(events[0]).toEqual({ type: 'run-start', agent: 'Miller' })
    expect(ofType(events, 'step-start').map(({ name }) => name)).toEqual(['Miller', 'Pilot'])
    expect(ofType(events, 'metadata')).toContainEqual({ type: 'metadata', metadata: { agent: 'Pilot' } })
  })

  it('awaits input while an approval has no answer', () => {
    const request = item('tool_approval_requested', 'tool_approval_item', call, { toolName: 'grind' })
    const events = read(started, done([call]), request, request)
    expect(ofType(events, 'approval')).toMatchObject([{ approvalId: 'call', callId: 'call', state: 'requested' }])
    expect(events.at(-1)).toMatchObject({ outcome: 'awaiting-input' })
  })

  it('counts the tokens of each response once', () => {
    const usage = { inputTokens: 7, outputTokens: 3, inputTokensDetails: [{ cached_tokens: 2 }] }
    const events = read(started, done([message], usage), started, done([message], usage))
    expect(ofType(events, 'usage')).toMatchObject([
      { scope: 'step', mode: 'snapshot', inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 },
      { inputTokens: 7 },
    ])
  })

  it('reads a response that stopped in the middle as an interrupted run', () => {
    expect(read(python(created), python(delta)).at(-1)).toEqual({ type: 'run-end', outcome: 'interrupted' })
  })

  it('recognises its own events with certainty and claims no others', () => {
    const certainty = (value: object) => openaiAgents.recognize(recordOf(JSON.stringify(value)))?.certainty
    expect(certainty(python(created))).toBe(1)
    expect(certainty({ type: 'agent_updated_stream_event', agent: { name: 'Miller' } })).toBe(1)
    expect(certainty(created)).toBeUndefined()
    expect(certainty({ type: 'run_item_stream_event' })).toBeUndefined()
  })
})
