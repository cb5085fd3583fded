import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { errorOf } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import { understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { originOf, type Run } from './run.ts'

export function retrieverStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { input } = objectOf(raw.data)
  const query = wordOf(input) ?? wordOf(objectOf(input).query)
  const { place: origin, events } = originOf(run, raw, false)
  if (query === undefined) return [...events, ...unmapped(raw)]
  const agent = present({ agentId: origin.scope.agentId })
  return [...events, { type: 'status', message: `${wordOf(raw.name) ?? 'Search'}: ${query}`, level: 'info', ...agent }]
}

/** The documents that a retriever found. */
export function retrieverEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  const documents = Array.isArray(output) ? output : objectOf(output).documents
  if (!Array.isArray(documents)) return unmapped(raw)
  const { place: origin, events } = originOf(run, raw, false)
  const agent = present({ agentId: origin.scope.agentId })
  const sources = documents.filter(isJsonObject).map((document, at): StreamEvent => {
    const fields = objectOf(document.kwargs ?? document)
    const metadata = objectOf(fields.metadata)
    const address = wordOf(metadata.url) ?? wordOf(metadata.source)
    const url = address !== undefined && /^https?:/i.test(address) ? address : undefined
    const title = wordOf(metadata.title) ?? (url === undefined ? address : undefined)
    const snippet = wordOf(fields.page_content) ?? wordOf(fields.pageContent)
    const kind = url === undefined ? 'document' : 'url'
    return {
      type: 'source',
      sourceId: `${raw.run_id}:source-${at}`,
      kind,
      ...present({ url, title, snippet }),
      ...agent,
    }
  })
  return understood([...events, ...sources])
}

/** A custom event of the application. */
export function customEvent(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { place: origin, events } = originOf(run, raw, false)
  const agent = present({ agentId: origin.scope.agentId })
  return [...events, { type: 'data', name: wordOf(raw.name) ?? 'custom', data: raw.data ?? null, ...agent }]
}

/** A run that failed. Its caller may continue; if it is the outermost run, the whole run has failed. */
export function runError(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const error = errorOf(objectOf(raw.data).error ?? raw.data)
  if (raw.run_id !== run.root || raw.run_id === undefined) return [{ type: 'error', ...error }]
  run.graph.ending = 'failed'
  return [{ type: 'run-end', outcome: 'error', error }]
}
