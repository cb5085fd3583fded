import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelFailure } from '../src/model/failure.ts'
import { type Post, post, postLimits } from '../src/model/post.ts'
import { waitBefore } from '../src/model/retries.ts'

type Answer = (response: ServerResponse, request: IncomingMessage, nth: number) => unknown

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(answer: Answer) {
  const paths: string[] = []
  const gone: Promise<void>[] = []
  const server = createServer((request, response) => {
    gone.push(new Promise((resolve) => response.on('close', resolve)))
    paths.push(`${request.headers.authorization ?? ''} ${request.url}`)
    answer(response, request, paths.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, gone }
}

const KEY = 'key-0123456789'

/** What came, and how it failed. */
async function posted(origin: string, fields: Partial<Post> = {}) {
  const slept: number[] = []
  const chunks: string[] = []
  const request: Post = {
    provider: 'Pilot',
    url: `${origin}/v1/messages`,
    headers: { authorization: KEY },
    body: '{"messages":[]}',
    secrets: [KEY],
    limits: postLimits,
    signal: new AbortController().signal,
    summary: () => 'user[text] assistant[tool_use]',
    sleep: async (milliseconds) => void slept.push(milliseconds),
    ...fields,
  }
  try {
    for await (const bytes of post(request)) chunks.push(new TextDecoder().decode(bytes))
    return { text: chunks.join(''), slept }
  } catch (error) {
    const { code, message } = error as ModelFailure
    return { text: chunks.join(''), slept, code, message }
  }
}

const STREAM = { 'content-type': 'text/event-stream' }
const streams = (response: ServerResponse, words = 'data: 1\n\n') => response.writeHead(200, STREAM).end(words)
const fails = (response: ServerResponse, status: number, headers = {}, words = '{"error":{"message":"No."}}') =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(words)

describe('a request to a provider', () => {
  it('sends the body once and gives the bytes of the stream as they are', async () => {
    let body = ''
    const { origin, paths } = await serve(async (response, request) => {
      body = await text(request)
      streams(response, 'event: a\r\ndata: {"x":"é"}\r\n\r\n')
    })
    expect(await posted(origin)).toEqual({ text: 'event: a\r\ndata: {"x":"é"}\r\n\r\n', slept: [] })
    expect([body, paths]).toEqual(['{"messages":[]}', [`${KEY} /v1/messages`]])
  })

  it.each([408, 429, 500, 503, 529])('is repeated twice after %i, before the first byte', async (status) => {
    const once = await serve((response, _request, nth) => (nth < 3 ? fails(response, status) : streams(response)))
    expect((await posted(once.origin)).text).toBe('data: 1\n\n')
    const always = await serve((response) => fails(response, status))
    const failed = await posted(always.origin)
    expect(failed).toMatchObject({ code: 'provider-failed', message: `Pilot answered with ${status}: No.` })
    expect([always.paths.length, failed.slept.length]).toEqual([3, 2])
  })

  it('is repeated when the connection fails before the first byte, and never after it', async () => {
    const early = await serve((response, _request, nth) => {
      if (nth === 3) return streams(response)
      if (nth === 1) return response.destroy()
      response.writeHead(200, STREAM).flushHeaders()
      setTimeout(() => response.destroy(), 20)
    })
    expect((await posted(early.origin)).text).toBe('data: 1\n\n')
    const late = await serve((response) => {
      response.writeHead(200, STREAM).write('data: 1\n\n')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await posted(late.origin)).toMatchObject({ text: 'data: 1\n\n', code: 'broken-off' })
    expect(late.paths.length).toBe(1)
    expect(await posted('http://127.0.0.1:9')).toMatchObject({ code: 'provider-unreachable', slept: { length: 2 } })
  })

  it('waits as long as the provider asks for, if that is not too long', async () => {
    const waits = [{ 'retry-after': '2' }, { 'retry-after-ms': '30' }]
    const { origin } = await serve((response, _request, nth) =>
      nth < 3 ? fails(response, 429, waits[nth - 1]) : streams(response),
    )
    expect((await posted(origin)).slept).toEqual([2000, 30])
    const tooLong = await serve((response) => fails(response, 429, { 'retry-after': '3600' }))
    expect(await posted(tooLong.origin)).toMatchObject({ code: 'provider-failed', slept: [] })
    const at = new Date(5_000).toUTCString()
    expect(waitBefore(1, new Headers({ 'retry-after': at }), 2_000)).toBe(3_000)
    expect(waitBefore(1, new Headers({ 'retry-after': at }), 9_000)).toBe(0)
    const [own = 0, later = 0] = [waitBefore(1, new Headers({ 'retry-after': 'soon' })), waitBefore(2, undefined)]
    expect([own > 300 && own < 700, later > 700 && later < 1300]).toEqual([true, true])
  })

  it('S3-50: that is refused says why in one line, with the shape of what was sent and without the key', async () => {
    const words = JSON.stringify({ error: { message: `messages.1: wrong\n for ${KEY}` } })
    const { origin, paths } = await serve((response) => fails(response, 400, {}, words))
    expect(await posted(origin)).toMatchObject({
      code: 'provider-refused',
      message: 'Pilot answered with 400: messages.1: wrong for [key] Sent: user[text] assistant[tool_use]',
    })
    expect(paths.length).toBe(1)
    const denied = await serve((response) => fails(response, 401, {}, `<html>${'x'.repeat(9_000_000)}`))
    const { message = '' } = await posted(denied.origin)
    expect([message.length < 1100, message.includes('Sent:')]).toEqual([true, false])
  })

  it('stays in its origin when it is redirected', async () => {
    const other = await serve((response) => streams(response))
    const moves =
      (location: string, status = 307) =>
      (response: ServerResponse, { url }: IncomingMessage) =>
        url === '/new' ? streams(response) : response.writeHead(status, { location }).end()
    const inside = await serve(moves('/new'))
    expect((await posted(inside.origin)).text).toBe('data: 1\n\n')
    for (const answer of [
      moves(`${other.origin}/v1`),
      moves('/new', 302),
      moves('/again'),
      moves('file:///etc/passwd'),
    ]) {
      const { origin, paths } = await serve(answer)
      expect(await posted(origin)).toMatchObject({ code: 'provider-refused', text: '' })
      expect(paths.length).toBeLessThan(6)
    }
    expect(other.paths).toEqual([])
  })

  it('refuses an answer that is no stream', async () => {
    const { origin } = await serve((response) => response.writeHead(200).end('<h1>Log in</h1>'))
    expect(await posted(origin)).toMatchObject({
      code: 'not-a-stream',
      message: 'Pilot answered without a stream: <h1>Log in</h1>',
    })
  })

  it('ends an answer that is silent, that drips without end, or that is too large', async () => {
    const begin = (response: ServerResponse) => response.writeHead(200, STREAM).write(': \n')
    const silent = await serve(begin)
    expect(await posted(silent.origin, { limits: { ...postLimits, idle: 60 } })).toMatchObject({ code: 'broken-off' })
    const drips = await serve((response) => {
      const timer = setInterval(() => response.write(': \n'), 10)
      response.on('close', () => clearInterval(timer))
      begin(response)
    })
    const limits = { ...postLimits, idle: 1000, time: 150 }
    expect(await posted(drips.origin, { limits })).toMatchObject({ code: 'broken-off' })
    const large = await serve((response) => streams(response, `data: ${'x'.repeat(100_000)}\n\n`))
    expect(await posted(large.origin, { limits: { ...postLimits, bytes: 50_000 } })).toMatchObject({ code: 'limit' })
    // The provider is not left writing.
    await Promise.all([...silent.gone, ...drips.gone, ...large.gone])
  })

  it('does not take a reader that is slow for a provider that is silent', async () => {
    const { origin } = await serve((response) => {
      response.writeHead(200, STREAM).write('data: 1\n\n')
      setTimeout(() => response.end('data: 2\n\n'), 30)
    })
    const request = { limits: { ...postLimits, idle: 100 }, url: `${origin}/v1`, headers: {}, body: '{}', secrets: [] }
    const signal = new AbortController().signal
    let all = ''
    for await (const bytes of post({ ...request, provider: 'Pilot', signal, summary: () => '' })) {
      all += new TextDecoder().decode(bytes)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(all).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('ends at once when the run is stopped: while it connects, waits for a retry, and streams', async () => {
    const hangs = await serve(() => undefined)
    const busy = await serve((response) => fails(response, 503, { 'retry-after': '50' }))
    const long = await serve((response) => response.writeHead(200, STREAM).write('data: 1\n\n'))
    for (const { origin, gone } of [hangs, busy, long]) {
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('stopped')), 60)
      const sleep = (milliseconds: number, signal: AbortSignal) =>
        new Promise((resolve, reject) => {
          setTimeout(resolve, milliseconds).unref()
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      expect((await posted(origin, { signal: stop.signal, sleep })).message).toBe('stopped')
      await Promise.all(gone)
    }
  })
})
