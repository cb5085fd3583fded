import { present } from '../data/present.ts'
import { remember } from '../data/remember.ts'
import type { RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { type CandidateReader, createCandidate } from './gemini/candidate.ts'
import { chunksOf, isPlain, looksLikeResponse, type WrappedChunk } from './gemini/chunk.ts'
import { createUnanswered } from './gemini/message-scope.ts'
import { createChangedFields, keep } from './gemini/meta.ts'
import type { Candidate, Chunk, PromptFeedback, RawError } from './gemini/raw.ts'
import { recognize } from './gemini/recognize.ts'
import { createUsage, type Usage } from './gemini/usage.ts'
import { joined, type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Gemini's generateContent, streamed or whole. One stream may hold several responses: the turns of an agent loop. */
export const gemini: Parser = {
  version: 4,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message cannot be taken back.',
    encrypted: 'Thoughts are signed, not encrypted.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'tool-nesting': 'A call does not name the call that made it.',
    approvals: 'The program that runs the tools handles approvals.',
    subagents: 'A response belongs to one model.',
    'subagent-content': 'A response belongs to one model.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'Requests of a person go into the next request.',
    times: 'A record has the time of the request, not the time when it was sent.',
  },
  recognize,
  create,
}

/** The most candidates of a response. Any further ones are added to the last. */
const MAX_CANDIDATES = 64

/** The response that is being read. */
interface Response {
  /** Its own id, as soon as a chunk has it. */
  id: string | undefined
  readonly messageId: string
  readonly prefix: string
  readonly number: number
  readonly candidates: Map<number, CandidateReader>
  readonly usage: Usage
  model: string | undefined
  promptTokens: number | undefined
  isFinished: boolean
}

function create(): ParserState {
  const timesSeen = new Map<string, number>()
  const unanswered = createUnanswered()
  const changedFields = createChangedFields()
  let response: Response | undefined
  let count = 0
  let ending: 'none' | 'failed' = 'none'

  /**
   * Whether a chunk begins another response. Without ids, a finished response is followed by another one if the count
   * of prompt tokens differs: models finish twice after running code, and old servers with every chunk. A chunk that
   * only has function results belongs to the response that made the calls.
   */
  function isAnother(before: Response, { responseId, candidates, usageMetadata }: Chunk): boolean {
    if (responseId && before.id !== undefined) return responseId !== before.id
    const hasContent =
      candidates?.some(({ content }) => content?.parts?.some((part) => !part.functionResponse)) ?? false
    if (!before.isFinished || !hasContent) return false
    const prompt = usageMetadata?.promptTokenCount ?? undefined
    return prompt === undefined ? unanswered.awaitsClient(before.number) : prompt !== before.promptTokens
  }

  /** Adds the end of the response before, and for the first the start of the run, to the events. */
  function startResponse(chunk: Chunk, events: StreamEvent[]): Response {
    events.push(...endResponse(response))
    count += 1
    const messageId = chunk.responseId ?? `response-${count}`
    const times = timesSeen.get(messageId) ?? 0
    remember(timesSeen, messageId, times + 1)
    response = {
      id: chunk.responseId ?? undefined,
      messageId,
      prefix: times === 0 ? messageId : `${messageId}#${times + 1}`,
      number: count,
      candidates: new Map(),
      usage: createUsage(),
      model: chunk.modelVersion ?? undefined,
      promptTokens: undefined,
      isFinished: false,
    }
    ending = 'none'
    if (count === 1) events.push({ type: 'run-start', ...present({ model: chunk.modelVersion }) })
    return response
  }

  /** Begins the message of a candidate. */
  function startCandidate(target: Response, index: number, chunk: Chunk): StreamEvent[] {
    const suffix = index === 0 ? '' : `.${index}`
    const messageId = `${target.messageId}${suffix}`
    const scope = { messageId, prefix: `${target.prefix}${suffix}`, response: target.number, unanswered }
    const isFirst = target.candidates.size === 0
    target.candidates.set(index, createCandidate(scope))
    if (!isFirst) target.usage.nextMessage()
    return [
      { type: 'message-start', messageId, role: 'assistant', ...present({ model: chunk.modelVersion }) },
      ...(isFirst ? [{ type: 'step-start' as const, kind: 'model' as const }] : []),
    ]
  }

  function readCandidate(target: Response, candidate: Candidate, chunk: Chunk): StreamEvent[] {
    const index = Math.min(candidate.index ?? 0, MAX_CANDIDATES - 1)
    const started = target.candidates.has(index) ? [] : startCandidate(target, index, chunk)
    const reader = target.candidates.get(index)
    const read = reader?.read(candidate) ?? []
    target.isFinished ||= reader?.finishReason !== undefined
    return started.length === 0 ? read : [...started, ...read]
  }

  function readResponse({ chunk, envelope }: WrappedChunk): StreamEvent[] {
    const { candidates, promptFeedback, usageMetadata, modelVersion } = chunk
    const events: StreamEvent[] = []
    const target = response === undefined || isAnother(response, chunk) ? startResponse(chunk, events) : response
    target.id ??= chunk.responseId ?? undefined
    for (const candidate of candidates ?? []) events.push(...readCandidate(target, candidate, chunk))
    if (usageMetadata) events.push(...target.usage.read(usageMetadata))
    target.promptTokens = usageMetadata?.promptTokenCount ?? target.promptTokens
    const isNewModel = target.model === undefined && modelVersion
    const newMetadata = changedFields({
      ...otherFields(chunk),
      ...envelope,
      ...(isNewModel && { model: modelVersion }),
    })
    target.model ??= modelVersion ?? undefined
    if (newMetadata !== undefined) events.push({ type: 'metadata', metadata: newMetadata })
    if (promptFeedback?.blockReason && !candidates?.length) events.push(...fail(blockedError(promptFeedback), {}))
    return events
  }

  function readChunk(wrapped: WrappedChunk): readonly StreamEvent[] {
    const { chunk } = wrapped
    const { error } = chunk
    const events = looksLikeResponse(chunk) ? readResponse(wrapped) : []
    if (!error) return isPlain(chunk) ? understood(events) : events
    return [...events, ...fail(errorOf(error), typeof error === 'string' ? {} : { details: error.details })]
  }

  /** Ends the run with an error. A response that has finished before it is not cut off. */
  function fail(error: RunError, kept: { readonly [field: string]: unknown }): StreamEvent[] {
    const ended = response?.isFinished ? endResponse(response) : []
    if (ended.length > 0) response = undefined
    ending = 'failed'
    return [...ended, { type: 'run-end', outcome: 'error', error, ...present({ reason: error.code }), ...keep(kept) }]
  }

  return {
    push(value) {
      const chunks = chunksOf(value)
      if (chunks === undefined) return unmapped(value)
      return chunks.length === 1 && chunks[0] !== undefined ? readChunk(chunks[0]) : joined(chunks.map(readChunk))
    },
    end() {
      if (response === undefined || ending === 'failed' || !response.isFinished) return []
      const answers = [...response.candidates.values()]
      const reason = answers[0]?.finishReason
      const error = answers.every(({ failure }) => failure !== undefined) ? answers[0]?.failure : undefined
      const outcome = unanswered.awaitsClient(response.number) ? 'awaiting-input' : 'success'
      const end = error === undefined ? { outcome } : { outcome: 'error', error }
      return [...endResponse(response), { type: 'run-end', ...end, ...present({ reason }) } as StreamEvent]
    },
  }
}

function endResponse(response: Response | undefined): StreamEvent[] {
  if (response === undefined || response.candidates.size === 0) return []
  const answers = [...response.candidates.values()]
  return [
    ...answers.flatMap((answer) => answer.close()),
    { type: 'step-end', ...present({ reason: answers[0]?.finishReason }) },
    ...answers.map(({ scope: { messageId } }) => ({ type: 'message-end' as const, messageId })),
  ]
}

/** The fields of a chunk that become metadata. */
function otherFields(chunk: Chunk): object {
  const { candidates: _, usageMetadata: _usage, responseId: _id, error: _error, modelVersion: _model, ...rest } = chunk
  return rest
}

function blockedError({ blockReason, blockReasonMessage }: PromptFeedback) {
  return { message: blockReasonMessage || `The prompt was blocked: ${blockReason}`, ...present({ code: blockReason }) }
}

function errorOf(error: RawError | string) {
  if (typeof error === 'string') return { message: error }
  const code = error.status ?? error.code
  return {
    message: error.message || 'An error occurred',
    ...(code !== null && code !== undefined && { code: String(code) }),
  }
}
