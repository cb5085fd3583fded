import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { countsOf, keepUncounted, type Spellings, usageEvents } from '../kit/counts.ts'
import { numberIn, objectIn, textIn } from '../kit/fields.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Chunk, RawUsage } from './raw.ts'

/** Each vendor has its own fields for cache reads, cache writes, reasoning tokens and the cost. */
const SPELLINGS: Spellings = {
  inputTokens: ['prompt_tokens'],
  outputTokens: ['completion_tokens'],
  reasoningTokens: [['completion_tokens_details', 'reasoning_tokens'], 'reasoning_tokens'],
  cacheReadTokens: [
    ['prompt_tokens_details', 'cached_tokens'],
    'prompt_cache_hit_tokens',
    'cache_read_input_tokens',
    'cached_tokens',
  ],
  cacheWriteTokens: [['prompt_tokens_details', 'cache_write_tokens'], 'cache_creation_input_tokens'],
  costUsd: ['cost', ['cost', 'usd'], ['cost', 'total_cost']],
}

/** xAI reports its cost in ticks: this many are a dollar. */
const TICKS_PER_DOLLAR = 1e10

/** The usage of the response in a chunk: in its own field, or in Groq's. */
export function usageIn({ usage, x_groq, cost }: Chunk): RawUsage | undefined {
  const rawUsage = usage ?? x_groq?.usage
  if (!isJsonObject(rawUsage)) return undefined
  return isEmpty(countsOf({ cost }, SPELLINGS)) ? rawUsage : ({ ...rawUsage, cost } as RawUsage)
}

/** Later counts replace earlier ones. An absent or `null` count keeps its value; zeros after counts are ignored. */
export function mergeUsage(before: RawUsage | undefined, later: RawUsage | undefined): RawUsage | undefined {
  const isNothing = later === undefined || (before !== undefined && !isCount(later) && isCount(before))
  return isNothing ? before : { ...before, ...(present(later) as RawUsage) }
}

/** Whether one of the two counts that every vendor has is above zero. */
const isCount = ({ prompt_tokens, completion_tokens }: RawUsage) => Boolean(prompt_tokens || completion_tokens)

export function usageEvent(usage: RawUsage, messageId: string): EventOf<'usage'> | undefined {
  const ticks = numberIn(usage.cost_in_usd_ticks)
  const cost = present({ costUsd: ticks === undefined ? undefined : ticks / TICKS_PER_DOLLAR })
  const meta = keepUncounted('openai', usage, SPELLINGS, ['total_tokens', 'cost_in_usd_ticks'])
  return usageEvents({ ...cost, ...countsOf(usage, SPELLINGS) }, { scope: 'step', messageId, ...meta })[0]
}

/** The error of a chunk: in its own field, in a choice's, in Groq's, or the chunk itself. */
export function errorIn(chunk: Chunk): EventOf<'run-end'> | undefined {
  const failed = chunk.choices?.find(({ error, finish_reason }) => !isNone(error) || finish_reason === 'error')
  const error = [chunk.error, failed?.error, chunk.x_groq?.error, ownError(chunk)].find((value) => !isNone(value))
  if (error !== undefined) return failure(error)
  return failed === undefined ? undefined : failure('The provider reported an error.')
}

/** vLLM sends an error as the whole chunk, MiniMax as a status code other than 0. */
function ownError(chunk: Chunk): object | undefined {
  if (chunk.object === 'error') return chunk
  const { status_code: code, status_msg: message } = objectIn(chunk.base_resp)
  return code ? { message, code } : undefined
}

const isNone = (value: unknown) => value === undefined || value === null || value === '' || value === false

function failure(error: unknown): EventOf<'run-end'> {
  const { message, code, type, ...rest } = objectIn(error)
  const name = textIn(type)
  const text = textIn(error) ?? textIn(message) ?? name ?? JSON.stringify(error)
  const fields = present({ code: (typeof code === 'number' ? String(code) : textIn(code)) ?? name, name })
  const more = present(rest)
  const meta = keep('openai', { error: isEmpty(more) ? undefined : more })
  return { type: 'run-end', outcome: 'error', error: { message: text, ...fields }, ...meta }
}

/** The values of fields beside the content, so that each value is reported once. */
export type SeenFields = Map<string, { readonly value: unknown; readonly times: number }>

/** The maximum number of remembered fields: a stream may use any names. */
const MAX_FIELDS = 1024

/** A field without spaces that changes more often than this is a counter or padding. */
const MOST_CHANGES = 8

/** For some vendors these are a running clock, which would be reported with every chunk. */
const ONCE: ReadonlySet<string> = new Set(['created', 'created_at'])

/** Adds the new values of these fields as metadata. Fields that are read elsewhere, and padding, are left out. */
export function addMetadata(
  out: Out,
  fields: object,
  readFields: ReadonlySet<string>,
  seenFields: SeenFields,
  messageId?: string,
): void {
  let metadata: { [field: string]: Json } | undefined
  for (const field in fields) {
    if (readFields.has(field)) continue
    const value = (fields as { readonly [field: string]: unknown })[field]
    if (isBlank(value) || !isNewValue(field, value, seenFields)) continue
    rememberField(field, value, seenFields)
    metadata ??= {}
    metadata[field] = value as Json
  }
  if (metadata !== undefined) out.push({ type: 'metadata', metadata, ...present({ messageId }) })
}

/** Remembers the value of a field, reported or not. */
export function rememberField(field: string, value: unknown, seenFields: SeenFields): void {
  remember(seenFields, field, { value, times: (seenFields.get(field)?.times ?? 0) + 1 }, MAX_FIELDS)
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.values(value).every((item) => item === null)
}

function isNewValue(field: string, value: unknown, seenFields: SeenFields): boolean {
  const before = seenFields.get(field)
  if (ONCE.has(field)) return before === undefined && value !== 0
  if (before === undefined) return true
  if (before.value === value) return false
  if (typeof value === 'object') return JSON.stringify(before.value) !== JSON.stringify(value)
  return before.times < MOST_CHANGES || (typeof value === 'string' && value.includes(' '))
}
