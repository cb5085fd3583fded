import type { StreamEvent } from '../events.ts'
import { createGraph } from './langchain/graph.ts'
import { areUpdates, type Item, itemOf, RELAY_EVENTS } from './langgraph/items.ts'
import { modes } from './langgraph/modes.ts'
import { createProtocol } from './langgraph/protocol.ts'
import { recognize } from './langgraph/recognize.ts'
import { relayEvents } from './langgraph/relay.ts'
import { type Parser, type ParserState, SILENT, unmapped } from './parser.ts'

/** LangGraph, in every shape of its streams; DeepAgents is a graph whose agents run inside its calls. */
export const langgraph: Parser = {
  version: 4,
  losses: {
    cost: 'Usage counts tokens.',
    control: 'What the user requests is the input of the next run.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const graph = createGraph()
  const protocol = createProtocol(graph)
  let isBegun = false
  /** Whether the stream consists of bare updates: an update without messages looks like any object. */
  let isUpdates = false

  function eventsOf(item: Item): readonly StreamEvent[] {
    if (item.isProtocol) return protocol.events(item)
    if (RELAY_EVENTS.has(item.mode)) return relayEvents(graph, item)
    return modes.get(item.mode)?.(graph, item) ?? unmapped(item.data)
  }

  function updatesOf(value: unknown): Item | undefined {
    return isUpdates && areUpdates(value) ? { mode: 'updates', namespace: [], data: value } : undefined
  }

  return {
    push(value, record) {
      const item = itemOf(value, record) ?? updatesOf(value)
      if (item === undefined) return unmapped(value)
      const itemEvents = eventsOf(item)
      const events = graph.interrupts.withAnswers(graph.namespaces.withEnds([...itemEvents]))
      isBegun = true
      isUpdates ||= item.mode === 'updates' && item.data === value
      if (events.length === 0) return SILENT
      const sentAt = item.sentAt ?? timeOf(item)
      return sentAt === undefined ? events : events.map((event) => ({ ...event, sentAt }))
    },
    end() {
      if (!isBegun || graph.ending === 'failed') return []
      if (graph.interrupts.isWaiting() || graph.ending === 'interrupted')
        return [{ type: 'run-end', outcome: 'awaiting-input', reason: 'interrupt' }]
      if (graph.ending === 'completed') return [{ type: 'run-end', outcome: 'success' }]
      if (graph.ending === 'running' || graph.emitter.isInTheMiddle()) return []
      const outcome = graph.emitter.isWaitingForTools() ? 'awaiting-input' : 'success'
      return [...graph.emitter.endFinished(), { type: 'run-end', outcome }]
    },
  }
}

/** Debug output carries the time as a date string. */
function timeOf({ mode, data }: Item): number | undefined {
  if (mode !== 'debug') return undefined
  const time = Date.parse(String((data as { readonly timestamp?: unknown }).timestamp))
  return Number.isNaN(time) ? undefined : time
}
