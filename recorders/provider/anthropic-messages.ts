import { type Dialect, type Frame, newId, textsOf } from './dialect.ts'
import { argumentDeltasOf, type Call, deltasOf, type Step } from './script.ts'

type Body = {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly name: string }[]
}

const SIGNATURE = 'c2lnbmVkLWJ5LW5vYm9keQ=='

export const anthropicMessages: Dialect<Body> = {
  answers: (path) => /\/v1\/messages(?:\?|$)/.test(path),
  streams: ({ stream }) => stream === true,
  conversationOf: ({ messages, tools = [] }) => {
    const contents = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    const parts = contents.flatMap((content) => (Array.isArray(content) ? content : []))
    return {
      userTexts: contents.flatMap(textsOf),
      toolResults: parts.filter(({ type }) => type === 'tool_result').map(({ content }) => textsOf(content).join('')),
      toolNames: tools.map(({ name }) => name),
    }
  },
  framesOf: function* (step, { model }) {
    yield named({
      type: 'message_start',
      message: { ...messageOf(model), content: [], stop_reason: null, usage: usageOf(step, 1) },
    })
    yield named({ type: 'ping' })
    const blocks = [...blocksOf(step)]
    for (const [index, block] of blocks.entries()) {
      yield named({ type: 'content_block_start', index, content_block: block.start })
      for (const delta of block.deltas) yield named({ type: 'content_block_delta', index, delta })
      if (step.error === undefined || index < blocks.length - 1) yield named({ type: 'content_block_stop', index })
    }
    if (step.error !== undefined) {
      yield named({ type: 'error', error: { type: 'overloaded_error', message: step.error } })
      return
    }
    yield named({
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(step), stop_sequence: null },
      usage: usageOf(step, step.usage.output),
    })
    yield named({ type: 'message_stop' })
  },
  wholeOf: (step, { model }) => ({
    ...messageOf(model),
    content: [...blocksOf(step)].map(({ whole }) => whole),
    stop_reason: stopReasonOf(step),
    usage: usageOf(step, step.usage.output),
  }),
}

/** Requested before a long conversation is sent; the answer has no effect here. */
export const countTokens: Dialect<Body> = {
  ...anthropicMessages,
  answers: (path) => path.includes('/v1/messages/count_tokens'),
  streams: () => false,
  wholeOf: (step) => ({ input_tokens: step.usage.input }),
}

const named = (data: { readonly type: string; readonly [field: string]: unknown }): Frame => ({
  event: data.type,
  data,
})

const messageOf = (model: string) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
})

const stopReasonOf = ({ calls = [] }: Step) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const usageOf = ({ usage }: Step, output: number) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
  service_tier: 'standard',
})

type Block = { readonly start: unknown; readonly deltas: readonly unknown[]; readonly whole: unknown }

function* blocksOf({ reasoning, text, calls = [] }: Step): Iterable<Block> {
  if (reasoning !== undefined) yield thinkingBlock(reasoning)
  if (text !== undefined) yield textBlock(text)
  for (const call of calls) yield toolUseBlock(call)
}

const thinkingBlock = (thinking: string): Block => ({
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...deltasOf(thinking).map((delta) => ({ type: 'thinking_delta', thinking: delta })),
    { type: 'signature_delta', signature: SIGNATURE },
  ],
  whole: { type: 'thinking', thinking, signature: SIGNATURE },
})

const textBlock = (text: string): Block => ({
  start: { type: 'text', text: '' },
  deltas: deltasOf(text).map((delta) => ({ type: 'text_delta', text: delta })),
  whole: { type: 'text', text },
})

function toolUseBlock(call: Call): Block {
  const start = { type: 'tool_use', id: newId('toolu'), name: call.name }
  return {
    start: { ...start, input: {} },
    deltas: ['', ...argumentDeltasOf(call)].map((delta) => ({ type: 'input_json_delta', partial_json: delta })),
    whole: { ...start, input: call.input },
  }
}
