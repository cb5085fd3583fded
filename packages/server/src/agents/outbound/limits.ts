import { AgentFailure } from '@millrace/core/agent'

/** What one run may take from a service. Times are in ms, sizes in bytes. */
export interface CallLimits {
  /** Of one answer. */
  readonly time: number
  /** Without a whole line. */
  readonly idle: number
  /** Of all answers of a run, unpacked. */
  readonly output: number
  /** Of one record. */
  readonly line: number
  /** At the same time. */
  readonly runs: number
}

const SECOND = 1000
const MEGABYTE = 1024 * 1024

export const defaultCallLimits: CallLimits = {
  time: 6 * 3600 * SECOND,
  idle: 30 * 60 * SECOND,
  output: 512 * MEGABYTE,
  line: 16 * MEGABYTE,
  runs: 16,
}

const sentences: { readonly [Limit in keyof CallLimits]: (name: string, most: string) => string } = {
  time: (name, most) => `${name} took longer than ${most} to answer and was cut off.`,
  idle: (name, most) => `${name} sent no line for ${most} and was cut off.`,
  output: (name, most) => `${name} sent more than ${most} and was cut off.`,
  line: (name, most) => `${name} sent a record of more than ${most} and was cut off.`,
  runs: (name, most) => `${most} runs of ${name} are under way; try again when one has ended.`,
}

export function overCallLimit(name: string, limit: keyof CallLimits, limits: CallLimits): AgentFailure {
  return new AgentFailure('limit', sentences[limit](name, shown(limit, limits[limit])))
}

function shown(limit: keyof CallLimits, value: number): string {
  if (limit === 'runs') return String(value)
  if (limit === 'time' || limit === 'idle')
    return value < 60 * SECOND ? `${value / SECOND} s` : `${value / 60 / SECOND} min`
  return value < MEGABYTE ? `${value} bytes` : `${Math.round(value / MEGABYTE)} MB`
}
