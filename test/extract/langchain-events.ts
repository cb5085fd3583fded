import type { ExtractFrom } from './extract.ts'
import {
  fieldsOf,
  type Heard,
  hearAgain,
  hearChunk,
  json,
  kindOf,
  messageFor,
  proseOf,
  type Raw,
  sum,
} from './lang-messages.ts'

interface Event {
  readonly event?: string
  readonly name?: string
  readonly run_id?: string
  readonly data?: {
    readonly chunk?: unknown
    readonly input?: unknown
    readonly output?: unknown
  } | null
}

/** Models are heard by their run: as they stream, or where they do not, as they end. Users are heard where they first speak. */
export const extract: ExtractFrom = (values) => {
  const heard: Heard[] = []
  const asked = new Set<string>()
  for (const { event = '', name = '', run_id = '', data } of (values as readonly (Event | null)[]).map(orNothing)) {
    const { chunk, input, output } = data ?? {}
    if (event === 'on_chat_model_stream' || event === 'on_llm_stream')
      hearChunk(messageFor(heard, '', run_id), said(chunk))
    if (event === 'on_chat_model_end' || event === 'on_llm_end') hearAgain(messageFor(heard, '', run_id), said(output))
    if (event.startsWith('on_chain_') || (event === 'on_chat_model_start' && asked.size === 0)) {
      for (const text of [input, chunk, output].flatMap(questionsIn)) {
        const isTask = heard.some((message) => message.tools.some((tool) => tool.args.includes(text)))
        if (asked.has(text) || isTask) continue
        asked.add(text)
        hearAgain(messageFor(heard, '', text), { content: text })
      }
    }
    const isCalled = heard.some((message) => message.tools.some((tool) => tool.name === name && tool.id !== message.id))
    if (event === 'on_tool_start' && !isCalled) {
      const given = typeof input === 'string' ? json(input) : input
      messageFor(heard, '', run_id).tools.push({ id: run_id, index: undefined, name, args: '', input: given })
    }
  }
  return sum(heard)
}

const orNothing = (value: Event | null): Event => (typeof value === 'object' && value !== null ? value : {})

/** A message; or text, or lists of what a model without messages said. */
function said(value: unknown): Raw {
  if (typeof value === 'string') return { content: value }
  const { generations, message, text } = (value ?? {}) as {
    readonly generations?: readonly (readonly unknown[])[]
    readonly message?: unknown
    readonly text?: string
  }
  if (generations !== undefined) return said(generations[0]?.[0])
  if (message !== undefined) return said(message)
  return kindOf(value as Raw) === undefined ? { content: text ?? '' } : fieldsOf(value as Raw)
}

/** What people said, wherever it stands, apart from what was said to a model inside a tool. */
function questionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(questionsIn)
  if (typeof value !== 'object' || value === null) return []
  const kind = kindOf(value as Raw)
  if (kind === undefined) return Object.values(value).flatMap(questionsIn)
  return kind === 'human'
    ? [
        proseOf(fieldsOf(value as Raw))
          .map(({ text }) => text)
          .join(''),
      ]
    : []
}
