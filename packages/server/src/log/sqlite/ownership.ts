import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { LogError } from '../errors.ts'
import { checkEpoch, type HasLease, mayAcquire } from '../lease-rules.ts'
import type { NewCommand, Settlement, StoredCommand, StoredRun } from '../log.ts'
import { type CommandColumns, commandOf, type RunColumns, runOf } from './rows.ts'

/** The operations of the writing thread about owners and commands. */
export interface OwnershipWrites {
  join(): string
  leave(nodeId: string): void
  acquire(runId: string, nodeId: string, attempt?: number): StoredRun
  /** The thread of the run, if the run was open. */
  release(runId: string, epoch: number, waitUntil: number | undefined): string | undefined
  tell(runId: string, command: NewCommand, now: number): StoredCommand
  setFollowing(runId: string, nodeId: string, isFollowing: boolean): void
}

export interface Ownership extends OwnershipWrites {
  readonly hasLease: HasLease
  settle(run: number, settlements: readonly Settlement[]): void
}

export function createOwnership(database: DatabaseSync, noteThread: (threadId: string) => void): Ownership {
  // The folder has one writer: whatever was the owner of a run before has ended.
  database.exec('DELETE FROM nodes')
  const addNode = database.prepare('INSERT INTO nodes VALUES (?)')
  const removeNode = database.prepare('DELETE FROM nodes WHERE id = ?')
  const selectNode = database.prepare('SELECT 1 FROM nodes WHERE id = ?')
  const selectRun = database.prepare('SELECT * FROM runs WHERE id = ?')
  const acquireRun = database.prepare(
    "UPDATE runs SET owner = ?, epoch = epoch + 1, attempt = ?, state = 'live', wait_until = NULL WHERE number = ?",
  )
  const releaseRun = database.prepare(
    "UPDATE runs SET owner = NULL, state = 'waiting', wait_until = ? WHERE number = ?",
  )
  const selectKey = database.prepare('SELECT * FROM commands WHERE run = ? AND key = ?')
  const addCommand = database.prepare(`
    INSERT INTO commands (run, number, key, by, at, command)
    SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5 FROM commands WHERE run = ?1 RETURNING *`)
  const setResult = database.prepare('UPDATE commands SET result = ? WHERE run = ? AND number = ? AND result IS NULL')
  const addFollower = database.prepare('INSERT INTO followers VALUES (?, ?) ON CONFLICT DO NOTHING')
  const removeFollower = database.prepare('DELETE FROM followers WHERE run = ? AND node = ?')

  const hasLease: HasLease = (nodeId) => selectNode.get(nodeId) !== undefined

  function find(runId: string): RunColumns {
    const row = selectRun.get(runId) as unknown as RunColumns | undefined
    if (row === undefined) throw new LogError('unknown-run', runId)
    return row
  }

  return {
    hasLease,
    join() {
      const id = randomUUID()
      addNode.run(id)
      return id
    },
    leave: (nodeId) => void removeNode.run(nodeId),
    acquire(runId, nodeId, attempt) {
      const row = find(runId)
      const run = runOf(row)
      if (!mayAcquire(run, nodeId, attempt, hasLease)) return run
      acquireRun.run(nodeId, attempt ?? run.attempt, row.number)
      noteThread(run.threadId)
      return runOf(find(runId))
    },
    release(runId, epoch, waitUntil) {
      const row = find(runId)
      checkEpoch(row, epoch)
      if (row.state === 'ended') return undefined
      releaseRun.run(waitUntil ?? null, row.number)
      noteThread(row.thread_id)
      return row.thread_id
    },
    tell(runId, { command, key, by }, now) {
      const { number } = find(runId)
      const keyText = jsonOf(key)
      const repeated = keyText === null ? undefined : selectKey.get(number, keyText)
      const row = repeated ?? addCommand.get(number, keyText, jsonOf(by), now, JSON.stringify(command))
      return commandOf(row as unknown as CommandColumns)
    },
    setFollowing(runId, nodeId, isFollowing) {
      const { number } = find(runId)
      if (!isFollowing) removeFollower.run(number, nodeId)
      else if (hasLease(nodeId)) addFollower.run(number, nodeId)
    },
    settle(run, settlements) {
      for (const { number, result } of settlements) setResult.run(JSON.stringify(result), run, number)
    },
  }
}

/** Text columns are UTF-8, which has no lone surrogates; JSON expresses them. */
const jsonOf = (text: string | undefined): string | null => (text === undefined ? null : JSON.stringify(text))
