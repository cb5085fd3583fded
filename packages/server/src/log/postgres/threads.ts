import { LogError } from '../errors.ts'
import type { Log, MessageRow, StoredThread } from '../log.ts'
import { limitOf, pageOf, positionOf } from '../thread-pages.ts'
import type { Connections } from './connections.ts'
import { stateOf } from './failures.ts'
import { type MessageColumns, messageOf, type ThreadColumns, threadOf } from './rows.ts'
import { restored, searchable, storable } from './text.ts'

/** The operations about threads, their messages and their files. */
export interface Threads extends Pick<Log, 'threads' | 'thread' | 'unusedFiles' | 'forgetFiles'> {
  createThread(id: string, title: string): Promise<StoredThread>
  renameThread(id: string, title: string): Promise<StoredThread | undefined>
  /** The ids of the removed runs; undefined if there was no such thread. */
  deleteThread(id: string): Promise<readonly string[] | undefined>
  messages(threadId: string): Promise<readonly MessageRow[]>
}

const COLUMNS = 'id, title, created_at, updated_at, version'

const CREATE = {
  name: 'create-thread',
  text: `WITH made AS (INSERT INTO threads (id, title, searched, created_at, updated_at, version)
      VALUES ($1, $2, $3, $4, $4, 1) ON CONFLICT DO NOTHING RETURNING ${COLUMNS})
    SELECT * FROM made UNION ALL SELECT ${COLUMNS} FROM threads WHERE id = $1`,
}
const RENAME = {
  name: 'rename-thread',
  text: `UPDATE threads SET title = $2, searched = $3, updated_at = greatest(updated_at, $4), version = version + 1,
    changed_at = clock_timestamp() WHERE id = $1 RETURNING ${COLUMNS}`,
}
const DELETE = { name: 'delete-thread', text: 'SELECT delete_thread($1) AS ids' }
const FIND = { name: 'thread', text: `SELECT ${COLUMNS} FROM threads WHERE id = $1` }
const LIST = {
  name: 'threads',
  text: `SELECT ${COLUMNS} FROM threads t
    WHERE ($1::numeric IS NULL OR (updated_at, id) < ($1::numeric, $2::text COLLATE "C")) AND ($3::text IS NULL
      OR strpos(searched, $3) > 0 OR EXISTS (SELECT FROM messages m WHERE m.chat = t.id AND strpos(m.searched, $3) > 0))
    ORDER BY updated_at DESC, id DESC LIMIT $4`,
}
const MESSAGES = {
  name: 'messages',
  text: 'SELECT id, chat, role, content, metadata FROM messages WHERE chat = $1 ORDER BY number',
}
/** A thread may have named it again while its deletion was under way. */
const UNUSED = {
  name: 'unused-files',
  text: `SELECT id FROM unused_files u WHERE NOT EXISTS (SELECT FROM files f WHERE f.id = u.id) ORDER BY id`,
}
const FORGET = { name: 'forget-files', text: 'DELETE FROM unused_files WHERE id = ANY ($1::text[])' }

export function createThreads({ read, write }: Connections, now: () => number): Threads {
  return {
    async createThread(id, title) {
      const values = [storable(id), storable(title), searchable(title), now()]
      // A thread that another has just created is not seen by the statement that met it.
      const find = async () => {
        const [row] = await write<ThreadColumns>(id, CREATE, values)
        return row
      }
      const row = (await find()) ?? (await find())
      if (row === undefined) throw new LogError('log-failed', 'a thread was created and deleted at the same time')
      return threadOf(row)
    },
    async renameThread(id, title) {
      const values = [storable(id), storable(title), searchable(title), now()]
      return (await write<ThreadColumns>(id, RENAME, values)).map(threadOf)[0]
    },
    async deleteThread(id) {
      const rows = await write<{ ids: readonly string[] | null }>(id, DELETE, [storable(id)]).catch(
        (error: unknown) => {
          throw stateOf(error) === 'MR001' ? new LogError('run-live', restored((error as Error).message)) : error
        },
      )
      return rows[0]?.ids?.map(restored)
    },
    async threads({ search = '', after, limit }) {
      const pageLimit = limitOf(limit)
      const position = after === undefined ? undefined : positionOf(after)
      const searched = searchable(search)
      const isHopeless = search !== '' && searched === ''
      if (isHopeless || Number.isNaN(position?.updatedAt)) return { items: [] }
      const values = [position?.updatedAt ?? null, position && storable(position.id), searched || null, pageLimit + 1]
      return pageOf((await read<ThreadColumns>(LIST, values)).map(threadOf), pageLimit)
    },
    thread: async (id) => (await read<ThreadColumns>(FIND, [storable(id)])).map(threadOf)[0],
    messages: async (threadId) => (await read<MessageColumns>(MESSAGES, [storable(threadId)])).map(messageOf),
    unusedFiles: async () => (await read<{ id: string }>(UNUSED)).map(({ id }) => restored(id)),
    async forgetFiles(fileIds) {
      await write('', FORGET, [fileIds.map(storable)])
    },
  }
}
