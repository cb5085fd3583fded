import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { createBlocks } from './blocks.ts'
import { createCalls } from './calls.ts'
import { createCitations } from './citations.ts'
import { type CandidateScope, createMint } from './message-scope.ts'
import { createChangedFields } from './meta.ts'
import { partEvents } from './parts.ts'
import type { Candidate, CitationMetadata, GroundingMetadata, UrlContextMetadata } from './raw.ts'
import { createSources } from './sources.ts'

/** Reads one candidate of a response, which is a message of its own. */
export interface CandidateReader {
  readonly scope: CandidateScope
  /** Why the model stopped, once a chunk has the reason. The model may still continue. */
  finishReason: string | undefined
  /** The error, if the reason to stop is a failure. */
  failure: RunError | undefined
  read(candidate: Candidate): StreamEvent[]
  /** Ends what is open. A reason to stop does not, because old servers send one with every chunk. */
  close(): StreamEvent[]
}

/** Finish reasons of an unusable answer. `finishMessage` has the details. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
])

/** Finish reasons of an answer that a content rule cut short. */
const FILTERED =
  /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_(?:SAFETY|PROHIBITED_CONTENT|RECITATION))$/

export function createCandidate(scope: CandidateScope): CandidateReader {
  const mint = createMint(scope.prefix)
  const blocks = createBlocks(scope, mint)
  const calls = createCalls(scope, mint)
  const parts = { scope, mint, blocks, calls }
  const sources = createSources(scope, mint)
  const citations = createCitations(blocks.texts)
  const changedFields = createChangedFields()
  const { messageId, prefix } = scope

  const dataEvent = (name: string, data: unknown): StreamEvent => ({
    type: 'data',
    name,
    id: `${prefix}:${name}`,
    messageId,
    data: data as Json,
  })

  /** The events of each detail of a candidate. */
  const details: { readonly [field: string]: (value: never) => readonly StreamEvent[] } = {
    groundingMetadata(metadata: GroundingMetadata) {
      if (Object.keys(metadata).length === 0) return []
      const { events, references } = sources.add(metadata.groundingChunks ?? [])
      return [
        ...events,
        ...citations.support(metadata.groundingSupports ?? [], references),
        dataEvent('grounding', metadata),
      ]
    },
    citationMetadata(metadata: CitationMetadata) {
      const cited = metadata.citations ?? metadata.citationSources ?? []
      const { events } = sources.add(
        cited.flatMap(({ uri, title }) => (uri ? [{ web: { uri, title: title ?? null } }] : [])),
      )
      return [...events, ...citations.cite(cited)]
    },
    urlContextMetadata(metadata: UrlContextMetadata) {
      const read = (metadata.urlMetadata ?? []).filter(
        ({ urlRetrievalStatus }) => !urlRetrievalStatus?.endsWith('ERROR'),
      )
      const { events } = sources.add(read.flatMap(({ retrievedUrl: uri }) => (uri ? [{ web: { uri } }] : [])))
      return [...events, dataEvent('url-context', metadata)]
    },
    safetyRatings: (ratings: Json) => [dataEvent('safety-ratings', ratings)],
    logprobsResult: (data: Json) => [{ type: 'data', name: 'logprobs', messageId, data, transient: true }],
  }

  function detailEvents(fields: JsonObject): readonly StreamEvent[] {
    const otherFields: Record<string, Json> = {}
    const events: StreamEvent[] = []
    for (const [field, value] of Object.entries(fields)) {
      const row = Object.hasOwn(details, field) ? details[field] : undefined
      if (row === undefined) otherFields[field] = value
      else events.push(...row(value as never))
    }
    if (Object.keys(otherFields).length > 0) events.push({ type: 'metadata', metadata: otherFields })
    return events
  }

  const reader: CandidateReader = {
    scope,
    finishReason: undefined,
    failure: undefined,
    read(candidate) {
      const events: StreamEvent[] = []
      for (const part of candidate.content?.parts ?? []) {
        for (const event of partEvents(part, parts)) events.push(event)
      }
      const finishReason = reasonOf(candidate)
      if (finishReason !== undefined) {
        events.push(...calls.close())
        reader.finishReason = finishReason
        reader.failure = failureOf(finishReason, candidate.finishMessage)
      }
      const changed = hasDetails(candidate) ? changedFields(detailsOf(candidate)) : undefined
      if (changed !== undefined) events.push(...detailEvents(changed))
      if (finishReason !== undefined) events.push(...endingEvents(reader, finishReason))
      return events
    },
    close: () => [...blocks.close(), ...calls.close()],
  }
  return reader
}

/** Some gateways send an unspecified reason with every chunk. */
function reasonOf({ finishReason }: Candidate): string | undefined {
  return finishReason && finishReason !== 'FINISH_REASON_UNSPECIFIED' ? finishReason : undefined
}

function hasDetails(candidate: Candidate): boolean {
  for (const field in candidate) if (field !== 'content' && field !== 'index' && field !== 'finishReason') return true
  return false
}

function detailsOf({ content: _content, index: _index, finishReason: _reason, ...details }: Candidate): object {
  return details
}

function endingEvents({ failure, scope: { messageId } }: CandidateReader, reason: string): StreamEvent[] {
  if (failure !== undefined) return [{ type: 'error', messageId, ...failure }]
  if (!FILTERED.test(reason)) return []
  return [{ type: 'status', messageId, level: 'warn', message: `The answer was cut short: ${reason}` }]
}

function failureOf(reason: string, message: string | null | undefined): RunError | undefined {
  return FAILURES.has(reason) ? { message: message || `The model stopped: ${reason}`, code: reason } : undefined
}
