import { type Dialect, type Frame, newId, secondsNow, textsOf } from './dialect.ts'
import { itemsOf } from './openai-responses-items.ts'
import type { Step } from './script.ts'

type Body = {
  readonly model: string
  readonly stream?: boolean
  readonly input: string | readonly Item[]
  readonly tools?: readonly Tool[]
}

type Item = {
  readonly type?: string
  readonly role?: string
  readonly content?: unknown
  readonly output?: unknown
}

/** A namespace holds the tools of one server. */
type Tool = { readonly type: string; readonly name?: string; readonly tools?: readonly Tool[] }

export const openaiResponses: Dialect<Body> = {
  answers: (path) => path.endsWith('/v1/responses'),
  streams: ({ stream }) => stream === true,
  conversationOf: ({ input, tools = [] }) => {
    const items: readonly Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    return {
      userTexts: items.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)),
      toolResults: items
        .filter(({ type }) => type?.endsWith('_call_output') === true)
        .map(({ output }) => textsOf(output).join('')),
      toolNames: tools.flatMap(namesOf),
    }
  },
  framesOf: function* (step, body) {
    let sequence_number = -1
    const frame = (type: string, fields: { readonly [field: string]: unknown }): Frame => {
      sequence_number += 1
      return { event: type, data: { type, ...fields, sequence_number } }
    }
    const response = responseOf(body)
    yield frame('response.created', { response })
    yield frame('response.in_progress', { response })
    const output: unknown[] = []
    const items = [...itemsOf(step, namespaceIn(body))]
    for (const [output_index, item] of items.entries()) {
      const position = { output_index }
      const breaksOff = step.error !== undefined && output_index === items.length - 1
      yield frame('response.output_item.added', { ...position, item: item.start })
      for (const { type, ...fields } of item.parts) {
        if (!breaksOff || !type.endsWith('.done')) yield frame(type, { item_id: item.id, ...position, ...fields })
      }
      if (breaksOff) break
      yield frame('response.output_item.done', { ...position, item: item.whole })
      output.push(item.whole)
    }
    if (step.error !== undefined) {
      const error = { code: 'server_error', message: step.error }
      yield frame('response.failed', { response: { ...response, status: 'failed', error, output } })
      return
    }
    yield frame('response.completed', {
      response: { ...response, status: 'completed', output, usage: usageOf(step) },
    })
  },
  wholeOf: (step, body) => ({
    ...responseOf(body),
    status: 'completed',
    output: [...itemsOf(step, namespaceIn(body))].map(({ whole }) => whole),
    usage: usageOf(step),
  }),
}

const namesOf = ({ name, tools }: Tool): readonly string[] =>
  tools === undefined ? (name === undefined ? [] : [name]) : tools.flatMap(namesOf)

/** A call of a tool from a namespace also names the namespace. */
const namespaceIn =
  ({ tools = [] }: Body) =>
  (name: string): string | undefined =>
    tools.find((tool) => tool.tools !== undefined && namesOf(tool).includes(name))?.name

const responseOf = ({ model, tools = [] }: Body) => ({
  id: newId('resp'),
  object: 'response',
  created_at: secondsNow(),
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  model,
  output: [],
  parallel_tool_calls: true,
  service_tier: 'default',
  tool_choice: 'auto',
  // A real answer repeats the request's tools; their names are enough here.
  tools: tools.slice(0, 4).map(({ type, name }) => ({ type, name })),
  usage: null,
  metadata: {},
})

const usageOf = ({ usage }: Step) => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  total_tokens: usage.input + usage.output,
})
