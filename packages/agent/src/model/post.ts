import { setTimeout as sleepFor } from 'node:timers/promises'
import { ModelFailure, wordsOf } from './failure.ts'
import { isWorthRepeating, MOST_RETRIES, waitBefore } from './retries.ts'

/** What bounds one answer of a provider. */
export interface PostLimits {
  /** How long nothing may come, in ms. Models think for minutes. */
  readonly idle: number
  /** How long the whole answer may take, in ms: bytes that drip would never be idle. */
  readonly time: number
  readonly bytes: number
}

export const postLimits: PostLimits = { idle: 300_000, time: 3_600_000, bytes: 64 * 1024 * 1024 }

export interface Post {
  /** Who is asked, for sentences. */
  readonly provider: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** Values that no sentence may contain. */
  readonly secrets: readonly string[]
  readonly limits: PostLimits
  readonly signal: AbortSignal
  /** What was sent, in one line, behind the words of a provider that refuses it. */
  readonly summary: () => string
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

const defaultSleep: NonNullable<Post['sleep']> = (milliseconds, signal) => sleepFor(milliseconds, undefined, { signal })

/** How often one request may be sent on by its origin. */
const MOST_REDIRECTS = 3

/** The bytes of an error's body that are read. */
const MOST_OF_ERROR = 64 * 1024

interface Answer {
  readonly first: Uint8Array
  readonly rest: ReadableStreamDefaultReader<Uint8Array>
}

/**
 * Sends one request, and yields the bytes of the answer's stream as they come. The request is repeated as long as no byte of a
 * stream has come; after that an interruption is the error `broken-off`. Throws a `ModelFailure`, or the signal's reason.
 */
export async function* post(request: Post): AsyncGenerator<Uint8Array, void, void> {
  const { limits, signal, provider } = request
  const watch = createWatch(limits, provider)
  const bounded = AbortSignal.any([signal, watch.signal])
  try {
    const { first, rest } = await openWithRetries({ ...request, signal: bounded }, watch)
    let bytes = 0
    for (let chunk: Uint8Array | undefined = first; chunk !== undefined; chunk = await next(rest, request, bounded)) {
      watch.heard()
      bytes += chunk.byteLength
      if (bytes > limits.bytes) throw new ModelFailure('limit', `${provider} has sent more than ${limits.bytes} bytes.`)
      // A reader that is slow does not make the provider idle.
      watch.pause()
      yield chunk
      watch.heard()
    }
  } finally {
    watch.close()
  }
}

/** Fires when an answer takes too long, and when nobody reads it any more. */
function createWatch({ idle, time }: PostLimits, provider: string) {
  const controller = new AbortController()
  const late = (what: string) => () => controller.abort(new ModelFailure('broken-off', `${provider} ${what}.`))
  const end = setTimeout(late(`has not ended its answer in ${seconds(time)}`), time)
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    heard() {
      pause()
      timer = setTimeout(late(`has sent nothing for ${seconds(idle)}`), idle)
    },
    pause,
    close() {
      pause()
      clearTimeout(end)
      controller.abort()
    },
  }
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`

async function openWithRetries(request: Post, watch: ReturnType<typeof createWatch>): Promise<Answer> {
  const { signal, sleep = defaultSleep } = request
  for (let retry = 1; ; retry++) {
    watch.heard()
    const tried = await open(request)
    if ('first' in tried) return tried
    const wait = retry > MOST_RETRIES || !tried.isWorthRepeating ? undefined : waitBefore(retry, tried.headers)
    if (wait === undefined) throw tried.failure
    watch.pause()
    await sleep(wait, signal)
  }
}

interface Failed {
  readonly failure: ModelFailure
  readonly isWorthRepeating: boolean
  readonly headers?: Headers
}

/** One attempt: the answer with its first bytes. Throws only if the signal has fired. */
async function open(request: Post): Promise<Answer | Failed> {
  const { provider, signal } = request
  try {
    const response = await send(request)
    if (response instanceof ModelFailure) return { failure: response, isWorthRepeating: false }
    const problem = await problemOf(response, request)
    if (problem !== undefined) return problem
    const rest = (response.body as ReadableStream<Uint8Array>).getReader()
    const { value: first } = await rest.read()
    return { first: first ?? new Uint8Array(), rest }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const failure = new ModelFailure('provider-unreachable', `${provider} cannot be reached: ${causeOf(error)}.`)
    return { failure, isWorthRepeating: true }
  }
}

/** Follows redirects that stay in their origin: the key goes nowhere else. */
async function send({ url, headers, body, signal, provider }: Post): Promise<Response | ModelFailure> {
  const { origin } = new URL(url)
  let address = url
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    const target = URL.canParse(location, address) ? new URL(location, address) : undefined
    if (target?.origin !== origin || (response.status !== 307 && response.status !== 308)) {
      return new ModelFailure('provider-refused', `${provider} sends the request to another address; name that one.`)
    }
    address = target.href
  }
  return new ModelFailure('provider-refused', `${provider} sends the request round in circles.`)
}

async function problemOf(response: Response, request: Post): Promise<Failed | undefined> {
  const { provider, secrets } = request
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (response.ok && response.body !== null && type.includes('text/event-stream')) return undefined
  const words = wordsOf(await beginningOf(response), secrets)
  if (response.ok) {
    const failure = new ModelFailure('not-a-stream', `${provider} answered without a stream: ${words}`)
    return { failure, isWorthRepeating: false }
  }
  const isRepeated = isWorthRepeating(status)
  // Only a request that was understood as wrong is worth a look at what it held.
  const sent = status === 400 || status === 422 ? ` Sent: ${request.summary()}` : ''
  const sentence = `${provider} answered with ${status}: ${words}${sent}`
  const failure = new ModelFailure(isRepeated ? 'provider-failed' : 'provider-refused', sentence)
  return { failure, isWorthRepeating: isRepeated, headers }
}

async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= MOST_OF_ERROR) break
  }
  return text.slice(0, MOST_OF_ERROR)
}

/** The next bytes; undefined at the end of the stream. */
async function next(
  rest: ReadableStreamDefaultReader<Uint8Array>,
  { provider }: Post,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return (await rest.read()).value
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ModelFailure('broken-off', `${provider} broke its answer off: ${causeOf(error)}.`)
  }
}

/** `fetch` hides what happened in the cause. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? inner ?? message
}
