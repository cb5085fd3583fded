import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@millrace/core/api'
import type { Log } from '../log/log.ts'

export interface FileDescription {
  readonly mediaType: string
  readonly filename?: string
}

export interface FileInfo extends FileDescription {
  readonly id: string
  readonly size: number
}

const LONGEST_NAME = 500

/**
 * Attachments and large outputs, each under a random id. A client's file name never becomes a path, and a media type that is
 * not valid becomes `application/octet-stream`.
 */
export interface Files {
  /** Stores a file under an id that its caller derived from the content: one that is stored already is left alone. */
  keep(file: FileDescription & { readonly id: string; readonly content: Uint8Array }): Promise<void>
  store(file: FileDescription, bytes: AsyncIterable<Uint8Array>): Promise<FileInfo>
  find(id: string): Promise<FileInfo | undefined>
  read(id: string): AsyncIterable<Uint8Array>
  /** Does nothing if there is no such file. */
  remove(id: string): Promise<void>
}

export function createFiles(dataFolder: string): Files {
  const folder = join(dataFolder, 'files')
  const contentPath = (id: string) => join(folder, id)
  const infoPath = (id: string) => join(folder, `${id}.json`)

  async function fill(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const handle = await open(path, 'wx', 0o600)
    try {
      return await copy(bytes, handle)
    } finally {
      await handle.close()
    }
  }

  async function find(id: string): Promise<FileInfo | undefined> {
    if (!isFileId(id)) return undefined
    try {
      const info = JSON.parse(await readFile(infoPath(id), 'utf8')) as FileInfo
      // Files of an earlier version may have any text as their type.
      return { ...info, mediaType: checkedMediaType(info.mediaType) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Other writers may store the same id at the same time: nothing that could be theirs is removed. */
  async function storeAs(id: string, file: FileDescription, bytes: AsyncIterable<Uint8Array>): Promise<FileInfo> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const partial = `${contentPath(id)}.${newId()}.partial`
    const partialInfo = `${partial}.json`
    try {
      const info: FileInfo = { id, ...describe(file), size: await fill(partial, bytes) }
      await fill(partialInfo, only(Buffer.from(JSON.stringify(info))))
      await rename(partial, contentPath(id))
      // Last: a file without its info does not exist.
      await rename(partialInfo, infoPath(id))
      await syncFolder(folder)
      return info
    } catch (error) {
      for (const path of [partial, partialInfo]) await rm(path, { force: true })
      throw isFull(error) ? noRoom(error) : error
    }
  }

  return {
    store: (file, bytes) => storeAs(newId(), file, bytes),
    async keep({ id, content, ...file }) {
      if ((await find(id)) === undefined) await storeAs(id, file, only(content))
    },
    find,
    read: (id) => createReadStream(contentPath(id)),
    async remove(id) {
      if (!isFileId(id)) return
      // Removed first: a file without its info does not exist.
      await rm(infoPath(id), { force: true })
      await rm(contentPath(id), { force: true })
    },
  }
}

/** The bytes of a file. Rejects if there is none. */
export async function wholeFile(files: Files, id: string): Promise<Uint8Array> {
  if ((await files.find(id)) === undefined) throw new Error(`There is no file "${id}".`)
  const chunks: Uint8Array[] = []
  for await (const chunk of files.read(id)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const newId = () => randomBytes(16).toString('hex')

export async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export function describe({ mediaType, filename }: FileDescription): FileDescription {
  const type = checkedMediaType(mediaType)
  return filename === undefined || filename === ''
    ? { mediaType: type }
    : { mediaType: type, filename: filename.slice(0, LONGEST_NAME) }
}

export const isFileId = (id: string) => /^[0-9a-f]{32}$/.test(id)

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code))

export const noRoom = (cause: unknown) =>
  new ApiError(507, 'disk-full', 'There is no room left for the file; nothing of it was kept.', { cause })

async function copy(bytes: AsyncIterable<Uint8Array>, handle: FileHandle): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    await handle.writeFile(chunk)
    size += chunk.byteLength
  }
  await handle.sync()
  return size
}

/** Makes the names in a folder durable. Windows has no such call, and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Removes the files of deleted threads. A file that cannot be removed stays listed and is tried again; rejects with its
 * error once the others are removed.
 */
export async function removeUnusedFiles(log: Log, files: Files): Promise<void> {
  const unused = await log.unusedFiles()
  const attempts = await Promise.allSettled(unused.map((id) => files.remove(id)))
  const removed = unused.filter((_, index) => attempts[index]?.status === 'fulfilled')
  if (removed.length > 0) await log.forgetFiles(removed)
  const failed = attempts.find((attempt) => attempt.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Deletes a thread and the files that only it named. If a file cannot be removed, that is reported. */
export async function deleteThreadAndFiles(
  { log, files, report }: { readonly log: Log; readonly files: Files; report(error: unknown): void },
  threadId: string,
): Promise<void> {
  await log.deleteThread(threadId)
  await removeUnusedFiles(log, files).catch(report)
}

export const BINARY = 'application/octet-stream'

/** A media type that is valid as a header; anything else becomes `application/octet-stream`. */
export function checkedMediaType(mediaType: string): string {
  return /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(mediaType) ? mediaType : BINARY
}

/**
 * Types in which no browser runs or renders anything that an author could use against the page. Scripts, HTML, SVG, XML
 * and PDF are not among them.
 */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/json)(?:;|$)/i

/** The media type that a file is served with, which may differ from the stored one. */
export function servedMediaType(mediaType: string): string {
  return INERT.test(mediaType) ? checkedMediaType(mediaType) : BINARY
}
