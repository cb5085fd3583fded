import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type Handlers, understood, unmapped } from '../parser.ts'
import { countsOf } from './counts.ts'
import type { RunLine } from './lines.ts'
import type { Seen } from './seen.ts'

const SOME_ERROR = 'An error occurred'

/** The start, the usage and the end of the run. */
export function runLines(seen: Seen): Handlers<RunLine> {
  return {
    start: ({ data: { model, prompt_preview: promptPreview, ...rest } }) => [
      { type: 'run-start', ...(model && { model }) },
      ...metadataOf({ promptPreview, ...rest }),
    ],
    model_info: ({ data }) => metadataOf(data),
    usage(line) {
      const counts = countsOf(line.data)
      return counts === undefined ? unmapped(line) : [{ type: 'usage', scope: 'step', mode: 'add', ...counts }]
    },
    usage_total(line) {
      const counts = countsOf(line.data)
      return counts === undefined ? unmapped(line) : [runUsage(counts)]
    },
    result({ data }) {
      const events = [...statsOf(data), ...(data.is_error === true ? [failed(errorOf(data, seen))] : [])]
      return Object.keys(data).length === 0 ? events : understood(events)
    },
    error: ({ data }) => [
      {
        type: 'error',
        message: firstText(data.message, data.error) ?? SOME_ERROR,
        ...(typeof data.code === 'string' && { code: data.code }),
      },
    ],
    done({ data }) {
      const counts = countsOf(data.usage)
      return [...(counts === undefined ? [] : [runUsage(counts)]), ...spawnedSubagentEnds(seen), endOf(seen)]
    },
  }
}

/** The end of the run: an error if the last error was followed only by the end. */
export function endOf(seen: Seen): StreamEvent {
  const error = seen.failure()
  return error === undefined ? { type: 'run-end', outcome: 'success' } : { type: 'run-end', outcome: 'error', error }
}

const failed = (error: RunError): StreamEvent => ({ type: 'run-end', outcome: 'error', error })

const runUsage = (counts: object): StreamEvent => ({ type: 'usage', scope: 'run', mode: 'snapshot', ...counts })

/** The statistics of the run as usage; other fields of the line as metadata. */
function statsOf(data: JsonObject): StreamEvent[] {
  const { session_id, sessionId, duration_ms, num_turns, total_cost_usd, usage, is_error, ...rest } = data
  const counts = { ...countsOf(usage), ...countsOf(present({ duration_ms, num_turns, total_cost_usd })) }
  return [
    ...(Object.keys(counts).length === 0 ? [] : [runUsage(counts)]),
    ...metadataOf({ sessionId: firstText(session_id, sessionId), ...rest }),
  ]
}

function metadataOf(fields: { readonly [key: string]: Json | undefined }): StreamEvent[] {
  const metadata = present(fields) as JsonObject
  return Object.keys(metadata).length === 0 ? [] : [{ type: 'metadata', metadata }]
}

/** The error that the line names, or the last one that was printed. */
function errorOf({ error, result, message }: JsonObject, seen: Seen): RunError {
  const named = firstText(error, result, message)
  return named === undefined ? (seen.failure() ?? { message: SOME_ERROR }) : { message: named }
}

function firstText(...values: readonly (Json | undefined)[]): string | undefined {
  return values.find((value) => typeof value === 'string' && value !== '') as string | undefined
}

/** Spawned subagents end with the run: their dialect has no line for their end. */
function spawnedSubagentEnds(seen: Seen): StreamEvent[] {
  return seen
    .openSubagents()
    .filter(({ meta }) => meta?.millrace?.subagentOp === 'spawn')
    .map(({ agentId }) => ({ type: 'subagent-end', agentId, status: 'done' }))
}
