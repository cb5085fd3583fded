import { lookup as systemLookup } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AgentFailure } from '@millrace/core/agent'
import { mayReach, type Target } from './target.ts'

/** One request to the service. */
export interface Call {
  readonly method: 'GET' | 'OPTIONS' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON. */
  readonly body?: object
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Unpacked. It fails with `CutOff` if the connection breaks in the middle. */
  readonly body: AsyncIterable<Uint8Array>
  close(): void
}

export interface SendOptions {
  readonly name: string
  readonly target: Target
  readonly headers: { readonly [name: string]: string }
  readonly signal: AbortSignal
  /** For tests: how names become addresses. */
  readonly lookup?: typeof systemLookup
}

/** The connection broke while the answer was read. */
export class CutOff extends Error {
  override readonly name = 'CutOff'
}

/** The connection broke, or was refused, before there was an answer. */
export class NotReached extends Error {
  override readonly name = 'NotReached'
}

const MOST_REDIRECTS = 5
/** They keep the method and the body of a request. */
const SAME_REQUEST: ReadonlySet<number> = new Set([307, 308])
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Sends a request to the service of a file and to nothing else: a redirect may lead within its origin only. */
export async function send(call: Call, options: SendOptions): Promise<Answer> {
  const { name, target } = options
  let { url } = call
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    if (url.origin !== target.url.origin)
      throw new AgentFailure('endpoint-origin', `${name} redirects to ${url.origin}, which its file does not name.`)
    const answer = await sendOnce({ ...call, url }, options)
    const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined
    if (location === undefined) return answer
    answer.close()
    if (call.method !== 'GET' && !SAME_REQUEST.has(answer.status))
      throw new AgentFailure(
        'endpoint-redirect',
        `${name} redirects with status ${answer.status}, which loses the request.`,
      )
    if (!URL.canParse(location, url.href))
      throw new AgentFailure('endpoint-redirect', `${name} redirects to something that is no address.`)
    url = new URL(location, url)
  }
  throw new AgentFailure('endpoint-redirect', `${name} redirects more than ${MOST_REDIRECTS} times.`)
}

function sendOnce({ method, url, headers, body }: Call, options: SendOptions): Promise<Answer> {
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const start: typeof plainRequest = url.protocol === 'https:' ? tlsRequest : plainRequest
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = start(url, {
    method,
    headers: {
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'millrace',
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': text.length }),
      ...headers,
      ...options.headers,
    },
    lookup: guardedLookup(options),
    signal: options.signal,
    // A connection of its own: one that is kept open may be of an address that was looked up long ago.
    agent: false,
  })
  request.on('error', (error) => reject(reasonOf(error, options)))
  request.on('response', (response) => resolve(answerOf(request, response)))
  request.end(text)
  return promise
}

/** Looks a name up, and refuses it if any of its addresses is not where the file's name leads. The address is the one connected to. */
function guardedLookup({ name, target, lookup = systemLookup }: SendOptions): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0)
      const strange = addresses.find(({ address }) => !mayReach(target, address))
      const [first] = addresses
      if (strange !== undefined || first === undefined) {
        const where = strange?.address ?? 'no address'
        const sentence = `${name} cannot be called: ${hostname} leads to ${where}, which its file does not allow.`
        return done(new AgentFailure('endpoint-address', sentence), '', 0)
      }
      if (options.all === true) done(null, addresses as never, undefined as never)
      else done(null, first.address, first.family)
    })
  }
}

function reasonOf(error: Error, { name, signal, target }: SendOptions): unknown {
  if (error instanceof AgentFailure) return error
  if (signal.aborted) return signal.reason
  const { code } = error as NodeJS.ErrnoException
  return new NotReached(`${name} cannot be reached at ${target.url.host}: ${code ?? error.message}.`)
}

const unpackers: { readonly [encoding: string]: (() => NodeJS.ReadWriteStream & Readable) | undefined } = {
  __proto__: null as never,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function answerOf(request: ClientRequest, response: IncomingMessage): Answer {
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: bodyOf(response), close: () => request.destroy() }
}

/** A packed answer is unpacked as it is read, so that a small one that unpacks to much costs no memory. */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  const unpack = unpackers[encoding.toLowerCase()]
  try {
    if (encoding !== 'identity' && unpack === undefined) throw new Error(`it is packed as ${encoding}`)
    const unpacker = unpack?.()
    // An error of the connection ends the reader of what is unpacked, too.
    if (unpacker !== undefined) response.on('error', (error) => unpacker.destroy(error))
    for await (const bytes of unpacker === undefined ? response : response.pipe(unpacker)) yield bytes
  } catch (error) {
    throw new CutOff(error instanceof Error ? error.message : String(error))
  } finally {
    response.destroy()
  }
}
