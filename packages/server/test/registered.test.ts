import { getParser, parsers, registerParser, withTypes } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { getWire, registerWire, wires } from '@millrace/core/wire'
import type { Wire } from '@millrace/core/wire/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { framesOf } from './frames.ts'
import { type Serving, startServer } from './serving.ts'

const removals: (() => void)[] = []
afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

const toy: Parser = {
  version: 1,
  losses: {},
  recognize: () => undefined,
  create: () => ({
    push: (value) => [{ type: 'block-delta', blockId: 'only', text: (value as { said: string }).said }],
    end: () => [{ type: 'run-end', outcome: 'success' }],
  }),
}

async function ingested(format: string, lines: readonly object[]) {
  const server = await startServer()
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const answer = await server.ask(`/api/ingest?format=${format}&runId=r`, { method: 'POST', body })
  expect(answer.status).toBe(200)
  const streams = Object.keys(wires).map(async (wire) => [
    wire,
    framesOf(await (await server.ask(`/api/runs/r/stream?wire=${wire}`)).text()),
  ])
  return Object.fromEntries(await Promise.all(streams)) as { readonly [wire: string]: readonly unknown[] }
}

function closeCodeOf({ url, token }: Serving, path: string): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return new Promise((resolve) => socket.on('close', resolve))
}

const shout: Wire = {
  losses: {},
  profiles: [],
  headers: { 'x-shout': 'yes' },
  terminator: 'OVER',
  create: () => ({
    push: ({ event }) => (event.type === 'block-delta' ? [{ loud: event.text.toUpperCase() }, { mark: '!' }] : []),
  }),
}

describe('a wire that is registered at run time', () => {
  it('is streamed by the server, with its headers, its terminator and cursors', async () => {
    removals.push(registerWire('shout', shout), registerParser('toy', toy))
    const server = await startServer()
    const body = '{"said":"Hello"}\n{"said":"there"}\n'
    await server.ask('/api/ingest?format=toy&runId=r', { method: 'POST', body })
    const response = await server.ask('/api/runs/r/stream?wire=shout')
    expect(response.headers.get('x-shout')).toBe('yes')
    const frames = framesOf(await response.text())
    const chunks = [{ loud: 'HELLO' }, { mark: '!' }, { loud: 'THERE' }, { mark: '!' }]
    expect(frames.slice(0, -1).map(({ data }) => JSON.parse(data))).toEqual(chunks)
    expect(frames.at(-1)?.data).toBe('OVER')
    const rest = await server.ask(`/api/runs/r/stream?wire=shout&after=${frames[0]?.id}`)
    expect(framesOf(await rest.text()).map(({ data }) => data)).toEqual(frames.slice(1).map(({ data }) => data))
  })

  it.each(['stream', 'ws'])('that throws is reported, and its viewer is cut without an end: /%s', async (transport) => {
    const fault = new Error('a fault of the wire')
    const create = () => ({
      push() {
        throw fault
      },
    })
    removals.push(registerWire('faulty', { ...shout, create }), registerParser('toy', toy))
    const reports: unknown[] = []
    const server = await startServer({ report: (error) => reports.push(error) })
    await server.ask('/api/ingest?format=toy&runId=r', { method: 'POST', body: '{"said":"Hello"}\n' })
    const path = `/api/runs/r/${transport}?wire=faulty`
    if (transport === 'stream') await expect((await server.ask(path)).text()).rejects.toThrow()
    else expect(await closeCodeOf(server, path)).toBe(1006)
    expect(reports).toEqual([fault])
    const native = await server.ask('/api/runs/r/stream')
    expect(await native.text()).toContain('run-end')
  })

  it('takes the place of a wire of the registry until it is removed', () => {
    const remove = registerWire('native', shout)
    expect(getWire('native')).toBe(shout)
    registerWire('native', { ...shout })()
    remove()
    expect(getWire('native')).toBe(wires.native)
    expect(() => getWire('shout')).toThrow('No wire is registered for "shout".')
  })
})

describe('a parser that is registered at run time', () => {
  it('S0-126: is used by the server to read, log and stream a new format', async () => {
    removals.push(registerParser('toy', toy))
    const streams = await ingested('toy', [{ said: 'Hello ' }, { said: 'there.' }])
    for (const frames of Object.values(streams)) expect(JSON.stringify(frames)).toContain('there.')
  })

  it('S0-125: maps a new type of an agent’s lines to thinking, and one without an event type to data', async () => {
    const extended = withTypes(parsers['agent-lines'], {
      reflect: (line: { readonly data: { readonly thought: string } }) => [
        { type: 'block-start', blockId: 'reflect', kind: 'reasoning', meta: { own: { source: 'reflect' } } },
        { type: 'block-delta', blockId: 'reflect', text: line.data.thought },
        { type: 'block-end', blockId: 'reflect' },
      ],
      weather: (line: { readonly data: { readonly sky: string } }) => [
        { type: 'data', name: 'weather', data: { sky: line.data.sky } },
      ],
    })
    removals.push(registerParser('agent-lines', extended))
    const streams = await ingested('agent-lines', [
      { type: 'reflect', data: { thought: 'Was that right?' } },
      { type: 'weather', data: { sky: 'grey' } },
      { type: 'text', data: { content: 'Yes.' } },
      { type: 'done', data: {} },
    ])
    const said = JSON.stringify(streams['ai-sdk'])
    expect(said).toContain('reasoning-delta')
    expect(said).toContain('Was that right?')
    expect(said).toContain('data-weather')
    expect(said).not.toContain('data-raw')
  })

  it('S0-4: is found by name; an unknown name is an error', () => {
    const remove = registerParser('toy', toy)
    expect(getParser('toy')).toBe(toy)
    remove()
    expect(() => getParser('toy')).toThrow('No parser is registered for "toy".')
  })
})
