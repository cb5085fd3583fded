import { readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { ApiError } from '@millrace/core/api'
import { createCompressedFiles, isWorthIt, takesGzip } from './compressed-files.ts'
import { pageHeaders } from './headers.ts'

/** The built app. */
export interface StaticFiles {
  /** The file at a path; the app's page for a path without an extension. Throws 404 otherwise. */
  respond(path: string, header: (name: string) => string | undefined): Promise<Response>
}

const mediaTypes: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The names of built files contain a hash of their content: such a file never changes. */
const IMMUTABLE = /-[\w-]{8,40}\.\w{1,10}$/
const LONGEST_ENDING = 52
const isImmutable = (path: string) => path.startsWith('/assets/') && IMMUTABLE.test(path.slice(-LONGEST_ENDING))

const PAGE = '/index.html'

/**
 * Without a folder, every page is a sentence that says so. The page names its files from `./`, which becomes the base path:
 * it is served for paths of any depth.
 */
export function createStaticFiles(folder: string | undefined, basePath = ''): StaticFiles {
  const compressed = createCompressedFiles()
  return {
    async respond(path, header) {
      if (folder === undefined) return notBuilt(path, basePath)
      const found = (await find(folder, path)) ?? (isPage(path) ? await find(folder, PAGE) : undefined)
      if (found === undefined) throw new ApiError(404, 'unknown-file', `There is no ${path}.`)
      const mediaType = mediaTypes[extname(found.path)] ?? 'application/octet-stream'
      const isText = isWorthIt(mediaType, found.size)
      const isShorter = isText && takesGzip(header('accept-encoding'))
      const tag = `${found.tag}${basePath}`
      const headers = {
        ...pageHeaders,
        'content-type': mediaType,
        'cache-control': isImmutable(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: isShorter ? `"${tag}-gzip"` : `"${tag}"`,
        ...(isText && { vary: 'accept-encoding' }),
      }
      if (header('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
      const read = () => bytesOf(found.path, folder, basePath)
      if (!isShorter) return new Response(await read(), { headers })
      const body = await compressed.gzipped(`${found.path} ${tag}`, read)
      return new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...headers, 'content-encoding': 'gzip' } })
    },
  }
}

/** Paths without an extension are pages of the app. */
const isPage = (path: string) => extname(path) === ''

/** A file as it is sent: the addresses in the page are those of this server. */
async function bytesOf(path: string, folder: string, basePath: string): Promise<Buffer<ArrayBuffer>> {
  const stored = await readFile(path)
  if (path !== join(folder, PAGE)) return stored
  return Buffer.from(stored.toString('utf8').replaceAll('="./', `="${basePath}/`))
}

async function find(folder: string, path: string) {
  const file = fileOf(folder, path)
  if (file === undefined) return undefined
  const found = await stat(file).catch(() => undefined)
  return found?.isFile()
    ? { path: file, size: found.size, tag: `${found.size.toString(36)}-${found.mtimeMs.toString(36)}` }
    : undefined
}

/** The file that a path names, if it lies within the folder. */
function fileOf(folder: string, path: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (/[\0\\]/.test(decoded)) return undefined
  const file = join(folder, decoded)
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? file : undefined
}

function notBuilt(path: string, basePath: string): Response {
  if (!isPage(path)) throw new ApiError(404, 'unknown-file', `There is no ${path}.`)
  const headers = { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' }
  return new Response(`The app is not built. The API is under ${basePath}/api.\n`, { headers })
}
