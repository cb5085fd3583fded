import type { StreamEvent } from '../events.ts'
import { createGraph } from './langchain/graph.ts'
import { chainEnd, chainStart, chainStream, promptEnd, rootEvents } from './langchain-events/chains.ts'
import { modelEnd, modelStart, modelStream } from './langchain-events/models.ts'
import { customEvent, failed, retrieverEnd, retrieverStart } from './langchain-events/others.ts'
import { isEvent, type RawEvent } from './langchain-events/raw.ts'
import { recognize } from './langchain-events/recognize.ts'
import type { Run } from './langchain-events/run.ts'
import { toolEnd, toolError, toolStart, toolStream } from './langchain-events/tools.ts'
import { type Parser, type ParserState, unmapped } from './parser.ts'

/** LangChain's `astream_events`, version 2: every runnable inside a run says when it starts, streams and ends. */
export const langchainEvents: Parser = {
  version: 2,
  losses: {
    cost: 'Usage counts tokens.',
    control: 'What a person asks for is the input of the next run.',
    times: 'No event carries a time.',
  },
  recognize,
  create,
}

/** Whether the first event of a stream is that of the outermost run: a stream may leave out the runs around others. */
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
    said: new Set(),
    seen: new Set(),
    hasQuestion: false,
    root: undefined,
    isEnded: false,
  }
  let isBegun = false

  return {
    push(value) {
      if (!isEvent(value)) return unmapped(value)
      const row = rows.get(value.event) ?? (value.event.endsWith('_error') ? failed : undefined)
      if (row === undefined) return unmapped(value)
      const isRoot = !isBegun && isOutermost(value)
      if (isRoot) run.root = value.run_id ?? undefined
      isBegun = true
      const { graph } = run
      const told = row(run, value)
      const events = graph.interrupts.withAnswers(graph.namespaces.withEnds([...told]))
      if (value.event.endsWith('_end') && value.run_id === run.root) run.isEnded = true
      if (isRoot && value.event !== 'on_chain_start') return [...rootEvents(value), ...events]
      return events.length === 0 ? told : events
    },
    end() {
      const { graph, root, isEnded } = run
      if (!isBegun || graph.ending === 'failed') return []
      if (graph.interrupts.isWaiting()) return [{ type: 'run-end', outcome: 'awaiting-input', reason: 'interrupt' }]
      if (graph.teller.isInTheMiddle() || (root !== undefined && !isEnded)) return []
      const outcome = graph.teller.isWaitingForTools() ? 'awaiting-input' : 'success'
      return [...graph.teller.endFinished(), { type: 'run-end', outcome }]
    },
  }
}
