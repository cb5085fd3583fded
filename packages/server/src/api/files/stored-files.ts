import { ApiError } from '@millrace/core/api/api-error'
import type { RunInput } from '@millrace/core/api/api-types'

import type { FilePart } from '../chat/chat-request.ts'
import type { Files } from './files.ts'
import { filesOf } from './input-files.ts'

/** The files of a message, by the ids they are stored under. Those that come with the message are stored first. */
export async function storedFiles(files: Files, parts: readonly FilePart[]): Promise<NonNullable<RunInput['files']>> {
  const ids: { readonly id: string }[] = []
  for (const part of parts) ids.push({ id: uploadedId(part) ?? (await store(files, part)) })
  return filesOf(files, ids)
}

function uploadedId({ url }: FilePart): string | undefined {
  return /\/api\/files\/([0-9a-f]{32})$/.exec(url)?.[1]
}

async function store(files: Files, { url, mediaType, filename }: FilePart): Promise<string> {
  const bytes = bytesOf(url)
  // What lies elsewhere is not fetched: a message must not make the server ask others.
  if (bytes === undefined)
    throw new ApiError(400, 'unknown-file', 'A file comes with its bytes, or was uploaded before.')
  const { id } = await files.store(filename === undefined ? { mediaType } : { mediaType, filename }, only(bytes))
  return id
}

function bytesOf(url: string): Uint8Array | undefined {
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
