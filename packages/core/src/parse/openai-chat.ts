import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { isJsonObject } from '../json.ts'
import { type RawRecord, TERMINATOR } from '../source/source.ts'
import { cutCalls } from './kit/cut-calls.ts'
import { namesIn } from './kit/rows.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import type { Out } from './kit/voice.ts'
import { readSearchResults } from './openai-chat/attachments.ts'
import { startWaitingCall } from './openai-chat/calls.ts'
import { hasOddContent, isReadable } from './openai-chat/check.ts'
import { DELTA_FIELDS, readDelta, readLogprobs, readRepeated } from './openai-chat/delta.ts'
import { addMetadata, errorIn, mergeUsage, rememberField, type SeenFields, usageIn } from './openai-chat/details.ts'
import type { Choice, Chunk, RawUsage } from './openai-chat/raw.ts'
import {
  addUsageEvent,
  endResponse,
  finish,
  isAnother,
  isFinished,
  newResponse,
  type Response,
  speakerOf,
} from './openai-chat/response.ts'
import { addText, type Run, type Speaker } from './openai-chat/speaker.ts'
import { type Parser, type ParserState, type Recognition, SILENT, unmapped } from './parser.ts'

/**
 * Chat Completions of OpenAI and of compatible vendors, streamed or whole; text completions too. One stream may hold
 * several responses: the turns of an agent's loop.
 */
export const openaiChat: Parser = {
  version: 4,
  losses: {
    'other-roles': 'A response holds only messages of the model.',
    retract: 'A message that has begun is never retracted.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs are part of the next request.',
    'tool-nesting': 'A call does not name its caller.',
    approvals: 'The client that runs the tools handles approval.',
    subagents: 'A response is the work of one model.',
    'subagent-content': 'A response is the work of one model.',
    status: 'The stream reports nothing besides the answer.',
    state: 'There is no shared state.',
    control: 'What the user requests is part of the next request.',
    errors: 'Every error ends the stream.',
    times: 'The only time of a response is that of its start, in whole seconds.',
  },
  recognize,
  create,
}

/** Fields that are read, or that carry nothing: the rest becomes metadata. */
const CHUNK_FIELDS = namesIn(
  'id object choices usage error x_groq citations search_results obfuscation p prompt_token_ids',
)
const GROQ_FIELDS = namesIn('id usage error')
const CHOICE_FIELDS = namesIn('index role delta message text finish_reason logprobs error token_ids obfuscation')

/** Finish reasons of answers that were cut off: their calls need no output. */
const CUT_SHORT = namesIn('length content_filter')

function create(): ParserState {
  const run: Run = { ids: createUniqueIds(), openCalls: new Set() }
  const seenFields: SeenFields = new Map()
  let count = 0
  let response: Response | undefined
  /** Usage that arrived before the first choice. */
  let earlyUsage: RawUsage | undefined
  let hasFailed = false

  function begin(out: Out, chunk: Chunk): Response {
    if (response !== undefined) endResponse(out, response)
    count += 1
    const next = newResponse(run.ids.claim(chunk.id || `response-${count}`), chunk, earlyUsage)
    if (count === 1) out.push({ type: 'run-start', ...present({ model: next.model }) })
    rememberField('model', chunk.model, seenFields)
    seenFields.delete('created')
    earlyUsage = undefined
    hasFailed = false
    return next
  }

  function readChoice(out: Out, chunk: Chunk, choice: Choice): void {
    if (response === undefined || isAnother(response, chunk, choice)) response = begin(out, chunk)
    const speaker = speakerOf(out, response, choice.index ?? 0, run)
    const { delta, message, text, logprobs } = choice
    const reason = choice.finish_reason || undefined
    if (delta) readBody(out, speaker, delta)
    // Besides a delta, the message repeats all content so far: only the last one is read.
    if (message && (!delta || reason !== undefined)) {
      if (speaker.hasContent) readRepeated(out, speaker, message)
      else readBody(out, speaker, message)
    }
    if (message && !delta) speaker.isWhole = true
    if (text && !delta && !message) addText(out, speaker, 'text', text)
    if (logprobs) readLogprobs(out, speaker, logprobs)
    addMetadata(out, choice, CHOICE_FIELDS, seenFields, speaker.messageId)
    // A whole completion sometimes has no finish reason, but nothing follows it.
    const isWhole = !delta && Boolean(message) && chunk.object === 'chat.completion'
    if (reason !== undefined || isWhole) finish(out, response, speaker, reason)
  }

  function readBody(out: Out, speaker: Speaker, body: NonNullable<Choice['delta']>): void {
    readDelta(out, speaker, body)
    addMetadata(out, body, DELTA_FIELDS, seenFields, speaker.messageId)
  }

  function readChunkFields(out: Out, chunk: Chunk): void {
    const usage = usageIn(chunk)
    const [first] = response?.speakers.values() ?? []
    if (first !== undefined) readSearchResults(out, first, chunk.search_results, chunk.citations)
    if (response === undefined) earlyUsage = mergeUsage(undefined, usage) ?? earlyUsage
    else {
      response.usage = mergeUsage(response.usage, usage)
      if (usage !== undefined && isEmpty(chunk)) response.isCounted = true
      if (isFinished(response)) addUsageEvent(out, response)
    }
    addMetadata(out, chunk, CHUNK_FIELDS, seenFields)
    if (chunk.x_groq) addMetadata(out, chunk.x_groq, GROQ_FIELDS, seenFields)
  }

  /** The event of a chunk that only continues the open text, as almost every chunk does. */
  function continued(chunk: unknown): StreamEvent[] | undefined {
    if (response === undefined || response.isCounted || !isJsonObject(chunk) || chunk.id !== response.id)
      return undefined
    const { choices } = chunk as Chunk
    const choice = choices?.length === 1 ? choices[0] : undefined
    const speaker = response.speakers.get(choice?.index ?? 0)
    if (speaker === undefined || speaker.isFinished || speaker.waitingCall !== undefined) return undefined
    const text = choice?.delta?.content
    const blockId = speaker.voice.openOf('text')
    if (typeof text !== 'string' || text === '' || blockId === undefined) return undefined
    if (!holdsOnly(choice?.delta, 'content') || !holdsOnly(choice, 'delta', CONTINUED)) return undefined
    if (!holdsOnly(chunk, 'choices', CONTINUED, seenFields)) return undefined
    speaker.textLength += text.length
    return [{ type: 'block-delta', blockId, text }]
  }

  return {
    push(chunk) {
      const delta = continued(chunk)
      if (delta !== undefined) return delta
      if (!isReadable(chunk)) return unmapped(chunk)
      const error = errorIn(chunk)
      if (!isChunk(chunk) && error === undefined) return unmapped(chunk)
      const out: Out = []
      for (const choice of chunk.choices ?? []) readChoice(out, chunk, choice)
      if (response !== undefined && !isEmpty(chunk)) noteId(response, chunk.id ?? '')
      if (isChunk(chunk)) readChunkFields(out, chunk)
      hasFailed ||= error !== undefined
      if (error !== undefined) out.push(error)
      return out.length > 0 || hasOddContent(chunk) ? out : SILENT
    },
    end() {
      const out: Out = []
      if (response === undefined || hasFailed) return out
      const { speakers, reason } = response
      if (!isFinished(response)) {
        // The calls that had a name when the stream was cut off: `balance` closes them.
        for (const speaker of speakers.values()) startWaitingCall(out, speaker)
        return out
      }
      endResponse(out, response)
      const isCut = CUT_SHORT.has(reason ?? '')
      // `balance` awaits the output of a call, but does not know that a call without a name is the client's.
      const isAwaiting = !isCut && [...speakers.values()].some(({ callCount }) => callCount > 0)
      if (isCut) out.push(...cutCalls(run.openCalls))
      out.push({ type: 'run-end', outcome: isAwaiting ? 'awaiting-input' : 'success', ...present({ reason }) })
      return out
    },
  }
}

