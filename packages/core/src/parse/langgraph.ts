import { present } from '../data/present.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { textIn } from './kit/fields.ts'
import { keepRaw } from './kit/keep.ts'
import type { Out } from './kit/voice.ts'
import { MAIN } from './langchain/emitted-message.ts'
import { createGraph, endEvents, withImplied } from './langchain/graph.ts'
import { readMessage } from './langchain/message.ts'
import {
  areUpdates,
  type Item,
  isEmpty,
  itemOf,
  ofObjects,
  RELAY_EVENTS,
  SERVER_EVENTS,
  STREAM_MODES,
} from './langgraph/items.ts'
import { modes } from './langgraph/modes.ts'
import { createProtocol } from './langgraph/protocol.ts'
import { type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/** LangGraph, in every shape of its streams; DeepAgents is a graph whose agents run inside its calls. */
export const langgraph: Parser = {
  version: 6,
  losses: {
    cost: 'Usage counts tokens.',
    control: 'What the user requests is the input of the next run.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const graph = createGraph()
  const pushProtocol = createProtocol(graph)
  /** Whether the stream consists of bare updates: an update without messages looks like any object. */
  let isUpdates = false

  function updatesOf(value: unknown): Item | undefined {
    return isUpdates && areUpdates(value) ? { mode: 'updates', namespace: [], data: value } : undefined
  }

  return {
    push(value, record) {
      const item = itemOf(value, record) ?? updatesOf(value)
      if (item === undefined) return unmapped(value)
      const out: Out = []
      if (item.isProtocol) pushProtocol(out, item)
      // Every mode that is not in the table is that of a relay.
      else (modes.get(item.mode) ?? relay)(out, graph, item)
      graph.isBegun = true
      isUpdates ||= item.mode === 'updates' && item.data === value
      const events = withImplied(graph, out)
      const sentAt = item.sentAt ?? timeOf(item)
      return understood(sentAt === undefined ? events : events.map((event) => ({ ...event, sentAt })))
    },
    end: () => endEvents(graph),
  }
}

/** Debug output carries the time as a date string. */
function timeOf({ mode, data }: Item): number | undefined {
  if (mode !== 'debug') return undefined
  const time = Date.parse(String((data as { readonly timestamp?: unknown }).timestamp))
  return Number.isNaN(time) ? undefined : time
}

/**
 * Servers in front of a graph that forward chunks in their own envelope: `{thread_id, agent, id, role, content,
 * reasoning_content, tool_calls, tool_call_chunks, finish_reason}`, one event name per kind of chunk.
 */
const relay = ofObjects((out, { emitter, interrupts }, data, { mode }) => {
  const { reasoning_content, finish_reason, role, ...fields } = data
  const { thread_id, agent, id, content: question, options } = fields
  const message = readMessage({
    ...fields,
    type: mode === 'tool_call_result' ? 'tool' : role === 'user' ? 'human' : 'AIMessageChunk',
    additional_kwargs: present({ reasoning_content }),
    response_metadata: present({ finish_reason }),
    chunk_position: textIn(finish_reason) === undefined ? null : 'last',
  })
  // A question to the user, with the answers to choose from.
  if (mode === 'interrupt')
    interrupts.ask(out, [present({ id, value: present({ message: question, options }) }) as JsonObject], MAIN)
  else if (message === undefined) keepRaw(out, data)
  else {
    const metadata = present({ thread_id, agent }) as JsonObject
    emitter.chunk(out, message, { scope: MAIN, opening: { node: textIn(agent) }, metadata })
  }
})

const METHODS: ReadonlySet<string> = new Set([...STREAM_MODES, 'lifecycle', 'input.requested'])

/** Event names that other servers use as well. */
const COMMON: ReadonlySet<string> = new Set(['metadata', 'error', 'end', 'feedback', 'interrupt'])

function recognize(record: RawRecord): Recognition | undefined {
  const item = itemOf(record.value, record)
  if (item === undefined) return undefined
  const { mode } = item
  if (!item.isProtocol) return { certainty: certaintyOf(item, record), reason: `a stream of a graph, mode "${mode}"` }
  const isMethod = METHODS.has(mode) || mode.startsWith('custom:')
  return isMethod ? { certainty: 1, reason: `the protocol's method "${mode}"` } : undefined
}

function certaintyOf({ mode, data }: Item, { value, name }: RawRecord): number {
  if (Array.isArray(value)) return 0.95
  const hasThread = isJsonObject(data) && data.thread_id !== undefined
  if (RELAY_EVENTS.has(mode)) return hasThread ? 0.95 : 0.5
  if (COMMON.has(mode)) return 0.5
  if (SERVER_EVENTS.has(mode)) return 0.95
  if (isJsonObject(value) && data === value && Object.values(value).every(isEmpty)) return 0.6
  const isNamed = name !== undefined || (isJsonObject(value) && (value.event !== undefined || value.ns !== undefined))
  return isNamed ? 0.9 : 0.85
}
