import { ApiError, fileUrl, type RunInput } from '@millrace/core/api'
import { type Files, only } from '../files/files.ts'
import type { BroughtPart } from '../run/brought-messages.ts'
import type { FilePart } from './chat/chat-request.ts'

/** The files of a message under their stored ids. Files that come with the message are stored first. */
export async function storedFiles(files: Files, parts: readonly FilePart[]): Promise<NonNullable<RunInput['files']>> {
  const ids: { readonly id: string }[] = []
  for (const part of parts) ids.push({ id: uploadedId(part) ?? (await store(files, part)) })
  return filesOf(files, ids)
}

/**
 * A file of an earlier message, under the address of its stored copy. Another address stays as the client sent it: it is
 * not fetched.
 */
export async function broughtFile(files: Files, part: FilePart): Promise<BroughtFile> {
  const id = uploadedId(part) ?? (bytesOf(part.url) === undefined ? undefined : await store(files, part))
  const { type, mediaType, filename, url } = part
  const address = id === undefined ? url : fileUrl(id)
  return { type, mediaType, url: address, ...(filename !== undefined && { filename }) }
}

function uploadedId({ url }: FilePart): string | undefined {
  return /\/api\/files\/([0-9a-f]{32})$/.exec(url)?.[1]
}

async function store(files: Files, { url, mediaType, filename }: FilePart): Promise<string> {
  const bytes = bytesOf(url)
  // Other addresses are not fetched: a message must not make the server send requests.
  if (bytes === undefined)
    throw new ApiError(400, 'unknown-file', 'A file comes with its bytes, or was uploaded before.')
  const { id } = await files.store(filename === undefined ? { mediaType } : { mediaType, filename }, only(bytes))
  return id
}

function bytesOf(url: string): Uint8Array | undefined {
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

type BroughtFile = Extract<BroughtPart, { readonly type: 'file' }>

type InputFile = NonNullable<RunInput['files']>[number]

/** The stored files that an input names. Throws 400 for a file that does not exist. */
export function filesOf(files: Files, named: readonly { readonly id: string }[]): Promise<readonly InputFile[]> {
  return Promise.all(
    named.map(async ({ id }) => {
      const found = await files.find(id)
      if (found === undefined) throw new ApiError(400, 'unknown-file', `There is no file "${id}".`)
      const { mediaType, filename } = found
      return filename === undefined ? { id, mediaType } : { id, mediaType, filename }
    }),
  )
}
