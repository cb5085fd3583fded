import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogMember, LogOptions } from '@millrace/server/log'
import { postgres as postgresLog } from '@millrace/server/log/postgres'
import { sharedPostgres } from './shared.ts'

/** The shared logs as suites open them: each folder stands for a database of its own, on a server that all tests share. */

export const postgres: LogMember = {
  isShared: true,
  // Suites are about promises, not about time: a machine that is busy must not end a lease.
  open: async (options) => postgresLog.open({ leaseTtl: 60_000, ...options, url: await databaseOf(options) }),
}

/** By name. Other processes find a member in this module. */
export const sharedLogs: { readonly [name: string]: LogMember } = { postgres }

/** The first who opens the folder makes its database. */
async function databaseOf({ folder }: LogOptions): Promise<string> {
  const file = join(folder, 'database')
  try {
    return await readFile(file, 'utf8')
  } catch {
    const url = await (await sharedPostgres({ fsync: false })).createDatabase()
    await mkdir(folder, { recursive: true })
    await writeFile(file, url)
    return url
  }
}
