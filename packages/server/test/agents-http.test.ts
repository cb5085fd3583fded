import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readTarget } from '../src/agents/outbound/target.ts'
import type { Agent } from '../src/run/agent.ts'
import { type HttpFields, httpAgent } from './http-bench.ts'
import { createProcessBench } from './process-bench.ts'
import { createService, type Script } from './services/service.ts'

async function ended(agent: Agent, text = 'Go') {
  const bench = await createProcessBench(agent)
  await bench.start('r', text)
  const events = await bench.ended('r')
  const end = events.at(-1)
  const error = end?.type === 'run-end' ? end.error : undefined
  return { events, text: JSON.stringify(events), end, error }
}

async function play(script: Script, fields: HttpFields = {}) {
  const service = await createService(script)
  return { service, ...(await ended(httpAgent('any', service.url, fields))) }
}

const line = (content: string) => `${JSON.stringify({ type: 'text', data: { content } })}\n`
const DONE = '{"type":"done","data":{}}\n'

describe('an answer that is not as it should be ends the run with a sentence', () => {
  it('cut in the middle: what came is kept, and nothing is asked again', async () => {
    const { service, text, error } = await play((_asked, { raw }) => {
      raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': 10_000 })
      raw.write(line('Half an answer'))
      setTimeout(() => raw.destroy(), 20)
      return new Promise(() => undefined)
    })
    expect(error).toMatchObject({ code: 'broken-off' })
    expect(text).toContain('Half an answer')
    expect(service.asked).toHaveLength(1)
  })

  it('endless: cut off at the limit of its output', async () => {
    const { error } = await play(
      async (_asked, { raw }) => {
        while (!raw.destroyed) {
          raw.write(line('more and more'))
          await new Promise((resolve) => setImmediate(resolve))
        }
      },
      { limits: { output: 100_000 } },
    )
    expect(error).toEqual({ code: 'limit', message: 'tester sent more than 100000 bytes and was cut off.' })
  })

  it('a drip that completes no line: cut off when it is idle', async () => {
    const { error } = await play(
      async (_asked, { raw }) => {
        raw.writeHead(200, { 'content-type': 'application/x-ndjson' })
        while (!raw.destroyed) {
          raw.write(' ')
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
      { limits: { idle: 200 } },
    )
    expect(error).toEqual({ code: 'limit', message: 'tester sent no line for 0.2 s and was cut off.' })
  })

  it('a drip of whole lines: cut off when it takes too long', async () => {
    const { error } = await play(
      async (_asked, { raw }) => {
        while (!raw.destroyed) {
          raw.write(line('.'))
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
      { limits: { time: 200 } },
    )
    expect(error).toEqual({ code: 'limit', message: 'tester took longer than 0.2 s to answer and was cut off.' })
  })

  it('no answer at all: cut off when it is idle', async () => {
    const { error } = await play((_asked, { held }) => held(), { limits: { idle: 100 } })
    expect(error).toMatchObject({ code: 'limit' })
  })

  it('one record without an end: cut off at the limit of a record', async () => {
    const { error } = await play(
      (_asked, { raw }) => void raw.write(`{"type":"text","data":"${'x'.repeat(50_000)}"}\n`),
      {
        limits: { line: 10_000 },
      },
    )
    expect(error).toEqual({ code: 'limit', message: 'tester sent a record of more than 10000 bytes and was cut off.' })
  })

  it('a small answer that unpacks to much: counted as what it unpacks to', async () => {
    const bomb = gzipSync(Buffer.from(line('x'.repeat(200)).repeat(50_000)))
    expect(bomb.length).toBeLessThan(100_000)
    const { error } = await play(
      (_asked, { raw }) => {
        raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
        raw.write(bomb)
      },
      { limits: { output: 1_000_000 } },
    )
    expect(error).toMatchObject({ code: 'limit', message: 'tester sent more than 1000000 bytes and was cut off.' })
  })

  it('a packed answer within the limits is read', async () => {
    const { text, end } = await play((_asked, { raw }) => {
      raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
      raw.write(gzipSync(`${line('Packed.')}${DONE}`))
    })
    expect(text).toContain('Packed.')
    expect(end).toMatchObject({ outcome: 'success' })
  })

  it('a page instead of a stream: asks whether the address is right', async () => {
    const { error } = await play((_asked, { raw }) => {
      raw.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      raw.write('<!doctype html>')
    })
    expect(error).toMatchObject({ code: 'endpoint-answer' })
  })

  it('nobody there: tried three times, then said', async () => {
    const service = await createService(() => undefined)
    const port = Number(new URL(service.url).port)
    const { error } = await ended(httpAgent('any', `http://127.0.0.1:${port === 1 ? 2 : 1}`))
    expect(error).toMatchObject({ code: 'endpoint-unreachable' })
    expect(error?.message).toContain('ECONNREFUSED')
  })
})

describe('a request is repeated', () => {
  const refusals = [429, 500, 503]
  it.each(refusals)('after status %i, twice, before the answer begins', async (status) => {
    let tries = 0
    const { service, text, end } = await play((_asked, { raw, json }) => {
      if (++tries < 3) return json({ error: { message: 'Not now.' } }, status)
      raw.writeHead(200, { 'content-type': 'application/x-ndjson' })
      raw.write(`${line('At last.')}${DONE}`)
    })
    expect([service.asked.length, end]).toMatchObject([3, { outcome: 'success' }])
    expect(text).toContain('At last.')
  })

  it('no third time, and the words of the service are shown', async () => {
    const { service, error } = await play((_asked, { json }) => json({ error: { message: 'Too busy today.' } }, 503))
    expect(service.asked).toHaveLength(3)
    expect(error).toEqual({ code: 'endpoint-status', message: 'tester answered with status 503: Too busy today.' })
  })

  it('not if the service refuses it for good, or wants to be left alone for long', async () => {
    const refused = await play((_asked, { json }) => json({ detail: 'Who are you?' }, 401))
    expect([refused.service.asked.length, refused.error?.message]).toEqual([
      1,
      'tester answered with status 401: Who are you?',
    ])
    const later = await play((_asked, { raw }) => void raw.writeHead(429, { 'retry-after': '3600' }))
    expect(later.service.asked).toHaveLength(1)
  })
})

describe('only what the file names is called (security 16)', () => {
  it('a redirect within the origin is followed with the same request', async () => {
    const { service, text } = await play(({ path }, { raw }) => {
      if (path === '/') return void raw.writeHead(307, { location: '/moved/' })
      raw.write(`${line('Moved.')}${DONE}`)
    })
    expect(text).toContain('Moved.')
    expect(service.asked.map(({ path, body }) => [path, 'input' in body])).toEqual([
      ['/', true],
      ['/moved/', true],
    ])
  })

  it('a redirect to another origin is not, and its headers go nowhere', async () => {
    const other = await createService(() => undefined)
    const { error } = await play((_asked, { raw }) => void raw.writeHead(308, { location: `${other.url}/inward` }))
    expect(error).toMatchObject({ code: 'endpoint-origin' })
    expect(other.asked).toHaveLength(0)
  })

  it('a redirect that would lose the request, and one without an end, are not followed', async () => {
    const lost = await play((_asked, { raw }) => void raw.writeHead(302, { location: '/elsewhere' }))
    expect(lost.error).toMatchObject({ code: 'endpoint-redirect' })
    const circle = await play((_asked, { raw }) => void raw.writeHead(307, { location: '/' }))
    expect([circle.error?.code, circle.service.asked.length]).toEqual(['endpoint-redirect', 6])
  })

  it('a name that leads inward is not called, also if one of its addresses is public', async () => {
    const lookup = (addresses: readonly string[]) =>
      ((_host: string, _options: object, done: (...results: unknown[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as never
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['::ffff:169.254.169.254'], []]) {
      const agent = httpAgent('any', 'https://agents.example/', {}, { lookup: lookup(addresses) })
      expect((await ended(agent)).error, addresses.join()).toMatchObject({ code: 'endpoint-address' })
    }
  })

  it('a name of this machine is called on this machine only', async () => {
    const service = await createService((_asked, { raw }) => void raw.write(DONE))
    const url = service.url.replace('127.0.0.1', 'localhost')
    const away = ((_host: string, _options: object, done: (...results: unknown[]) => void) =>
      done(null, [{ address: '93.184.215.14', family: 4 }])) as never
    expect((await ended(httpAgent('any', url, {}, { lookup: away }))).error).toMatchObject({ code: 'endpoint-address' })
    const here = ((_host: string, _options: object, done: (...results: unknown[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])) as never
    expect((await ended(httpAgent('any', url, {}, { lookup: here }))).end).toMatchObject({ outcome: 'success' })
  })

  it.each([
    ...['ftp://agents.example', 'agents.example', 'https://user:secret@agents.example', 'https://agents.example/#x'],
    ...['http://agents.example', 'http://169.254.169.254/latest', 'http://0.0.0.0', 'http://[::ffff:169.254.1.1]'],
    ...['http://2852039166/', 'http://[fe80::1]', 'http://[64:ff9b::a00:1]/', 'http://224.0.0.1'],
  ])('%s is refused when the file is read', (url) => {
    expect(readTarget(url)).toHaveProperty('problem')
  })

  it.each([
    ['https://agents.example/run', 'public'],
    ['http://127.0.0.1:8000', 'loopback'],
    ['http://localhost.:8000', 'loopback'],
    ['http://[::1]:8000', 'loopback'],
    ['http://0x7f.1:8000', 'loopback'],
    ['http://192.168.1.7', 'private'],
    ['https://[fd00::1]', 'private'],
  ])('%s may lead to addresses that are %s', (url, reach) => {
    expect(readTarget(url)).toMatchObject({ target: { reach } })
  })
})
