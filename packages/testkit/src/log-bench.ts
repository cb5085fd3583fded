import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry, StreamEvent } from '@millrace/core/events'
import type { Log, LoggedInput, LogMember, NewRun } from '@millrace/server/log'
import { afterEach } from './runner.ts'

/** Opens logs of one member for a suite: each test gets its own folders, which are removed after it. */
export interface LogBench {
  readonly member: LogMember
  /** A log in a new folder. */
  open(now?: () => number): Promise<Log>
  /** The store of a log, opened a second time: only a shared one can be. */
  openBeside(log: Log, now?: () => number): Promise<Log>
  /** Closes a log and opens its folder again. */
  reopen(log: Log, now?: () => number): Promise<Log>
  /** Opens a folder that another process has used. */
  openIn(folder: string): Promise<Log>
  folder(): Promise<string>
}

/** Call it inside `describe`: it cleans up after each test. */
export function createLogBench(member: LogMember): LogBench {
  const folders = new Map<Log, string>()
  const createdFolders: string[] = []

  async function openIn(folder: string, now?: () => number): Promise<Log> {
    const log = await member.open({ folder, ...(now && { now }) })
    folders.set(log, folder)
    return log
  }

  function folderOf(log: Log): string {
    const path = folders.get(log)
    if (path === undefined) throw new Error('The log is not from this bench.')
    return path
  }

  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'millrace-log-'))
    createdFolders.push(path)
    return join(path, 'data')
  }

  afterEach(async () => {
    await Promise.all([...folders.keys()].map((log) => log.close()))
    folders.clear()
    for (const path of createdFolders.splice(0)) await rm(path, { recursive: true, force: true })
  })

  return {
    member,
    folder,
    openIn,
    open: async (now) => openIn(await folder(), now),
    openBeside: (log, now) => openIn(folderOf(log), now),
    async reopen(log, now) {
      const path = folderOf(log)
      folders.delete(log)
      await log.close()
      return openIn(path, now)
    },
  }
}

export const newRun = (id: string, fields: Partial<NewRun> = {}): NewRun => ({
  id,
  threadId: 'thread',
  format: 'agent-lines',
  parserVersion: 1,
  attempt: 1,
  ...fields,
})

export const delta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })
export const start: StreamEvent = { type: 'run-start' }
export const end: StreamEvent = { type: 'run-end', outcome: 'success' }
export const record = (text: string, name?: string): LoggedInput => ({ by: 'producer', text, name })

/** Appends events, and a raw record for each, after the last entry. */
export async function add(log: Log, runId: string, ...events: StreamEvent[]): Promise<readonly Entry[]> {
  const run = await log.run(runId)
  const position = { epoch: run?.epoch ?? 0, afterSeq: run?.seq ?? 0 }
  return appendTo(log, runId, position, { inputs: events.map((event) => record(JSON.stringify(event))), events })
}

/** Appends, and resolves with the entries as objects. */
export async function appendTo(log: Log, ...values: Parameters<Log['append']>): Promise<readonly Entry[]> {
  return (await log.append(...values)).entries()
}

/** Creates a run of `count` entries, ended unless `isOpen`. */
export async function filledRun(log: Log, id: string, count: number, isOpen = false): Promise<void> {
  await log.createRun(newRun(id))
  const texts = Array.from({ length: count - (isOpen ? 1 : 2) }, (_, index) => delta(`${id}:${index + 2}`))
  const events = [start, ...texts, ...(isOpen ? [] : [end])]
  for (let at = 0; at < events.length; at += 7) await add(log, id, ...events.slice(at, at + 7))
}

export async function readAll(log: Log, runId: string, after = 0, live = false): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const batch of log.read(runId, { after, live })) entries.push(...batch)
  return entries
}

export async function inputsOf(log: Log, runId: string): Promise<LoggedInput[]> {
  const inputs: LoggedInput[] = []
  for await (const batch of log.inputs(runId)) inputs.push(...batch)
  return inputs
}

export const seqsOf = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq)
export const upFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)

/** The error code of a refused operation, or `not refused`. */
export async function refusalOf(operation: Promise<unknown>): Promise<string> {
  try {
    await operation
    return 'not refused'
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error)
  }
}
