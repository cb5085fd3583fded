import { existsSync } from 'node:fs'
import { LogError } from '@millrace/server/log/errors'
import type { Log } from '@millrace/server/log/log'

const writing = ['append', 'claim', 'createRun', 'createThread', 'renameThread', 'setState'] as const

/** A log whose writes fail for as long as the mark is there, as they do on a disk that is full. */
export function pretendFull(log: Log, mark: string): Log {
  const trouble = () => (existsSync(mark) ? new LogError('log-full', 'database or disk is full') : undefined)
  const guarded = writing.map((name) => [
    name,
    async (...values: never[]) => {
      const failure = trouble()
      if (failure !== undefined) throw failure
      return (log[name] as (...values: never[]) => unknown)(...values)
    },
  ])
  return { ...log, ...Object.fromEntries(guarded), trouble: async () => trouble() ?? log.trouble() }
}
