/** What a state means for the run. */
export type Ending = 'working' | 'question' | 'completed' | 'failed' | 'canceled'

export const endings = {
  submitted: 'working',
  working: 'working',
  unknown: 'working',
  'input-required': 'question',
  'auth-required': 'question',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'canceled',
} as const satisfies { readonly [state: string]: Ending }

export type TaskState = keyof typeof endings

/** The state in the spelling of 0.3, or of 1.0 (`TASK_STATE_INPUT_REQUIRED`). Throws if the protocol has no such state. */
export function stateOf(value: unknown): TaskState {
  const name = String(value)
    .replace(/^TASK_STATE_/, '')
    .replaceAll('_', '-')
    .toLowerCase()
  const state = name === 'unspecified' ? 'unknown' : name === 'cancelled' ? 'canceled' : name
  if (!Object.hasOwn(endings, state)) throw new TypeError(`no state of a task: ${name}`)
  return state as TaskState
}
