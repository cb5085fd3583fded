import { present } from '../data/present.ts'
import { remember } from '../data/remember.ts'
import type { RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { type CandidateReader, createCandidate } from './gemini/candidate.ts'
import { chunksOf, isPlain, looksLikeResponse, type Wrapped } from './gemini/chunk.ts'
import { createNews, keep } from './gemini/meta.ts'
import type { Candidate, Chunk, PromptFeedback, RawError } from './gemini/raw.ts'
import { recognize } from './gemini/recognize.ts'
import { createUnanswered } from './gemini/unanswered.ts'
import { createUsage, type Usage } from './gemini/usage.ts'
import { joined, type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Gemini's generateContent, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const gemini: Parser = {
  version: 2,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    encrypted: 'Thoughts are signed, not encrypted.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'tool-nesting': 'Calls do not say on whose behalf they are made.',
    approvals: 'Approval is the business of whoever runs the tools.',
    subagents: 'A response is one model’s.',
    'subagent-content': 'A response is one model’s.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'What a person asks for goes into the next request.',
    times: 'A record tells when the response was asked for, not when it was sent.',
  },
  recognize,
  create,
}

/** The most answers that a response may have; what comes beyond belongs to the last. */
const MAX_CANDIDATES = 64

/** The response being read. */
interface Response {
  /** Its own id, as soon as a chunk tells it. */
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
  const news = createNews()
  let response: Response | undefined
  let count = 0
  let ending: 'none' | 'failed' = 'none'

  /**
   * Whether a chunk begins another response. Without ids, one that has finished is followed by another if the prompt is
   * another: models finish twice after running code, and old servers with every chunk. What only answers belongs to
   * what asked.
   */
  function isAnother(before: Response, { responseId, candidates, usageMetadata }: Chunk): boolean {
    if (responseId && before.id !== undefined) return responseId !== before.id
    const speaks = candidates?.some(({ content }) => content?.parts?.some((part) => !part.functionResponse)) ?? false
    if (!before.isFinished || !speaks) return false
    const prompt = usageMetadata?.promptTokenCount ?? undefined
    return prompt === undefined ? unanswered.awaitsClient(before.number) : prompt !== before.promptTokens
  }

  function startResponse(chunk: Chunk): StreamEvent[] {
    const ended = endResponse(response)
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
    const start: StreamEvent[] =
      count === 1 ? [{ type: 'run-start', ...present({ model: chunk.modelVersion }) }] : ended
    return start
  }

  /** Begins the message of an answer that has not spoken yet. */
  function startCandidate(into: Response, index: number, chunk: Chunk): StreamEvent[] {
    const suffix = index === 0 ? '' : `.${index}`
    const messageId = `${into.messageId}${suffix}`
    const place = { messageId, prefix: `${into.prefix}${suffix}`, response: into.number, unanswered }
    const isFirst = into.candidates.size === 0
    into.candidates.set(index, createCandidate(place))
    if (!isFirst) into.usage.nextMessage()
    return [
      { type: 'message-start', messageId, role: 'assistant', ...present({ model: chunk.modelVersion }) },
      ...(isFirst ? [{ type: 'step-start' as const, kind: 'model' as const }] : []),
    ]
  }

  function readCandidate(into: Response, candidate: Candidate, chunk: Chunk): StreamEvent[] {
    const index = Math.min(candidate.index ?? 0, MAX_CANDIDATES - 1)
    const started = into.candidates.has(index) ? [] : startCandidate(into, index, chunk)
    const reader = into.candidates.get(index)
    const read = reader?.read(candidate) ?? []
    into.isFinished ||= reader?.finishReason !== undefined
    return started.length === 0 ? read : [...started, ...read]
  }

  function readResponse({ chunk, beside }: Wrapped): StreamEvent[] {
    const { candidates, promptFeedback, usageMetadata, modelVersion } = chunk
    const events = response === undefined || isAnother(response, chunk) ? startResponse(chunk) : []
    const into = response
    if (into === undefined) return events
    into.id ??= chunk.responseId ?? undefined
    for (const candidate of candidates ?? []) events.push(...readCandidate(into, candidate, chunk))
    if (usageMetadata) events.push(...into.usage.read(usageMetadata))
    into.promptTokens = usageMetadata?.promptTokenCount ?? into.promptTokens
    const isNewModel = into.model === undefined && modelVersion
    const told = news({ ...restOf(chunk), ...beside, ...(isNewModel && { model: modelVersion }) })
    into.model ??= modelVersion ?? undefined
    if (told !== undefined) events.push({ type: 'metadata', metadata: told })
    if (promptFeedback?.blockReason && !candidates?.length) events.push(...fail(blockedBy(promptFeedback), {}))
    return events
  }

  function readChunk(wrapped: Wrapped): readonly StreamEvent[] {
    const { chunk } = wrapped
    const { error } = chunk
    const events = looksLikeResponse(chunk) ? readResponse(wrapped) : []
    if (!error) return isPlain(chunk) ? understood(events) : events
    return [...events, ...fail(errorOf(error), typeof error === 'string' ? {} : { details: error.details })]
  }

  /** An error ends the run; a response that has finished before it is not cut off by it. */
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
    ...answers.map(({ place: { messageId } }) => ({ type: 'message-end' as const, messageId })),
  ]
}

/** Whatever else a chunk says of the response. */
function restOf(chunk: Chunk): object {
  const { candidates: _, usageMetadata: _usage, responseId: _id, error: _error, modelVersion: _model, ...rest } = chunk
  return rest
}

function blockedBy({ blockReason, blockReasonMessage }: PromptFeedback) {
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
