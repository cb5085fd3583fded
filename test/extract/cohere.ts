import type { ExtractFrom, Unread } from './extract.ts'

interface Part {
  readonly kind: 'text' | 'reasoning' | 'tool'
  readonly key: string
  readonly name: string
  text: string
  whole?: unknown
}

export const unread: Unread = {
  'cohere/first-version-odd-call.jsonl': 'A call of another shape is kept as raw.',
  'cohere/first-version-calls.jsonl': 'The calls of the first version are documented for whole streams only.',
  'cohere/first-version-gaps.jsonl': 'Its ends hold texts and plans that were streamed in part or not at all.',
  'cohere/late-citations.jsonl': 'Its plan is interrupted by contents.',
  'cohere/turns-without-starts.jsonl': 'The messages are told apart by their ends only, and a content begins again.',
}

/** Both versions: v2 has the content index of a delta, v1 has one text and calls without ids. */
export const extract: ExtractFrom = (values) => {
  const parts: Part[] = []
  let message = 0
  const at = (kind: Part['kind'], key: string, name = ''): Part => {
    const full = `${message} ${key}`
    const existing = parts.find((part) => part.key === full && part.kind === kind)
    if (existing !== undefined) return existing
    const part = { kind, key: full, name, text: '' }
    parts.push(part)
    return part
  }
  for (const value of values as readonly Value[]) {
    if (value?.type === 'message-start' || value?.event_type === 'stream-start') message += 1
    if (value?.message !== undefined) message += 1
    readMessage(value?.delta?.message ?? value?.message ?? {}, value?.index ?? 0, at)
    if (value?.event_type !== undefined || value?.is_finished !== undefined) readFirstVersion(value, at)
    if (value?.is_finished === true) message += 1
  }
  const prose = (kind: string) => parts.filter((part) => part.kind === kind && part.text !== '').map(({ text }) => text)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: parts
      .filter(({ kind, name }) => kind === 'tool' && name !== '')
      .map((tool) => ({ name: tool.name, input: inputOf(tool) })),
  }
}

type At = (kind: Part['kind'], key: string, name?: string) => Part

interface Content {
  readonly text?: string
  readonly thinking?: string
}

interface Call {
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

interface RawMessage {
  readonly content?: Content | readonly Content[]
  readonly tool_plan?: string
  readonly tool_calls?: Call | readonly Call[]
}

interface Value {
  readonly type?: string
  readonly event_type?: string
  readonly is_finished?: boolean
  readonly index?: number
  readonly delta?: { readonly message?: RawMessage }
  readonly message?: RawMessage
  readonly text?: string
  readonly search_queries?: unknown
  readonly response?: { readonly text?: string; readonly tool_calls?: unknown }
  readonly tool_call_delta?: { readonly index?: number; readonly name?: string; readonly parameters?: string }
  readonly tool_calls?: readonly { readonly name: string; readonly parameters: unknown }[]
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Item]

function readMessage({ content, tool_plan, tool_calls }: RawMessage, index: number, at: At): void {
  if (tool_plan) at('reasoning', 'plan').text += tool_plan
  for (const [offset, { text, thinking }] of listOf(content).entries()) {
    if (text) at('text', `content ${index + offset}`).text += text
    if (thinking) at('reasoning', `content ${index + offset}`).text += thinking
  }
  for (const [offset, { function: called }] of listOf(tool_calls).entries())
    at('tool', `call ${index + offset}`, called?.name).text += called?.arguments ?? ''
}

function readFirstVersion(value: Value, at: At): void {
  const isPlan = value.event_type?.startsWith('tool-calls')
  if (value.text && !isPlan) at('text', 'text').text += value.text
  if (value.text && value.event_type === 'tool-calls-chunk') at('reasoning', 'plan').text += value.text
  if (value.event_type === 'search-results') at('tool', 'search', 'search')
  if (value.search_queries) at('tool', 'search', 'search').whole = { search_queries: value.search_queries }
  const { text, tool_calls } = value.response ?? {}
  if (text && !tool_calls && at('text', 'text').text === '') at('text', 'text').text = text
  const { name, index, parameters } = value.tool_call_delta ?? {}
  if (name) at('tool', `call ${index}`, name)
  if (parameters) at('tool', `call ${index}`).text += parameters
  for (const [offset, call] of (value.tool_calls ?? []).entries())
    at('tool', `call ${offset}`, call.name).whole = call.parameters
}

function inputOf({ text, whole }: Part): unknown {
  if (whole !== undefined) return whole
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
