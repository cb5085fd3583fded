import { LogError } from '../log/errors.ts'
import { sessionAt } from '../log/postgres/connections.ts'
import {
  checkedMediaType,
  describe,
  type FileDescription,
  type FileInfo,
  type Files,
  isFileId,
  newId,
  noRoom,
  only,
} from './files.ts'

/** Files in the database of the log, in chunks: nodes need no folder that they share. */
export interface DatabaseFiles extends Files {
  close(): Promise<void>
}

const CHUNK = 256 * 1024

const ADD_CHUNK = { name: 'add-chunk', text: 'INSERT INTO file_chunks VALUES ($1, $2, $3) ON CONFLICT DO NOTHING' }
/** Last: chunks without this row are of no file. */
const ADD_FILE = {
  name: 'add-file',
  text: `WITH made AS (INSERT INTO stored_files (id, upload, info) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING)
    SELECT 1`,
}
const FIND = { name: 'file', text: 'SELECT upload, info FROM stored_files WHERE id = $1' }
const CHUNKS = { name: 'chunk', text: 'SELECT bytes FROM file_chunks WHERE upload = $1 AND nth = $2' }
const REMOVE = {
  name: 'remove-file',
  text: `WITH gone AS (DELETE FROM stored_files WHERE id = $1 RETURNING upload)
    DELETE FROM file_chunks USING gone WHERE file_chunks.upload = gone.upload`,
}
/** A process that was killed in the middle of an upload has left some. */
const CLEAN = {
  name: 'clean-chunks',
  text: `DELETE FROM file_chunks c WHERE ($1::text = upload OR added_at < clock_timestamp() - interval '1 day')
    AND NOT EXISTS (SELECT FROM stored_files f WHERE f.upload = c.upload)`,
}

/** The log has made the tables: it is opened first. */
export async function openDatabaseFiles(url: string): Promise<DatabaseFiles> {
  const session = await sessionAt(url, 'millrace files')
  await session.query(CLEAN, [''])

  async function row(id: string) {
    if (!isFileId(id)) return undefined
    const [found] = await session.query<{ upload: string; info: string }>(FIND, [id])
    return found
  }

  async function find(id: string): Promise<FileInfo | undefined> {
    const found = await row(id)
    const info = found && (JSON.parse(found.info) as FileInfo)
    return info && { ...info, mediaType: checkedMediaType(info.mediaType) }
  }

  async function storeAs(id: string, file: FileDescription, bytes: AsyncIterable<Uint8Array>): Promise<FileInfo> {
    const upload = newId()
    let [nth, size] = [0, 0]
    try {
      for await (const chunk of chunksOf(bytes)) {
        await session.query(ADD_CHUNK, [upload, nth++, chunk])
        size += chunk.length
      }
      const info: FileInfo = { id, ...describe(file), size }
      await session.query(ADD_FILE, [id, upload, JSON.stringify(info)])
      return info
    } catch (error) {
      throw error instanceof LogError && error.code === 'log-full' ? noRoom(error) : error
    } finally {
      // Nothing is left of one that failed, or that another has stored meanwhile.
      await session.query(CLEAN, [upload]).catch(() => undefined)
    }
  }

  return {
    store: (file, bytes) => storeAs(newId(), file, bytes),
    async keep({ id, content, ...file }) {
      if ((await row(id)) === undefined) await storeAs(id, file, only(content))
    },
    find,
    async *read(id) {
      const found = await row(id)
      if (found === undefined) throw new Error(`There is no file "${id}".`)
      for (let nth = 0; ; nth++) {
        const [chunk] = await session.query<{ bytes: Buffer }>(CHUNKS, [found.upload, nth])
        if (chunk === undefined) return
        yield chunk.bytes
      }
    },
    async remove(id) {
      if (isFileId(id)) await session.query(REMOVE, [id])
    },
    close: session.close,
  }
}

/** The bytes in chunks of one size; only the last may be shorter. */
async function* chunksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    let rest = part
    while (size + rest.length >= CHUNK) {
      yield Buffer.concat([...parts, rest.subarray(0, CHUNK - size)])
      rest = rest.subarray(CHUNK - size)
      parts = []
      size = 0
    }
    if (rest.length > 0) parts.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(parts)
}
