import { present } from '../data/present.ts'
import { isJsonObject } from '../json.ts'
import { objectIn, textIn } from './kit/fields.ts'
import { keepRaw, metadata } from './kit/keep.ts'
import { byNames } from './kit/rows.ts'
import type { Out } from './kit/voice.ts'
import { endEvents, errorOf, withImplied } from './langchain/graph.ts'
import {
  chainEnd,
  chainStart,
  chainStream,
  modelEnd,
  modelStart,
  modelStream,
  promptEnd,
} from './langchain-events/messages.ts'
import { createRun, isEvent, type RawEvent, type Row } from './langchain-events/run.ts'
import { toolEnd, toolError, toolStart, toolStream } from './langchain-events/tools.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** LangChain's `astream_events`, version 2: every runnable in a run reports when it starts, streams and ends. */
export const langchainEvents: Parser = {
  version: 5,
  losses: {
    cost: 'Usage counts tokens.',
    control: 'Requests of a person are the input of the next run.',
    times: 'No event carries a time.',
  },
  recognize({ value }) {
    if (!isEvent(value)) return undefined
    const isWhole = typeof value.run_id === 'string' && value.data !== undefined
    return { certainty: isWhole ? 1 : 0.6, reason: `a LangChain event "${value.event}"` }
  },
  create,
}

const retrieverStart: Row = (out, run, raw, { input }) => {
  const query = textIn(input) ?? textIn(objectIn(input).query)
  const { agent } = run.enter(out, raw, false)
  if (query === undefined) keepRaw(out, raw)
  else out.push({ type: 'status', message: `${textIn(raw.name) ?? 'Search'}: ${query}`, level: 'info', ...agent })
}

/** The documents that a retriever found. */
const retrieverEnd: Row = (out, run, raw, { output }) => {
  const documents = Array.isArray(output) ? output : objectIn(output).documents
  if (!Array.isArray(documents) || !documents.every(isJsonObject)) return keepRaw(out, raw)
  const { agent } = run.enter(out, raw, false)
  for (const [at, document] of documents.entries()) {
    const fields = objectIn(document.kwargs ?? document)
    const origin = objectIn(fields.metadata)
    const address = textIn(origin.url) ?? textIn(origin.source)
    const url = address !== undefined && /^https?:/i.test(address) ? address : undefined
    const title = textIn(origin.title) ?? (url === undefined ? address : undefined)
    const snippet = textIn(fields.page_content) ?? textIn(fields.pageContent)
    const kind = url === undefined ? 'document' : 'url'
    const sourceId = `${raw.run_id}:source-${at}`
    out.push({ type: 'source', sourceId, kind, ...present({ url, title, snippet }), ...agent })
  }
}

/** A custom event of the application. */
const customEvent: Row = (out, run, raw) => {
  const { agent } = run.enter(out, raw, false)
  out.push({ type: 'data', name: textIn(raw.name) ?? 'custom', data: raw.data ?? null, ...agent })
}

/** A run that failed. Its caller may continue; if it is the outermost run, the whole run has failed. */
const runError: Row = (out, run, raw, data) => {
  const error = errorOf(data.error ?? raw.data)
  if (raw.run_id !== run.root || raw.run_id === undefined) out.push({ type: 'error', ...error })
  else {
    run.graph.ending = 'failed'
    out.push({ type: 'run-end', outcome: 'error', error })
  }
}

const rows = byNames<Row>([
  [modelStart, 'on_chat_model_start on_llm_start'],
  [modelStream, 'on_chat_model_stream on_llm_stream'],
  [modelEnd, 'on_chat_model_end on_llm_end'],
  [chainStart, 'on_chain_start on_prompt_start on_parser_start'],
  [chainStream, 'on_chain_stream on_parser_stream'],
  [chainEnd, 'on_chain_end on_parser_end'],
  [promptEnd, 'on_prompt_end'],
  [toolStart, 'on_tool_start'],
  [toolStream, 'on_tool_stream'],
  [toolEnd, 'on_tool_end'],
  [toolError, 'on_tool_error'],
  [retrieverStart, 'on_retriever_start'],
  [retrieverEnd, 'on_retriever_end'],
  [customEvent, 'on_custom_event'],
  [runError, 'on_chat_model_error on_llm_error on_chain_error on_prompt_error on_parser_error on_retriever_error'],
])

/** Whether the first event of a stream belongs to the outermost run. A stream may leave out outer runs. */
function isOutermost({ event, parent_ids, metadata }: RawEvent): boolean {
  return event.endsWith('_start') && !parent_ids?.length && metadata?.langgraph_node === undefined
}

function create(): ParserState {
  const run = createRun()
  const { graph } = run

  return {
    push(value) {
      const row = isEvent(value) ? rows.get(value.event) : undefined
      if (!isEvent(value) || row === undefined) return unmapped(value)
      // Only an application sends lists.
      if (Array.isArray(value.data) && row !== customEvent) return unmapped(value)
      const out: Out = []
      if (!graph.isBegun && isOutermost(value)) {
        run.root = value.run_id ?? undefined
        if (run.root !== undefined) graph.ending = 'running'
        out.push(
          { type: 'run-start', ...present({ agent: textIn(value.name) }) },
          ...metadata(objectIn(value.metadata)),
        )
      }
      graph.isBegun = true
      row(out, run, value, objectIn(value.data))
      // From now on, the messages show whether the run was cut off.
      if (value.event.endsWith('_end') && value.run_id === run.root && graph.ending === 'running') graph.ending = 'none'
      return understood(withImplied(graph, out))
    },
    end: () => endEvents(graph),
  }
}
