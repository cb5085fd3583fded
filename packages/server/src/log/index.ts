import { LogError } from './errors.ts'
import type { LogMember } from './log.ts'
import { memory } from './memory.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

/** Every registered log, by name. */
export const logs = { memory, sqlite, postgres } as const satisfies { readonly [name: string]: LogMember }

export type LogName = keyof typeof logs

export function getLog(name: string): LogMember {
  if (!Object.hasOwn(logs, name)) throw new LogError('unknown-log', name)
  return logs[name as LogName]
}
