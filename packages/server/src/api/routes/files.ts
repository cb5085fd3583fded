import { ApiError, fileUrl, type UploadedFile } from '@millrace/core/api'
import { z } from 'zod'
import type { FileInfo } from '../../files/files.ts'
import { BINARY, servedMediaType } from '../../files/files.ts'
import { apiHeaders } from '../headers.ts'
import { capped, readQuery, wholeBody } from '../request.ts'
import { json, respondWith, streamBytes } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'

const uploadShape = z.object({ filename: z.string().max(500).optional() })

/** A file as the body itself, or as the first file of a form. */
async function upload(context: Context, services: Services): Promise<Response> {
  const { files, limits } = services
  const { filename } = readQuery(context, uploadShape)
  const type = context.req.header('content-type') ?? BINARY
  const info = /^multipart\/form-data\b/i.test(type)
    ? await storeOfForm(context, services, type)
    : await files.store({ mediaType: type, ...(filename && { filename }) }, capped(context, limits.uploadBytes))
  return json<UploadedFile>(context, { ...info, url: fileUrl(info.id) }, 201)
}

async function storeOfForm(context: Context, { files, limits }: Services, type: string): Promise<FileInfo> {
  // The form's own frame needs some room beside the file.
  const body = await wholeBody(context, limits.uploadBytes + 64 * 1024)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch((cause: unknown) => {
    throw new ApiError(400, 'bad-request', 'The form cannot be read.', { cause })
  })
  const file = [...form.values()].find((value) => typeof value !== 'string')
  if (file === undefined) throw new ApiError(400, 'bad-request', 'There is no file in the form.')
  return files.store({ mediaType: file.type, ...(file.name && { filename: file.name }) }, file.stream())
}

async function download(context: Context, services: Services): Promise<Response> {
  const { files, timing } = services
  const id = context.req.param('id') ?? ''
  const info = await files.find(id)
  if (info === undefined) throw new ApiError(404, 'unknown-file', `There is no file "${id}".`)
  // A file never changes, but it may be deleted: a cache asks whether it is still there.
  const kept = { ...apiHeaders, 'cache-control': 'private, no-cache', etag: `"${id}"` }
  if (context.req.header('if-none-match') === kept.etag) return context.body(null, 304, kept)
  const headers = {
    ...kept,
    'content-type': servedMediaType(info.mediaType),
    'content-length': String(info.size),
    'content-disposition': dispositionOf(info.filename),
  }
  if (context.req.method === 'HEAD') return context.body(null, 200, headers)
  return respondWith(context, services, (sink) => streamBytes(sink, timing, headers, files.read(id)))
}

/** Never shown in place: what was uploaded could be a page. */
function dispositionOf(filename: string | undefined): string {
  if (filename === undefined) return 'attachment'
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}

export const fileRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/files', policy: 'token', handle: upload },
  { method: 'GET', path: '/api/files/:id', policy: 'token', handle: download },
]
