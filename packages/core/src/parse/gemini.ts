import { present } from '../data/present.ts'
import type { RunError, UsageCounts } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { type CandidateReader, createCandidate } from './gemini/candidate.ts'
import { chunksOf, isPlain, looksLikeResponse, recognize, usageOf, type WrappedChunk } from './gemini/chunk.ts'
import { createChangedFields, createUnanswered } from './gemini/google.ts'
import type { Candidate, Chunk, PromptFeedback, RawError, RawUsage } from './gemini/raw.ts'
import { cutCalls } from './kit/cut-calls.ts'
import { keep, metadata } from './kit/keep.ts'
import { createUniqueIds, type UniqueIds } from './kit/unique-ids.ts'
import type { Out } from './kit/voice.ts'
import { joined, type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Gemini's generateContent, streamed or whole. One stream may hold several responses: the turns of an agent loop. */
export const gemini: Parser = {
  version: 5,
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
type Response = ReturnType<typeof newResponse>

function newResponse({ responseId, modelVersion }: Chunk, number: number, uniqueIds: UniqueIds) {
  const messageId = responseId ?? `response-${number}`
  return {
    /** Its own id, as soon as a chunk has it. */
    id: responseId,
    messageId,
    prefix: uniqueIds.claim(messageId),
    number,
    candidates: new Map<number, CandidateReader>(),
    /** The usage so far, and the part of it that belongs to the messages before the current one. */
    used: {} as UsageCounts,
    usedBefore: {} as UsageCounts,
    model: modelVersion,
    promptTokens: undefined as number | undefined,
    isFinished: false,
  }
}

function create(): ParserState {
  const uniqueIds = createUniqueIds()
  const unanswered = createUnanswered()
  const changedFields = createChangedFields(['candidates', 'usageMetadata', 'responseId', 'error', 'modelVersion'])
  let response: Response | undefined
  let count = 0
  let isFailed = false

  /**
   * Whether a chunk begins another response. Without ids, a finished response is followed by another one if the count
   * of prompt tokens differs: models finish twice after running code, and old servers with every chunk. A chunk that
   * only has function results belongs to the response that made the calls.
   */
  function isAnother(before: Response, { responseId, candidates, usageMetadata }: Chunk): boolean {
    if (responseId && before.id) return responseId !== before.id
    const hasContent =
      candidates?.some(({ content }) => content?.parts?.some((part) => !part.functionResponse)) ?? false
    if (!before.isFinished || !hasContent) return false
    const prompt = usageMetadata?.promptTokenCount ?? undefined
    return prompt === undefined ? unanswered.awaitsClient(before.number) : prompt !== before.promptTokens
  }

  function startResponse(out: Out, chunk: Chunk): Response {
    endResponse(out, response)
    count += 1
    response = newResponse(chunk, count, uniqueIds)
    isFailed = false
    if (count === 1) out.push({ type: 'run-start', ...present({ model: chunk.modelVersion }) })
    return response
  }

  /** Begins the message of a candidate. */
  function startCandidate(out: Out, target: Response, index: number, model: Chunk['modelVersion']): CandidateReader {
    const suffix = index === 0 ? '' : `.${index}`
    const messageId = `${target.messageId}${suffix}`
    const prefix = `${target.prefix}${suffix}`
    const reader = createCandidate(messageId, prefix, target.number, unanswered)
    out.push({ type: 'message-start', messageId, role: 'assistant', ...present({ model }) })
    if (target.candidates.size === 0) out.push({ type: 'step-start', kind: 'model' })
    else target.usedBefore = target.used
    target.candidates.set(index, reader)
    return reader
  }

  function readCandidate(out: Out, target: Response, candidate: Candidate, model: Chunk['modelVersion']): void {
    const index = Math.min(candidate.index ?? 0, MAX_CANDIDATES - 1)
    const reader = target.candidates.get(index) ?? startCandidate(out, target, index, model)
    reader.read(out, candidate)
    target.isFinished ||= reader.finishReason !== undefined
  }

  function readResponse(out: Out, { chunk, envelope }: WrappedChunk): void {
    const { candidates, promptFeedback, usageMetadata, modelVersion } = chunk
    const target = response === undefined || isAnother(response, chunk) ? startResponse(out, chunk) : response
    target.id ??= chunk.responseId
    for (const candidate of candidates ?? []) readCandidate(out, target, candidate, modelVersion)
    if (usageMetadata) addUsage(out, target, usageMetadata)
    target.promptTokens = usageMetadata?.promptTokenCount ?? target.promptTokens
    const newModel = !target.model && modelVersion ? { model: modelVersion } : {}
    target.model ??= modelVersion
    out.push(...metadata(changedFields({ ...chunk, ...envelope, ...newModel })))
    if (promptFeedback?.blockReason && !candidates?.length) fail(out, blockedError(promptFeedback), {})
  }

  function readChunk(wrapped: WrappedChunk): readonly StreamEvent[] {
    const { chunk } = wrapped
    const { error } = chunk
    const out: Out = []
    if (looksLikeResponse(chunk)) readResponse(out, wrapped)
    if (error) fail(out, errorOf(error), typeof error === 'string' ? {} : { details: error.details })
    return isPlain(chunk) ? understood(out) : out
  }

  /** Ends the run with an error. A response that has finished before it is not cut off. */
  function fail(out: Out, error: RunError, kept: object): void {
    if (response?.isFinished) {
      endResponse(out, response)
      response = undefined
    }
    isFailed = true
    out.push({ type: 'run-end', outcome: 'error', error, ...present({ reason: error.code }), ...keep('google', kept) })
  }

  return {
    push(value) {
      const chunks = chunksOf(value)
      if (chunks === undefined) return unmapped(value)
      return chunks.length === 1 && chunks[0] !== undefined ? readChunk(chunks[0]) : joined(chunks.map(readChunk))
    },
    end() {
      if (response === undefined || isFailed || !response.isFinished) return []
      const out: Out = []
      endResponse(out, response)
      const answers = [...response.candidates.values()]
      const [first] = answers
      const error = answers.every(({ failure }) => failure !== undefined) ? first?.failure : undefined
      // Calls of earlier responses were answered, though the stream does not have their results.
      if (!unanswered.awaitsClient(response.number)) out.push(...cutCalls(unanswered.ofClient()))
      const outcome = error === undefined ? 'success' : 'error'
      out.push({ type: 'run-end', outcome, ...present({ error, reason: first?.finishReason }) })
      return out
    },
  }
}

function endResponse(out: Out, response: Response | undefined): void {
  if (response === undefined || response.candidates.size === 0) return
  const answers = [...response.candidates.values()]
  for (const answer of answers) answer.close(out)
  out.push({ type: 'step-end', ...present({ reason: answers[0]?.finishReason }) })
  for (const { messageId } of answers) out.push({ type: 'message-end', messageId })
}

/** Every chunk may have the counts of the response so far. */
function addUsage(out: Out, response: Response, raw: RawUsage): void {
  const { counts, otherFields } = usageOf(raw)
  const { used, usedBefore } = response
  const countOf = (counts: UsageCounts, name: string) => counts[name as keyof UsageCounts]
  if (Object.entries(counts).every(([name, count]) => countOf(used, name) === count)) return
  response.used = { ...used, ...counts }
  const ofMessage = Object.entries(response.used).map(([name, count]) => [
    name,
    count - (countOf(usedBefore, name) ?? 0),
  ])
  const usage = Object.fromEntries(ofMessage) as UsageCounts
  out.push({ type: 'usage', scope: 'step', mode: 'snapshot', ...usage, ...keep('google', otherFields) })
}

function blockedError({ blockReason, blockReasonMessage }: PromptFeedback): RunError {
  return { message: blockReasonMessage || `The prompt was blocked: ${blockReason}`, ...present({ code: blockReason }) }
}

function errorOf(error: RawError | string): RunError {
  if (typeof error === 'string') return { message: error }
  const code = (error.status ?? error.code)?.toString()
  return { message: error.message || 'An error occurred', ...present({ code }) }
}
