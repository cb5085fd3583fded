import type { StreamEvent } from '@millrace/core/events'
import { createFold } from '@millrace/core/fold'
import type { JsonObject } from '@millrace/core/json'
import { toAnthropicMessages, toOpenAIChat, toOpenAIResponses } from '@millrace/core/messages'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

/** A question, then a message of the assistant with these events. */
function history(model: string, events: readonly StreamEvent[]) {
  const fold = createFold({ runId: 'run' })
  const question: readonly StreamEvent[] = [
    { type: 'run-start' },
    { type: 'message-start', messageId: 'q', role: 'user' },
    { type: 'block-start', blockId: 'q', kind: 'text', messageId: 'q' },
    { type: 'block-delta', blockId: 'q', text: 'When may we leave?' },
    { type: 'block-end', blockId: 'q' },
    { type: 'message-end', messageId: 'q' },
    { type: 'message-start', messageId: 'a', role: 'assistant', model },
  ]
  fold.push(entriesOf([...question, ...events, { type: 'message-end', messageId: 'a' }]))
  return fold.snapshot().chatEvents
}

const said = (text: string): readonly StreamEvent[] => [
  { type: 'block-start', blockId: text, kind: 'text' },
  { type: 'block-delta', blockId: text, text },
  { type: 'block-end', blockId: text },
]
const called = (callId: string, fields: object = {}): readonly StreamEvent[] => [
  { type: 'tool-start', callId, name: 'get_tide', runBy: 'client', ...fields },
  { type: 'tool-input', callId, input: {} },
]
const compacted = (data: JsonObject): StreamEvent => ({ type: 'data', name: 'compaction', id: 'block-1', data })
const typesIn = (messages: readonly object[]) =>
  [...JSON.stringify(messages).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type)

describe('what stands for a conversation goes back only to whoever made it', () => {
  const anthropics = compacted({ content: 'We were repairing the sluice.', encrypted_content: 'c2VhbA==' })
  const openais = compacted({ id: 'cmp_1', encrypted_content: 'c2VhbA==' })
  const programs = compacted({ summary: 'We were repairing the sluice.' })
  const sent = (event: StreamEvent) => {
    const chatEvents = history('model-1', [event, ...said('At noon.')])
    const requests = [toAnthropicMessages(chatEvents), toOpenAIResponses(chatEvents)]
    return requests.map(({ messages }) => typesIn(messages).includes('compaction'))
  }

  it('a compaction of Anthropic, one of OpenAI, and the summary of a program', () => {
    expect([sent(anthropics), sent(openais), sent(programs)]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  it('and only a compaction of Anthropic takes the place of what was before it', () => {
    const words = (event: StreamEvent) =>
      JSON.stringify(toAnthropicMessages(history('m', [event, ...said('At noon.')])).messages)
    expect(words(anthropics)).not.toContain('When may we leave?')
    for (const other of [openais, programs]) expect(words(other)).toContain('When may we leave?')
  })
})

it('a signed thought that stands behind the calls alone is left out for Anthropic, and named as lost', () => {
  const thought: readonly StreamEvent[] = [
    { type: 'block-start', blockId: 't', kind: 'reasoning', variant: 'thinking' },
    { type: 'block-delta', blockId: 't', text: 'Two gauges.' },
    { type: 'block-patch', blockId: 't', signature: 'c2ln', meta: { anthropic: {} } },
    { type: 'block-end', blockId: 't' },
  ]
  const late = toAnthropicMessages(history('claude-x', [...called('c1'), ...thought, ...said('And.')]))
  expect([typesIn(late.messages).includes('thinking'), late.losses.map(({ what }) => what)]).toEqual([
    false,
    expect.arrayContaining(['thinking']),
  ])
  const early = toAnthropicMessages(history('claude-x', [...thought, ...called('c1'), ...said('And.')]))
  expect(typesIn(early.messages)).toContain('thinking')
})

it('the signature of a call goes back to services that speak for Gemini, and to no other', () => {
  const extra_content = { google: { thought_signature: 'c2ln' } }
  const chatEvents = history('gemini-3', called('c1', { meta: { openai: { extra_content } } }))
  const isSent = (vendor?: string) =>
    JSON.stringify(toOpenAIChat(chatEvents, vendor === undefined ? {} : { vendor }).messages).includes('c2ln')
  expect([isSent('google'), isSent('openai-compatible'), isSent('openai'), isSent(), isSent('groq')]).toEqual([
    ...[true, true],
    ...[false, false, false],
  ])
})

it('a screenshot that OpenAI Agents has as data goes back as an address', () => {
  const screenshot = (data: string) => {
    const events: readonly StreamEvent[] = [
      ...called('c1', { meta: { openai: { type: 'computer_call', item_id: 'cu_1' } } }),
      { type: 'tool-output', callId: 'c1', status: 'ok', output: { type: 'computer_screenshot', data } },
    ]
    const { messages } = toOpenAIResponses(history('computer-use', events))
    return JSON.parse(JSON.stringify(messages.at(-1))) as unknown
  }
  const output = (image_url: string) => ({
    type: 'computer_call_output',
    output: { type: 'computer_screenshot', image_url },
  })
  expect(screenshot('iVBORw0KGgo=')).toMatchObject(output('data:image/png;base64,iVBORw0KGgo='))
  expect(screenshot('https://mills.example/screen.png')).toMatchObject(output('https://mills.example/screen.png'))
})

it('a change of the model without its two names is not sent to Anthropic', () => {
  const fell = (fallback: JsonObject): StreamEvent => ({
    type: 'status',
    message: 'Another model',
    level: 'info',
    meta: { anthropic: { fallback } },
  })
  const sent = (fallback: JsonObject) =>
    typesIn(toAnthropicMessages(history('claude-x', [...said('Well.'), fell(fallback)])).messages)
  expect(sent({ from: { model: 'a' }, to: { model: 'b' } })).toContain('fallback')
  expect(sent({ to: { model: 'b' } })).not.toContain('fallback')
})
