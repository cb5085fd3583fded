import type { ExtractFrom, Unread } from './extract.ts'
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

export const unread: Unread = {
  'langchain-events/harbour-office.jsonl': 'what a chain adds to the events of its model is the rule of the parser',
  'langchain-events/without-parents.jsonl': 'what a chain adds to the events of its model is the rule of the parser',
  'langchain-events/odd-events.jsonl': 'its records are of no documented shape',
}

/** Models are read by their run: as they stream, else at their end. Users are read at their first message. */
export const extract: ExtractFrom = (values) => {
  const messages: Heard[] = []
  const questions = new Set<string>()
  for (const { event = '', name = '', run_id = '', data } of (values as readonly (Event | null)[]).map(orNothing)) {
    const { chunk, input, output } = data ?? {}
    if (event === 'on_chat_model_stream' || event === 'on_llm_stream')
      hearChunk(messageFor(messages, '', run_id), rawMessageOf(chunk))
    if (event === 'on_chat_model_end' || event === 'on_llm_end')
      hearAgain(messageFor(messages, '', run_id), rawMessageOf(output))
    if (event.startsWith('on_chain_') || (event === 'on_chat_model_start' && questions.size === 0)) {
      for (const text of [input, chunk, output].flatMap(questionsIn)) {
        const isTask = messages.some((message) => message.tools.some((tool) => tool.args.includes(text)))
        if (questions.has(text) || isTask) continue
        questions.add(text)
        hearAgain(messageFor(messages, '', text), { content: text })
      }
    }
    const isCalled = messages.some((message) =>
      message.tools.some((tool) => tool.name === name && tool.id !== message.id),
    )
    if (event === 'on_tool_start' && !isCalled) {
      const parsedInput = typeof input === 'string' ? json(input) : input
      messageFor(messages, '', run_id).tools.push({ id: run_id, index: undefined, name, args: '', input: parsedInput })
    }
  }
  return sum(messages)
}

const orNothing = (value: Event | null): Event => (typeof value === 'object' && value !== null ? value : {})

/** A message, text, or the nested lists of a model without messages. */
function rawMessageOf(value: unknown): Raw {
  if (typeof value === 'string') return { content: value }
  const { generations, message, text } = (value ?? {}) as {
    readonly generations?: readonly (readonly unknown[])[]
    readonly message?: unknown
    readonly text?: string
  }
  if (generations !== undefined) return rawMessageOf(generations[0]?.[0])
  if (message !== undefined) return rawMessageOf(message)
  return kindOf((value ?? {}) as Raw) === undefined ? { content: text ?? '' } : fieldsOf(value as Raw)
}

/** The messages of users, at any depth. */
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
