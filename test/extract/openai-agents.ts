import type { Extract, ExtractFrom, Unread } from './extract.ts'
import { extract as extractResponses } from './openai-responses.ts'

interface Value {
  readonly type?: string
  readonly data?: { readonly type?: string; readonly event?: ModelEvent; readonly delta?: string }
  readonly item?: { readonly rawItem?: RawItem; readonly raw_item?: RawItem }
}

/** An event of the model: of the Responses API by its type, of Chat Completions by its choices. */
interface ModelEvent {
  readonly type?: string
  readonly id?: string
  readonly choices?: readonly { readonly delta?: { readonly reasoning_content?: string } }[]
}

interface RawItem {
  readonly type: string
  readonly callId?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly content?: readonly Part[]
  readonly rawContent?: readonly Part[]
  readonly summary?: readonly Part[]
  readonly providerData?: object
}

interface Part {
  readonly text?: string
  readonly refusal?: string
}

export const unread: Unread = {
  'openai-agents/js-search-with-output.jsonl': 'an output of a search of the provider is not documented',
  'openai-agents/js-cut-then-again.jsonl': 'what was streamed before a new attempt is not an item of the run',
  'openai-agents/js-mixed-providers.jsonl': 'models of several providers are not mixed in the documentation',
  'openai-agents/stopped-at-a-call.jsonl': 'the call is only in the response, and never an item of the run',
  'openai-agents/js-odd-items.jsonl': 'its items are read without the response that has them',
}

/**
 * If the model's events are those of the Responses API, they are the run. Otherwise each item of the run is complete,
 * and what was streamed before it is the same content.
 */
export const extract: ExtractFrom = (values) => {
  const raw = (values as readonly (Value | null)[]).flatMap((value) => {
    const event = value?.data?.event ?? value?.data
    return event?.type?.startsWith('response.') || event?.type === 'error' ? [event] : []
  })
  return raw.length > 0 ? extractResponses(raw) : itemsOf(values as readonly (Value | null)[])
}

function itemsOf(values: readonly (Value | null)[]): Extract {
  const text: string[] = []
  const reasoning: string[] = []
  const tools = new Map<string, { name: string; input: unknown }>()
  const thoughts = new Map<string, string>()
  let streamed = ''
  for (const value of values) {
    if (value?.data?.type === 'output_text_delta') streamed += value.data.delta ?? ''
    const { id = '', choices } = value?.data?.event ?? {}
    const thought = choices?.[0]?.delta?.reasoning_content
    if (thought !== undefined) thoughts.set(id, `${thoughts.get(id) ?? ''}${thought}`)
    const item = value?.item?.rawItem ?? value?.item?.raw_item
    if (item?.type === 'message') {
      streamed = ''
      text.push(...(item.content ?? []).map((part) => part.text ?? part.refusal ?? ''))
    }
    if (item?.type === 'reasoning') {
      const parts = [...(item.summary ?? item.content ?? []), ...(item.rawContent ?? [])]
      reasoning.push(...parts.map((part) => part.text ?? ''))
    }
    if (item?.type === 'function_call') {
      tools.set(item.callId ?? item.call_id ?? '', { name: item.name ?? '', input: JSON.parse(item.arguments || '{}') })
    }
    if (item?.type === 'hosted_tool_call') {
      const hosted = extractResponses([
        { type: 'response.output_item.done', item: { ...item.providerData, type: item.name } },
      ])
      for (const tool of hosted.tools) tools.set(JSON.stringify(item), { ...tool })
    }
  }
  const full = (pieces: readonly string[]) => pieces.filter((piece) => piece !== '')
  return {
    text: full([...text, streamed]),
    reasoning: full(reasoning.length > 0 ? reasoning : [...thoughts.values()]),
    tools: [...tools.values()],
  }
}
