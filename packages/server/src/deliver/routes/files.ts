import { z } from 'zod'
import { capped, readQuery, wholeBody } from '../body.ts'
import { ApiError } from '../errors.ts'
import type { FileInfo } from '../files.ts'
import { apiHeaders } from '../headers.ts'
import { respondWith } from '../open-sink.ts'
import { createPacer } from '../pacer.ts'
import type { Context, Route, Services } from '../services.ts'

const FILE_LIMIT = 64 * 1024 * 1024
const BINARY = 'application/octet-stream'
const uploadShape = z.object({ filename: z.string().max(500).optional() })

/** A file as the body itself, or as the first file of a form. */
async function upload(context: Context, { files }: Services): Promise<Response> {
  const { filename } = readQuery(context, uploadShape)
  const type = context.req.header('content-type') ?? BINARY
  const info = /^multipart\/form-data\b/i.test(type)
    ? await storeOfForm(context, files, type)
    : await files.store(describe(type, filename), capped(context, FILE_LIMIT))
  return context.json({ ...info, url: `/api/files/${info.id}` }, 201)
}

async function storeOfForm(context: Context, files: Services['files'], type: string): Promise<FileInfo> {
  // The form's own frame needs some room beside the file.
  const body = await wholeBody(context, FILE_LIMIT + 64 * 1024)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch((cause: unknown) => {
    throw new ApiError(400, 'bad-request', 'The form cannot be read.', { cause })
  })
  const file = [...form.values()].find((value) => typeof value !== 'string')
  if (file === undefined) throw new ApiError(400, 'bad-request', 'There is no file in the form.')
  return files.store(describe(file.type, file.name), file.stream())
}

/** A type that is none is kept as bytes; a name stays a name, whatever path it came with. */
function describe(type: string, filename: string | undefined) {
  const mediaType = /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(type) ? type : BINARY
  return filename === undefined || filename === '' ? { mediaType } : { mediaType, filename: filename.slice(0, 500) }
}

async function download(context: Context, services: Services): Promise<Response> {
  const { files, timing } = services
  const id = context.req.param('id') ?? ''
  const info = await files.find(id)
  if (info === undefined) throw new ApiError(404, 'unknown-file', `There is no file "${id}".`)
  const headers = {
    ...apiHeaders,
    'content-type': info.mediaType,
    'content-length': String(info.size),
    'content-disposition': dispositionOf(info.filename),
    'cache-control': 'private, max-age=31536000, immutable',
  }
  if (context.req.method === 'HEAD') return context.body(null, 200, headers)
  return respondWith(context, services, async (sink) => {
    sink.open({ status: 200, headers })
    const pacer = createPacer(sink, timing, () => true)
    try {
      for await (const bytes of files.read(id)) await pacer.send(bytes)
      sink.end()
    } catch {
      sink.cut()
    } finally {
      pacer.stop()
    }
  })
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
