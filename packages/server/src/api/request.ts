import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '@millrace/core/api'
import { isTooDeep, MOST_LEVELS } from '@millrace/core/json'
import type { z } from 'zod'
import { basePathProblem, trimmedBasePath } from './addresses.ts'
import type { GuardedRequest } from './guard.ts'
import type { Context, Limits } from './services.ts'

/**
 * The request's body as it arrives. Leaving it early does not cut the connection, because an answer is still to be sent.
 * Throws 415 for a compressed body.
 */
export function bodyOf(context: Context): AsyncIterable<Uint8Array> {
  checkEncoding(context.req.header('content-encoding') ?? '')
  const { incoming } = context.env ?? {}
  // Node's own stream reports at once, without another buffer in between, that a client broke off.
  if (incoming !== undefined) return (incoming as Readable).iterator({ destroyOnReturn: false })
  return context.req.raw.body ?? emptyBody()
}

/** A compressed body could exceed any limit when unpacked, so none is accepted. */
function checkEncoding(encoding: string): void {
  if (encoding.split(',').every((one) => ['', 'identity'].includes(one.trim().toLowerCase()))) return
  const sentence = `The body is encoded as ${encoding.slice(0, 50)}: send it as it is, without Content-Encoding.`
  throw new ApiError(415, 'encoded-body', sentence)
}

/** The same bytes. Throws 400 if the client breaks off. */
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new ApiError(400, 'broken-off', 'The body broke off before its end.', { cause })
  }
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** The body's bytes. Throws 413 as soon as there are too many. */
export async function* capped(context: Context, limit: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new ApiError(413, 'too-large', `The body may have ${limit} bytes at most.`)
  if (Number(context.req.header('content-length') ?? 0) > limit) throw tooLarge()
  let size = 0
  for await (const bytes of unbroken(bodyOf(context))) {
    size += bytes.byteLength
    if (size > limit) throw tooLarge()
    yield bytes
  }
}

/** The whole body, at most `limit` bytes. */
export async function wholeBody(context: Context, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const bytes of capped(context, limit)) chunks.push(bytes)
  return Buffer.concat(chunks)
}

/** The body as JSON of this shape. Throws 400 if it is not. An absent body counts as `{}`. */
export async function readJson<Schema extends z.ZodType>(
  context: Context,
  { bodyBytes }: Limits,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parsedJson((await wholeBody(context, bodyBytes)).toString('utf8'), schema)
}

/** The text as JSON of this shape. Throws 400 if it is not. */
export function parsedJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  if (isTooDeep(text)) throw new ApiError(400, 'too-deep', `The body may be ${MOST_LEVELS} levels deep at most.`)
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new ApiError(400, 'bad-json', 'The body is not JSON.', { cause })
  }
  return checked(value, schema)
}

/** The query in this shape. Throws 400 if it does not fit. */
export function readQuery<Schema extends z.ZodType>(context: Context, schema: Schema): z.output<Schema> {
  return checked(context.req.query(), schema)
}

export function checked<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  const path = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
  throw new ApiError(400, 'bad-request', `${path}${issue?.message ?? 'not understood'}`)
}

/** An HTTP request as the guard checks it. */
export const guardedRequestOf = (context: Context): GuardedRequest => ({
  isApi: isApiPath(context.req.path),
  isSafe: ['GET', 'HEAD'].includes(context.req.method),
  header: headerOf(context),
  request: () => context.req.raw,
  incoming: context.env?.incoming,
})

const isApiPath = (path: string) => path === '/api' || path === '/metrics' || path.startsWith('/api/')

/** A web `Request` has its host in its address only. */
export const headerOf = (context: Context) => (name: string) =>
  context.req.header(name) ?? (name === 'host' ? new URL(context.req.url).host : undefined)

/** The path at which a host mounts the handler, without a slash at its end; empty at the root. Throws if it is not a path. */
export function checkedBasePath(basePath: string): string {
  const problem = basePathProblem(basePath)
  if (problem !== undefined) throw new Error(`\`basePath\` ${problem}`)
  return trimmedBasePath(basePath)
}

/** The path below the base path, such as `/api/threads`; undefined if it is not below. */
export function pathBelow(basePath: string, path: string): string | undefined {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** Express and similar hosts cut the mount path off. The handler needs the address as the client sent it. */
export function restoreAddress(request: IncomingMessage): void {
  const { originalUrl } = request as { readonly originalUrl?: unknown }
  if (typeof originalUrl === 'string') request.url = originalUrl
}
