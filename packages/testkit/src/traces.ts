import type { EventOf, EventType, StreamEvent } from '@millrace/core/events'
import type { Feature, Losses } from '@millrace/core/losses'
import { stringsOf } from './strings.ts'

/** What an event says that must be found again on a wire, and the feature that would excuse its absence. */
interface Trace {
  readonly excuse?: Feature
  readonly words: readonly unknown[]
}

type Rows = { readonly [Type in EventType]?: (event: EventOf<Type>) => Trace }

const rows: Rows = {
  'block-delta': ({ text }) => ({ words: [text] }),
  'tool-start': ({ name }) => ({ excuse: 'tool-calls', words: [name] }),
  'tool-input': ({ input }) => ({ excuse: 'tool-calls', words: [input] }),
  'tool-output': ({ output, status }) => ({ excuse: 'tool-output', words: status === 'ok' ? [output] : [] }),
  'block-patch': ({ signature }) => ({ excuse: 'signature', words: [signature] }),
  'tool-progress': ({ text }) => ({ excuse: 'tool-progress', words: [text] }),
  source: ({ url, title }) => ({ excuse: 'sources', words: [url, title] }),
  file: ({ url, mediaType }) => ({ excuse: 'files', words: [url, mediaType] }),
  todos: ({ items }) => ({ excuse: 'todos', words: items.map(({ content }) => content) }),
  'subagent-start': ({ name, task }) => ({ excuse: 'subagents', words: [name, task] }),
  'subagent-end': ({ summary }) => ({ excuse: 'subagents', words: [summary] }),
  status: ({ message }) => ({ excuse: 'status', words: [message] }),
  data: ({ name, data }) => ({ excuse: 'data', words: [name, data] }),
  state: ({ value }) => ({ excuse: 'state', words: [value] }),
  metadata: ({ metadata }) => ({ excuse: 'metadata', words: [metadata] }),
  error: ({ message }) => ({ excuse: 'errors', words: [message] }),
  raw: ({ value }) => ({ excuse: 'raw', words: [value] }),
  'run-end': ({ error }) => ({ excuse: 'run-error', words: [error?.message] }),
}
const table = new Map(Object.entries(rows)) as Map<string, (event: StreamEvent) => Trace>

/** What of a run must be found on a wire that declares these losses. */
export function tracesOf(events: readonly StreamEvent[], losses: Losses): readonly string[] {
  const reasoning = new Set<string>()
  let isOther = false
  return events.flatMap((event) => {
    if (event.type === 'block-start' && event.kind === 'reasoning') reasoning.add(event.blockId)
    if (event.type === 'message-start' && event.agentId === undefined) isOther = event.role !== 'assistant'
    const { excuse, words } = table.get(event.type)?.(event) ?? { words: [] }
    const excuses: readonly (Feature | undefined)[] = [
      excuse,
      event.type === 'block-delta' && reasoning.has(event.blockId) ? 'reasoning' : undefined,
      event.agentId !== undefined && !event.type.startsWith('subagent-') ? 'subagent-content' : undefined,
      isOther ? 'other-roles' : undefined,
    ]
    return excuses.some((feature) => feature !== undefined && feature in losses) ? [] : stringsOf(words)
  })
}

/** Those of the words that a wire's chunks hold nowhere. */
export function missing(words: readonly string[], chunks: readonly unknown[]): readonly string[] {
  const held = [...stringsOf(chunks), ...joinedDeltas(chunks)].join('\n\n')
  const isHeld = (word: string) => held.includes(word) || held.includes(JSON.stringify(word).slice(1, -1))
  return [...new Set(words)].filter((word) => !isHeld(word))
}

/**
 * What chunks say together that differ in their `delta` alone: a wire may say a whole in nothing but pieces. Of JSON it
 * is the words, for there are many ways to write one.
 */
function joinedDeltas(chunks: readonly unknown[]): readonly string[] {
  const wholes = new Map<string, string>()
  for (const chunk of chunks) {
    const { delta, ...rest } = chunk as { readonly [field: string]: unknown }
    if (typeof delta !== 'string') continue
    const key = stringsOf(rest).join('\n')
    wholes.set(key, (wholes.get(key) ?? '') + delta)
  }
  return [...wholes.values()].flatMap((whole) => [whole, ...stringsOf(jsonOf(whole))])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
