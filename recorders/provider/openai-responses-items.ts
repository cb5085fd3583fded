import { newId } from './dialect.ts'
import { argumentDeltasOf, type Call, deltasOf, type Step } from './script.ts'

type Part = { readonly type: string; readonly [field: string]: unknown }

/** An item of a response: its announcement, its streamed parts, and the whole item. */
export type Item = {
  readonly id: string
  readonly start: unknown
  readonly parts: readonly Part[]
  readonly whole: unknown
}

type NamespaceOf = (tool: string) => string | undefined

export function* itemsOf({ reasoning, text, calls = [] }: Step, namespaceOf: NamespaceOf): Iterable<Item> {
  if (reasoning !== undefined) yield reasoningItem(reasoning)
  if (text !== undefined) yield messageItem(text)
  for (const call of calls) yield callItem(call, namespaceOf(call.name))
}

function reasoningItem(text: string): Item {
  const id = newId('rs')
  const position = { summary_index: 0 }
  const part = { type: 'summary_text', text }
  return {
    id,
    start: { id, type: 'reasoning', summary: [] },
    parts: [
      { type: 'response.reasoning_summary_part.added', ...position, part: { ...part, text: '' } },
      ...deltasOf(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...position, delta })),
      { type: 'response.reasoning_summary_text.done', ...position, text },
      { type: 'response.reasoning_summary_part.done', ...position, part },
    ],
    whole: { id, type: 'reasoning', summary: [part] },
  }
}

function messageItem(text: string): Item {
  const id = newId('msg')
  const position = { content_index: 0 }
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  const start = { id, type: 'message', role: 'assistant' }
  return {
    id,
    start: { ...start, status: 'in_progress', content: [] },
    parts: [
      { type: 'response.content_part.added', ...position, part: { ...part, text: '' } },
      ...deltasOf(text).map((delta) => ({ type: 'response.output_text.delta', ...position, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...position, text, logprobs: [] },
      { type: 'response.content_part.done', ...position, part },
    ],
    whole: { ...start, status: 'completed', content: [part] },
  }
}

function callItem(call: Call, namespace: string | undefined): Item {
  const id = newId('fc')
  const start = {
    id,
    type: 'function_call',
    call_id: newId('call'),
    name: call.name,
    ...(namespace === undefined ? {} : { namespace }),
  }
  const whole = JSON.stringify(call.input)
  return {
    id,
    start: { ...start, status: 'in_progress', arguments: '' },
    parts: [
      ...argumentDeltasOf(call).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: whole },
    ],
    whole: { ...start, status: 'completed', arguments: whole },
  }
}
