import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { createBlocks } from './blocks.ts'
import { createCalls } from './calls.ts'
import { createCitations } from './citations.ts'
import { createNews } from './meta.ts'
import { partEvents } from './parts.ts'
import { createMint, type Place } from './place.ts'
import type { Candidate, CitationMetadata, GroundingMetadata, UrlContextMetadata } from './raw.ts'
import { createSources } from './sources.ts'

/** One of the answers of a response, which is a message of its own. */
export interface CandidateReader {
  readonly place: Place
  /** Why the model stopped, once it has said so. It may still go on. */
  finishReason: string | undefined
  /** What went wrong, if the reason to stop is a failure. */
  failure: RunError | undefined
  read(candidate: Candidate): StreamEvent[]
  /** Ends what is open. A reason to stop does not: old servers give one with every chunk. */
  close(): StreamEvent[]
}

/** Finish reasons that mean that the answer is useless; `finishMessage` says more. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
])

/** Finish reasons that mean that somebody's rule has cut the answer short. */
const FILTERED =
  /^(?:SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_(?:SAFETY|PROHIBITED_CONTENT|RECITATION))$/

export function createCandidate(place: Place): CandidateReader {
  const mint = createMint(place.prefix)
  const blocks = createBlocks(place, mint)
  const calls = createCalls(place, mint)
  const parts = { place, mint, blocks, calls }
  const sources = createSources(place, mint)
  const citations = createCitations(blocks.texts)
  const news = createNews()
  const { messageId, prefix } = place

  const dataEvent = (name: string, data: unknown): StreamEvent => ({
    type: 'data',
    name,
    id: `${prefix}:${name}`,
    messageId,
    data: data as Json,
  })

  /** What a candidate says of its answer, each in the events that it becomes. */
  const details: { readonly [field: string]: (value: never) => readonly StreamEvent[] } = {
    groundingMetadata(metadata: GroundingMetadata) {
      if (Object.keys(metadata).length === 0) return []
      const { events, named } = sources.add(metadata.groundingChunks ?? [])
      return [
        ...events,
        ...citations.support(metadata.groundingSupports ?? [], named),
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
    const rest: Record<string, Json> = {}
    const events: StreamEvent[] = []
    for (const [field, value] of Object.entries(fields)) {
      const row = Object.hasOwn(details, field) ? details[field] : undefined
      if (row === undefined) rest[field] = value
      else events.push(...row(value as never))
    }
    if (Object.keys(rest).length > 0) events.push({ type: 'metadata', metadata: rest })
    return events
  }

  const reader: CandidateReader = {
    place,
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
      const told = hasDetails(candidate) ? news(detailsOf(candidate)) : undefined
      if (told !== undefined) events.push(...detailEvents(told))
      if (finishReason !== undefined) events.push(...endingEvents(reader, finishReason))
      return events
    },
    close: () => [...blocks.close(), ...calls.close()],
  }
  return reader
}

/** Some gateways say on every chunk that there is no reason yet. */
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

function endingEvents({ failure, place: { messageId } }: CandidateReader, reason: string): StreamEvent[] {
  if (failure !== undefined) return [{ type: 'error', messageId, ...failure }]
  if (!FILTERED.test(reason)) return []
  return [{ type: 'status', messageId, level: 'warn', message: `The answer was cut short: ${reason}` }]
}

function failureOf(reason: string, message: string | null | undefined): RunError | undefined {
  return FAILURES.has(reason) ? { message: message || `The model stopped: ${reason}`, code: reason } : undefined
}
