import type { StreamEvent } from '../events.ts'
import { createGraph } from './langchain/graph.ts'
import { chainEnd, chainStart, chainStream, promptEnd, rootEvents } from './langchain-events/chains.ts'
import { modelEnd, modelStart, modelStream } from './langchain-events/models.ts'
import { customEvent, retrieverEnd, retrieverStart, runError } from './langchain-events/others.ts'
import { isEvent, type RawEvent, recognize } from './langchain-events/raw.ts'
import type { Run } from './langchain-events/run.ts'
import { toolEnd, toolError, toolStart, toolStream } from './langchain-events/tools.ts'
import { type Parser, type ParserState, unmapped } from './parser.ts'

/** LangChain's `astream_events`, version 2: every runnable in a run reports when it starts, streams and ends. */
export const langchainEvents: Parser = {
  version: 4,
  losses: {
    cost: 'Usage counts tokens.',
    control: 'Requests of a person are the input of the next run.',
    times: 'No event carries a time.',
  },
  recognize,
  create,
}

/** Whether the first event of a stream belongs to the outermost run. A stream may leave out outer runs. */
function isOutermost({ event, parent_ids, metadata }: RawEvent): boolean {
  return event.endsWith('_start') && !parent_ids?.length && metadata?.langgraph_node === undefined
}

type Row = (run: Run, raw: RawEvent) => readonly StreamEvent[]

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['on_chat_model_start', modelStart],
  ['on_chat_model_stream', modelStream],
  ['on_chat_model_end', modelEnd],
  ['on_llm_start', modelStart],
  ['on_llm_stream', modelStream],
  ['on_llm_end', modelEnd],
  ['on_chain_start', chainStart],
  ['on_chain_stream', chainStream],
  ['on_chain_end', chainEnd],
  ['on_prompt_start', chainStart],
  ['on_prompt_end', promptEnd],
  ['on_parser_start', chainStart],
  ['on_parser_stream', chainStream],
  ['on_parser_end', chainEnd],
  ['on_tool_start', toolStart],
  ['on_tool_stream', toolStream],
  ['on_tool_end', toolEnd],
  ['on_tool_error', toolError],
  ['on_retriever_start', retrieverStart],
  ['on_retriever_end', retrieverEnd],
  ['on_custom_event', customEvent],
])

function create(): ParserState {
  const run: Run = {
    graph: createGraph(),
    tools: new Map(),
    recentTexts: new Set(),
    messageIds: new Set(),
    hasQuestion: false,
    root: undefined,
    isEnded: false,
  }
  let isBegun = false

  return {
    push(value) {
      if (!isEvent(value)) return unmapped(value)
      const row = rows.get(value.event) ?? (value.event.endsWith('_error') ? runError : undefined)
      if (row === undefined) return unmapped(value)
      const isRoot = !isBegun && isOutermost(value)
      if (isRoot) run.root = value.run_id ?? undefined
      isBegun = true
      const { graph } = run
      const rowEvents = row(run, value)
      const events = graph.interrupts.withAnswers(graph.namespaces.withEnds([...rowEvents]))
      if (value.event.endsWith('_end') && value.run_id === run.root) run.isEnded = true
      if (isRoot && value.event !== 'on_chain_start') return [...rootEvents(value), ...events]
      return events.length === 0 ? rowEvents : events
    },
    end() {
      const { graph, root, isEnded } = run
      if (!isBegun || graph.ending === 'failed') return []
      if (graph.interrupts.isWaiting()) return [{ type: 'run-end', outcome: 'awaiting-input', reason: 'interrupt' }]
      if (graph.emitter.isInTheMiddle() || (root !== undefined && !isEnded)) return []
      const outcome = graph.emitter.isWaitingForTools() ? 'awaiting-input' : 'success'
      return [...graph.emitter.endFinished(), { type: 'run-end', outcome }]
    },
  }
}
