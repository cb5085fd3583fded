import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { countsOf, type Spellings, type UsageFields, usageEvents } from '../kit/counts.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import { type Handlers, understood } from '../parser.ts'
import type { DialogueLine, RunLine } from './lines.ts'
import type { Seen } from './seen.ts'

const SOME_ERROR = 'An error occurred'

/** The fields in which the dialects hold each count. */
const SPELLINGS = {
  inputTokens: [
    ...['input_tokens', 'prompt_tokens', 'promptTokenCount', 'prompt_token_count', 'inputTokens', 'promptTokens'],
  ],
  outputTokens: [
    ...['output_tokens', 'completion_tokens', 'candidatesTokenCount', 'candidates_token_count'],
    ...['outputTokens', 'completionTokens'],
  ],
  reasoningTokens: [
    ...['reasoning_tokens', 'thoughtsTokenCount', 'thoughts_token_count', 'reasoningTokens'],
    ['completion_tokens_details', 'reasoning_tokens'],
    ['output_tokens_details', 'reasoning_tokens'],
  ],
  cacheReadTokens: [
    ...['cached_tokens', 'cache_read_input_tokens', 'cachedContentTokenCount', 'cached_content_token_count'],
    'cacheReadTokens',
    ['prompt_tokens_details', 'cached_tokens'],
    ['input_tokens_details', 'cached_tokens'],
  ],
  cacheWriteTokens: ['cache_creation_input_tokens', 'cacheWriteTokens'],
  costUsd: ['total_cost_usd', 'cost_usd', 'costUsd'],
  durationMs: ['duration_ms', 'durationMs'],
  turns: ['num_turns', 'turns'],
} satisfies Spellings

/** The start, the usage and the end of the run. */
export function runLines(seen: Seen): Handlers<RunLine> {
  return {
    start: ({ data: { model, prompt_preview: promptPreview, ...rest } }) => [
      { type: 'run-start', ...(model && { model }) },
      ...metadata({ promptPreview, ...rest }),
    ],
    model_info: ({ data }) => metadata(data),
    usage: ({ data }) => usageOf(data, { scope: 'step', mode: 'add' }),
    usage_total: ({ data }) => usageOf(data, { scope: 'run' }),
    result({ data }) {
      const { session_id, sessionId, duration_ms, num_turns, total_cost_usd, usage, is_error, ...rest } = data
      const stats = countsOf(present({ duration_ms, num_turns, total_cost_usd }), SPELLINGS)
      const events: StreamEvent[] = [
        ...usageEvents({ ...countsOf(objectIn(usage), SPELLINGS), ...stats }, { scope: 'run' }),
        ...metadata({ sessionId: textIn(session_id) ?? textIn(sessionId), ...rest }),
      ]
      if (is_error === true) events.push({ type: 'run-end', outcome: 'error', error: errorOf(data, seen) })
      return isEmpty(data) ? events : understood(events)
    },
    error({ data }) {
      const message = textIn(data.message) ?? textIn(data.error) ?? SOME_ERROR
      return [{ type: 'error', message, ...(typeof data.code === 'string' && { code: data.code }) }]
    },
    done: ({ data }) => [...usageOf(data.usage, { scope: 'run' }), ...spawnedSubagentEnds(seen), endOf(seen)],
  }
}

export const dialogueLines: Handlers<DialogueLine> = {
  ask: ({ data: { id: approvalId, call_id: callId, message, request } }) => [
    { type: 'approval', approvalId, state: 'requested', ...present({ callId, message, request }) },
  ],
  session: ({ data: { id: sessionId, at: sessionPosition } }) => metadata({ sessionId, sessionPosition }),
}

/** The end of the run: an error if the last error was followed only by the end. */
export function endOf(seen: Seen): StreamEvent {
  const error = seen.failure()
  return error === undefined ? { type: 'run-end', outcome: 'success' } : { type: 'run-end', outcome: 'error', error }
}

function usageOf(usage: Json | undefined, fields: UsageFields): StreamEvent[] {
  return usageEvents(countsOf(objectIn(usage), SPELLINGS), fields)
}

/** The error that the line names, or the last one that was printed. */
function errorOf({ error, result, message }: JsonObject, seen: Seen): RunError {
  const named = textIn(error) ?? textIn(result) ?? textIn(message)
  return named === undefined ? (seen.failure() ?? { message: SOME_ERROR }) : { message: named }
}

/** Spawned subagents end with the run: their dialect has no line for their end. */
function spawnedSubagentEnds(seen: Seen): StreamEvent[] {
  return seen
    .openSubagents()
    .filter(({ meta }) => meta?.millrace?.subagentOp === 'spawn')
    .map(({ agentId }) => ({ type: 'subagent-end', agentId, status: 'done' }))
}
