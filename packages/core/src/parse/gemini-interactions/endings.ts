import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Interaction, RawError } from './raw.ts'

type Outcome = EventOf<'run-end'>['outcome']

/** The outcome of a run by the interaction's last status. Any other status means that it is under way. */
const outcomes: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['completed', 'success'],
  ['incomplete', 'success'],
  ['requires_action', 'awaiting-input'],
  ['requires_continuation', 'interrupted'],
  ['failed', 'error'],
  ['budget_exceeded', 'error'],
  ['cancelled', 'cancelled'],
])

/** Statuses that are shown. Others are visible from the events themselves. */
const lines: ReadonlyMap<string, EventOf<'status'>> = new Map([
  ['queued', { type: 'status', message: 'Waiting in the queue', level: 'info' }],
  ['requires_continuation', { type: 'status', message: 'The interaction must be continued', level: 'warn' }],
  ['budget_exceeded', { type: 'status', message: 'The budget is used up', level: 'error' }],
])

export function statusEvents(status: string): StreamEvent[] {
  const line = lines.get(status)
  return line === undefined ? [] : [line]
}

/** The run's end by the last status; undefined while the interaction is under way. */
export function runEnd(status = '', failure?: RunError): EventOf<'run-end'> | undefined {
  const outcome = outcomes.get(status)
  if (outcome === undefined) return undefined
  if (outcome !== 'error') return { type: 'run-end', outcome, reason: status }
  const message = lines.get(status)?.message ?? 'The interaction has failed'
  return { type: 'run-end', outcome, reason: status, error: failure ?? { message, code: status } }
}

export function errorOf({ code, message }: RawError): RunError {
  return { message: message || 'An error occurred', ...present({ code: code?.toString() }) }
}

/** The fields of an interaction that become metadata. */
export function detailsOf(interaction: Interaction): object {
  const { id, model: _model, agent: _agent, usage: _usage, steps: _steps, outputs: _outputs, ...others } = interaction
  const { error: _error, status: _status, object: _object, ...rest } = others
  return { interactionId: id, ...rest }
}
