import { randomBytes } from 'node:crypto'
import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import { only } from '../src/files/files.ts'
import { openDatabaseFiles } from '../src/files/postgres.ts'
import { postgres } from '../src/log/postgres.ts'

const ID = 'a'.repeat(32)

async function openFiles() {
  const server = await sharedPostgres({ fsync: false })
  const url = await server.createDatabase()
  const log = await postgres.open({ folder: '', url })
  const [files, other] = [await openDatabaseFiles(url), await openDatabaseFiles(url)]
  onTestFinished(async () => {
    await Promise.all([log, files, other].map((each) => each.close()))
  })
  const chunks = async () => Number(await server.query('SELECT count(*) FROM millrace.file_chunks', url))
  return { files, other, chunks }
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(300_000)
  throw new Error('The connection was cut.')
}

describe.skipIf(postgresAbsence)('files in a database', () => {
  it('are read as they were stored, from any node, whatever their size and parts', async () => {
    const { files, other } = await openFiles()
    const sizes = [0, 1, 262_143, 262_144, 262_145, 1_000_000]
    for (const [index, size] of sizes.entries()) {
      const bytes = randomBytes(size)
      const part = [70_000, 262_144, 900_000][index % 3] as number
      const info = await files.store({ mediaType: 'image/png', filename: 'a\0b/../é.png' }, inParts(bytes, part))
      expect(info).toEqual({ id: info.id, mediaType: 'image/png', filename: 'a\0b/../é.png', size })
      expect(await other.find(info.id)).toEqual(info)
      expect((await bytesOf(other.read(info.id))).equals(bytes)).toBe(true)
    }
  })

  it('leave nothing behind if they could not be stored, or are removed', async () => {
    const { files, other, chunks } = await openFiles()
    await expect(files.store({ mediaType: 'x' }, failing())).rejects.toThrow('cut')
    expect(await chunks()).toBe(0)
    const { id, mediaType } = await files.store({ mediaType: 'x' }, only(Buffer.from('kept')))
    expect(mediaType).toBe('application/octet-stream')
    await other.remove(id)
    await other.remove(id)
    expect([await files.find(id), await chunks()]).toEqual([undefined, 0])
    await expect(bytesOf(files.read(id))).rejects.toThrow('no file')
  })

  it('are kept once under an id of their content, though two store it at the same time', async () => {
    const { files, other, chunks } = await openFiles()
    const keep = (by: typeof files, content: string) =>
      by.keep({ id: ID, mediaType: 'image/png', content: Buffer.from(content) })
    await Promise.all([keep(files, 'whole'), keep(other, 'whole'), keep(other, 'whole')])
    await Promise.all([keep(files, 'another'), keep(other, 'another')])
    expect(await files.find(ID)).toEqual({ id: ID, mediaType: 'image/png', size: 5 })
    expect((await bytesOf(files.read(ID))).toString()).toBe('whole')
    expect(await chunks()).toBe(1)
    for (const id of ['../etc', '', `${ID}0`]) expect(await files.find(id)).toBeUndefined()
  })
})
