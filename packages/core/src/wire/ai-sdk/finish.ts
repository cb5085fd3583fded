import type { Outcome } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Ending } from './profile.ts'
import type { Response } from './response.ts'

/** The client's finish reasons, each with the reasons of providers that mean it, in lower case. */
const reasons: { readonly [finishReason: string]: readonly string[] } = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'complete', 'completed', 'success', 'finished', 'eos'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded', 'model_length'],
  'tool-calls': ['tool-calls', 'tool_calls', 'tool_use', 'tool_call', 'function_call'],
  'content-filter': ['content-filter', 'content_filter', 'refusal', 'safety', 'recitation', 'prohibited_content'],
}

const finishReasons = new Map(
  Object.entries(reasons).flatMap(([finishReason, providerReasons]) =>
    providerReasons.map((providerReason) => [providerReason, finishReason] as const),
  ),
)

/** The client's finish reason for a provider's. Without a reason it is `stop`. */
export function finishReasonOf(reason: string | undefined): string {
  if (reason === undefined) return 'stop'
  return finishReasons.get(reason.toLowerCase()) ?? 'other'
}

type Finish = (event: EventOf<'run-end'>, stepReason: string | undefined) => { reason: string; metadata: JsonObject }

const finishes: { readonly [O in Outcome]: Finish } = {
  success: (event, stepReason) => ({ reason: finishReasonOf(event.reason ?? stepReason), metadata: {} }),
  error: () => ({ reason: 'error', metadata: {} }),
  // Only the newest client has a reason of its own for these; the others refuse it.
  interrupted: () => ({ reason: 'other', metadata: { aborted: true, outcome: 'interrupted' } }),
  cancelled: () => ({ reason: 'other', metadata: { aborted: true, outcome: 'cancelled' } }),
  'awaiting-input': () => ({ reason: 'tool-calls', metadata: { outcome: 'awaiting-input' } }),
}

/**
 * The start and end of a run. `error` comes after `finish`, because the client reads nothing after it: this way the
 * client has the content, the usage and the finish reason, and is in its error state.
 */
export function runRows(
  { start, finish, emit, isOpen }: Response,
  ending: Ending & { stepReason(): string | undefined },
): Pick<Rows, 'run-start' | 'run-end'> {
  return {
    'run-start': ({ model, agent }) => start(defined({ model, agent })),
    'run-end'(event) {
      if (event.outcome === 'awaiting-input' && !isOpen()) return
      ending.closeLoose()
      const { reason, metadata } = finishes[event.outcome](event, ending.stepReason())
      finish(reason, { ...ending.finishMetadata(), ...metadata, ...resultOf(event) })
      if (event.outcome !== 'error') return
      const errorText = event.error?.message ?? event.reason ?? 'The run failed.'
      emit({ type: 'error', errorText })
    },
  }
}

function resultOf({ error, result, meta }: EventOf<'run-end'>): JsonObject {
  return error === undefined ? defined({ result }) : defined({ error: { ...error }, meta, result })
}
