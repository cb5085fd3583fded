import { createHash } from 'node:crypto'
import { fileUrl } from '@millrace/core/api'
import type { LargeFile, StoreFile } from '@millrace/core/files'

/** A file of a run that is too large for an event, under the id by which the event names it. */
export interface KeptFile {
  readonly id: string
  readonly mediaType: string
  readonly filename?: string
  readonly content: Uint8Array
}

/** The large files of a run, in the order in which its records held them. */
export interface LargeFiles {
  readonly storeFile: StoreFile
  /** The files since the last call. They MUST be durable before the events that name them. */
  take(): readonly KeptFile[]
}

export function createLargeFiles(threadId: string): LargeFiles {
  let files: KeptFile[] = []
  return {
    storeFile(file) {
      const kept = keptFileOf(threadId, file)
      files.push(kept)
      return fileUrl(kept.id)
    },
    take() {
      const taken = files
      files = []
      return taken
    },
  }
}

/**
 * The id comes from the thread and the content: reading a run again gives the same id, a repeated file is stored once,
 * and a file belongs to one thread, with which it is deleted.
 */
function keptFileOf(threadId: string, { mediaType, filename, bytes }: LargeFile): KeptFile {
  const content = Buffer.from(bytes, 'base64')
  const head = JSON.stringify([threadId, mediaType, filename ?? ''])
  const id = createHash('sha256').update(head).update(content).digest('hex').slice(0, 32)
  return { id, mediaType, content, ...(filename !== undefined && { filename }) }
}
