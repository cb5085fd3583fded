import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { hasOddContent, isReadable } from './openai-chat/check.ts'
import { readChoice } from './openai-chat/delta.ts'
import { addMetadata, rememberField, type SeenFields } from './openai-chat/details.ts'
import { errorIn } from './openai-chat/errors.ts'
import type { Choice, Chunk, RawUsage } from './openai-chat/raw.ts'
import { recognize } from './openai-chat/recognize.ts'
import {
  addUsage,
  addUsageEvent,
  endResponse,
  finish,
  isAnother,
  isFinished,
  leaveResponse,
  newRun,
  type Response,
  speakerOf,
  startResponse,
} from './openai-chat/response.ts'
import { readSearchResults } from './openai-chat/sources.ts'
import type { Out } from './openai-chat/speaker.ts'
import { usageIn } from './openai-chat/usage.ts'
import { type Parser, type ParserState, SILENT, unmapped } from './parser.ts'

/**
 * Chat Completions of OpenAI and of compatible vendors, streamed or whole; text completions too. One stream may hold
 * several responses: the turns of an agent's loop.
 */
export const openaiChat: Parser = {
  version: 3,
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

/** Fields of a chunk that are read, or that carry nothing: the rest becomes metadata. */
const CHUNK_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'choices',
  'usage',
  'error',
  'x_groq',
  'citations',
  'search_results',
  'obfuscation',
  'p',
  'prompt_token_ids',
])
const GROQ_FIELDS: ReadonlySet<string> = new Set(['id', 'usage', 'error'])
const CHOICE_FIELDS: ReadonlySet<string> = new Set([
  'index',
  'role',
  'delta',
  'message',
  'text',
  'finish_reason',
  'logprobs',
  'error',
  'token_ids',
  'obfuscation',
])

/** Finish reasons of answers that were cut off: their calls need no output. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'content_filter'])

function create(): ParserState {
  const run = newRun()
  const seenFields: SeenFields = new Map()
  let response: Response | undefined
  /** Usage that arrived before the first choice. */
  let earlyUsage: RawUsage | undefined
  let hasFailed = false

  function begin(chunk: Chunk, out: Out): Response {
    if (response !== undefined) out.push(...endResponse(response))
    const next = startResponse(run, chunk)
    if (run.count === 1) out.push({ type: 'run-start', ...present({ model: next.model }) })
    rememberField('model', chunk.model, seenFields)
    seenFields.delete('created')
    if (earlyUsage !== undefined) addUsage(next, earlyUsage)
    earlyUsage = undefined
    hasFailed = false
    return next
  }

  function readChunkChoice(chunk: Chunk, choice: Choice, out: Out): void {
    if (response === undefined || isAnother(response, chunk, choice)) response = begin(chunk, out)
    const speaker = speakerOf(response, choice.index ?? 0, run.ids, out)
    readChoice(speaker, choice, seenFields, out)
    addMetadata(choice, CHOICE_FIELDS, seenFields, speaker.messageId, out)
    const reason = choice.finish_reason || undefined
    if (reason !== undefined || isWhole(chunk, choice)) finish(response, speaker, reason, out)
  }

  function readChunkFields(chunk: Chunk, out: Out): void {
    const usage = usageIn(chunk)
    if (response === undefined) {
      earlyUsage = usage ?? earlyUsage
    } else {
      const [first] = response.speakers.values()
      if (first !== undefined) readSearchResults(first, chunk.search_results, chunk.citations, out)
      if (usage !== undefined) addUsage(response, usage)
      if (usage !== undefined && isEmpty(chunk)) response.isCounted = true
      if (isFinished(response)) addUsageEvent(response, out)
    }
    addMetadata(chunk, CHUNK_FIELDS, seenFields, undefined, out)
    addMetadata(chunk.x_groq ?? {}, GROQ_FIELDS, seenFields, undefined, out)
  }

  return {
    push(value) {
      if (!isReadable(value)) return unmapped(value)
      const chunk = value
      const error = errorIn(chunk)
      if (!isChunk(chunk) && error === undefined) return unmapped(value)
      const out: Out = []
      for (const choice of chunk.choices ?? []) readChunkChoice(chunk, choice, out)
      if (response !== undefined && !isEmpty(chunk)) noteId(response, chunk.id ?? '')
      if (isChunk(chunk)) readChunkFields(chunk, out)
      if (error === undefined) return out.length > 0 || hasOddContent(chunk) ? out : SILENT
      hasFailed = true
      return [...out, error]
    },
    end() {
      if (response === undefined || hasFailed) return []
      return isFinished(response) ? [...endResponse(response), endOf(response)] : leaveResponse(response)
    },
  }
}

function isChunk({ choices, object, usage }: Chunk): boolean {
  return Array.isArray(choices) || (usage !== undefined && usage !== null) || Boolean(object?.startsWith('chat.'))
}

function isEmpty({ choices }: Chunk): boolean {
  return (choices ?? []).length === 0
}

/** A whole completion sometimes has no finish reason, but nothing follows it. */
function isWhole({ object }: Chunk, { delta, message }: Choice): boolean {
  return !delta && message !== undefined && message !== null && object === 'chat.completion'
}

function noteId(response: Response, id: string): void {
  if (id === response.id) return
  if (response.id !== '') response.idChanges += 1
  response.id = id
}

function endOf({ speakers, reason }: Response): StreamEvent {
  const hasCalls = [...speakers.values()].some(({ callCount }) => callCount > 0)
  const isAwaiting = hasCalls && !CUT_SHORT.has(reason ?? '')
  return { type: 'run-end', outcome: isAwaiting ? 'awaiting-input' : 'success', ...present({ reason }) }
}
