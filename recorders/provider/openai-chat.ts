import { type Dialect, newId, secondsNow, textsOf } from './dialect.ts'
import { argumentDeltasOf, deltasOf, type Step } from './script.ts'

type Body = {
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export const openaiChat: Dialect<Body> = {
  answers: (path) => path.endsWith('/v1/chat/completions'),
  streams: ({ stream }) => stream === true,
  conversationOf: ({ messages, tools = [] }) => ({
    userTexts: messages.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)),
    toolResults: messages.filter(({ role }) => role === 'tool').map(({ content }) => textsOf(content).join('')),
    toolNames: tools.map((tool) => tool.function.name),
  }),
  framesOf: function* (step, { model, stream_options }) {
    const head = headOf('chat.completion.chunk', model)
    const chunk = (delta: unknown, finish_reason: string | null = null) => ({
      data: { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] },
    })
    yield chunk({ role: 'assistant', content: '', refusal: null })
    for (const delta of deltasOfStep(step)) yield chunk(delta)
    if (step.error !== undefined) {
      yield { data: { error: { message: step.error, type: 'server_error', param: null, code: 'overloaded' } } }
      return
    }
    yield chunk({}, finishReasonOf(step))
    if (stream_options?.include_usage === true) yield { data: { ...head, choices: [], usage: usageOf(step) } }
    yield { data: '[DONE]' }
  },
  wholeOf: (step, { model }) => ({
    ...headOf('chat.completion', model),
    choices: [{ index: 0, message: messageOf(step), logprobs: null, finish_reason: finishReasonOf(step) }],
    usage: usageOf(step),
  }),
}

const headOf = (object: string, model: string) => ({
  id: newId('chatcmpl'),
  object,
  created: secondsNow(),
  model,
  service_tier: 'default',
  system_fingerprint: 'fp_harbour',
})

const finishReasonOf = ({ calls = [] }: Step) => (calls.length > 0 ? 'tool_calls' : 'stop')

/** `reasoning_content` is a field of compatible servers; OpenAI itself does not send its reasoning. */
function* deltasOfStep({ reasoning = '', text = '', calls = [] }: Step): Iterable<unknown> {
  for (const delta of deltasOf(reasoning)) yield { reasoning_content: delta }
  for (const delta of deltasOf(text)) yield { content: delta }
  for (const [index, call] of calls.entries()) {
    const started = { id: newId('call'), type: 'function', function: { name: call.name, arguments: '' } }
    yield { tool_calls: [{ index, ...started }] }
    for (const delta of argumentDeltasOf(call)) yield { tool_calls: [{ index, function: { arguments: delta } }] }
  }
}

const messageOf = ({ reasoning, text, calls = [] }: Step) => ({
  role: 'assistant',
  content: text ?? null,
  refusal: null,
  ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ name, input }) => ({
          id: newId('call'),
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
})

const usageOf = ({ usage }: Step) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
})