/** Fields that say nothing new about a text that continues. */
const CONTINUED = namesIn('id object index obfuscation p')

/** Whether the other fields are absent, of these names, or have the value that was seen last. */
function holdsOnly(
  fields: object | null | undefined,
  name: string,
  others?: ReadonlySet<string>,
  seenFields?: SeenFields,
) {
  for (const field in fields) {
    if (field === name || others?.has(field)) continue
    const value = (fields as { readonly [field: string]: unknown })[field]
    if (value !== null && value !== seenFields?.get(field)?.value) return false
  }
  return true
}

function isChunk({ choices, object, usage }: Chunk): boolean {
  return Array.isArray(choices) || (usage !== undefined && usage !== null) || Boolean(object?.startsWith('chat.'))
}

function isEmpty({ choices }: Chunk): boolean {
  return (choices ?? []).length === 0
}

function noteId(response: Response, id: string): void {
  if (id === response.id) return
  if (response.id !== '') response.idChanges += 1
  response.id = id
}

/** The certainty of each `object` value. */
const OBJECTS: { readonly [object: string]: number } = {
  'chat.completion.chunk': 1,
  'chat.completion': 0.95,
  'chat.completion.done': 0.95,
  'chat.reasoning': 0.9,
  'chat.reasoning.done': 0.9,
  text_completion: 0.9,
  'text_completion.chunk': 0.9,
}

function recognize({ value }: RawRecord): Recognition | undefined {
  if (value === TERMINATOR) return { certainty: 0.3, reason: `the stream says ${TERMINATOR}` }
  if (!isJsonObject(value)) return undefined
  const { choices, object, error, usage, prompt_filter_results } = value
  if (!Array.isArray(choices)) {
    // An error whose record has no type.
    if ('type' in value || !isJsonObject(error) || typeof error.message !== 'string') return undefined
    const isOpenAi = 'type' in error && ('code' in error || 'param' in error)
    return { certainty: isOpenAi ? 0.6 : 0.3, reason: 'a record is an error as OpenAI says it' }
  }
  const certainty = typeof object === 'string' ? OBJECTS[object] : undefined
  if (certainty !== undefined) return { certainty, reason: `a record is an OpenAI ${object}` }
  if (choices.some((choice) => isJsonObject(choice) && (isJsonObject(choice.delta) || isJsonObject(choice.message))))
    return { certainty: 0.85, reason: 'a record has choices with deltas' }
  const isBeside = isJsonObject(usage) || Array.isArray(prompt_filter_results) || 'model' in value
  return isBeside ? { certainty: 0.6, reason: 'a record has choices, if empty ones' } : undefined
}
