import { randomUUID } from 'node:crypto'
import { present } from '@millrace/core/json'
import { readResult } from '../commands.ts'
import { LogError } from '../errors.ts'
import type { Log, NewCommand, RunState, StoredCommand } from '../log.ts'
import type { Connections } from './connections.ts'
import { type CommandColumns, commandOf, KEYLESS } from './rows.ts'
import { storable } from './text.ts'

/** The operations about what is asked of a run, and who sends it to a producer. */
export interface CommandRows extends Pick<Log, 'commands' | 'setFollowing' | 'isFollowed'> {
  tell(runId: string, command: NewCommand, at: number): Promise<StoredCommand>
}

/** The run's row is locked while the number is given: a number that is seen has none below it that is not. */
const TELL = {
  name: 'tell',
  text: `WITH told AS (UPDATE runs r SET told = told + 1, version = version + 1 WHERE r.id = $1
        AND NOT EXISTS (SELECT FROM commands c WHERE c.run = r.number AND c.key = $2) RETURNING number, told),
    put AS (INSERT INTO commands (run, number, key, made_by, at, command)
      SELECT number, told, $2, $3, $4, $5 FROM told RETURNING *)
    SELECT * FROM put UNION ALL SELECT c.* FROM commands c JOIN runs r ON r.number = c.run WHERE r.id = $1 AND c.key = $2`,
}
const LIST = {
  name: 'commands',
  text: `SELECT r.state, c.number, c.key, c.made_by, c.at, c.command, c.result FROM runs r
    LEFT JOIN LATERAL (SELECT * FROM commands WHERE run = r.number AND number > $2 ORDER BY number LIMIT $3) c ON true
    WHERE r.id = $1 ORDER BY c.number`,
}
/** A node without a lease follows nothing. */
const FOLLOW = {
  name: 'follow',
  text: `WITH put AS (INSERT INTO followers SELECT r.number, n.id FROM runs r, nodes n
      WHERE r.id = $1 AND n.id = $2 AND NOT n.ended AND n.until > clock_timestamp() ON CONFLICT DO NOTHING)
    SELECT number FROM runs WHERE id = $1`,
}
const UNFOLLOW = {
  name: 'unfollow',
  text: `WITH gone AS (DELETE FROM followers f USING runs r WHERE r.id = $1 AND f.run = r.number AND f.node = $2)
    SELECT number FROM runs WHERE id = $1`,
}
const IS_FOLLOWED = {
  name: 'is-followed',
  text: `SELECT EXISTS (SELECT FROM runs r JOIN followers f ON f.run = r.number JOIN nodes n ON n.id = f.node
    WHERE r.id = $1 AND NOT n.ended AND n.until > clock_timestamp()) AS followed`,
}

type ListedCommand = CommandColumns & { readonly state: RunState; readonly number: number | null }

export function createCommandRows({ read, write }: Connections): CommandRows {
  return {
    async tell(runId, { command, key, by }, at) {
      const keyText = key === undefined ? `${KEYLESS}${randomUUID()}` : JSON.stringify(key)
      const byText = by === undefined ? null : JSON.stringify(by)
      const values = [storable(runId), keyText, byText, at, JSON.stringify(command)]
      const [row] = await write<CommandColumns>(runId, TELL, values)
      if (row === undefined) throw new LogError('unknown-run', runId)
      return commandOf(row)
    },
    async commands(runId, { after, limit = null, isOpen = false }) {
      const rows = await read<ListedCommand>(LIST, [storable(runId), after, limit])
      if (rows.length === 0) throw new LogError('unknown-run', runId)
      return rows
        .filter(({ number }) => number !== null)
        .map((row) => ({ command: commandOf(row), state: row.state }))
        .map(({ command, state }) => present({ ...command, result: readResult(command.result, state) }))
        .filter(({ result }) => !isOpen || result === undefined)
    },
    async setFollowing(runId, nodeId, isFollowing) {
      const rows = await write(runId, isFollowing ? FOLLOW : UNFOLLOW, [storable(runId), storable(nodeId)])
      if (rows.length === 0) throw new LogError('unknown-run', runId)
    },
    async isFollowed(runId) {
      const [row] = await read<{ followed: boolean }>(IS_FOLLOWED, [storable(runId)])
      return row?.followed ?? false
    },
  }
}
