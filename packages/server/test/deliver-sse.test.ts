import { wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { framesOf, reading } from './frames.ts'
import { createGate, createTiming, ingested, scripted, started, startServer, text } from './serving.ts'

const recordings = [...fixturesOf('agent-lines'), ...fixturesOf('anthropic-messages')]
const [longest] = fixturesOf('agent-lines').toSorted((one, other) => other.bytes.length - one.bytes.length)

async function* idle(): AsyncGenerator<object> {
  yield text('and now')
  await new Promise(() => {})
}

describe('a run as server-sent events', () => {
  it('has the headers that forbid proxies to buffer it', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', '{"type":"text","data":{"content":"hi"}}\n')
    const native = await server.ask(`/api/runs/${runId}/stream`)
    expect(Object.fromEntries(native.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const aiSdk = await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`)
    expect(aiSdk.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(framesOf(await native.text()).map(({ id }) => id)).toEqual(
      framesOf(await (await server.ask(`/api/runs/${runId}/stream`)).text()).map((_, index) => `${index + 1}`),
    )
    expect((await aiSdk.text()).endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('answers HEAD with its headers only, and ends', async () => {
    const server = await startServer({ agents: [scripted('idle', () => idle())] })
    const runId = await started(server)
    const response = await server.ask(`/api/runs/${runId}/stream`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await response.text()).toBe('')
  })

  it('sends each entry before the agent has sent the next', async () => {
    const gates = [createGate(), createGate()]
    const agent = scripted('slow', async function* () {
      yield text('first')
      await gates[0]?.opened
      yield text('second')
      await gates[1]?.opened
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const viewer = reading(await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`))
    await viewer.until('first')
    expect(viewer.text()).not.toContain('second')
    gates[0]?.open()
    await viewer.until('second')
    expect(viewer.text()).not.toContain('finish')
    gates[1]?.open()
    expect(await viewer.rest()).toContain('"type":"finish"')
  })

  it('sends exactly what follows each cursor of each wire', async () => {
    const server = await startServer()
    for (const recording of recordings.slice(0, 6)) {
      const runId = await ingested(server, recording.name.split('/')[0] ?? '', recording.bytes)
      for (const wire of Object.keys(wires)) {
        const path = `/api/runs/${runId}/stream?wire=${wire}`
        const whole = await (await server.ask(path)).text()
        const frames = framesOf(whole)
        const cursors = frames.flatMap(({ id }) => (id === undefined ? [] : [id]))
        expect(new Set(cursors).size).toBe(cursors.length)
        for (const [index, cursor] of cursors.entries()) {
          const rest = await (await server.ask(`${path}&after=${cursor}`)).text()
          expect(framesOf(rest)).toEqual(frames.slice(index + 1))
        }
      }
    }
  })

  it('prefers the Last-Event-ID of a reconnecting viewer over the cursor in its URL', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', longest?.bytes ?? '')
    const path = `/api/runs/${runId}/stream?after=0`
    const frames = framesOf(await (await server.ask(path)).text())
    const rest = await (await server.ask(path, { headers: { 'last-event-id': '2' } })).text()
    expect(framesOf(rest)).toEqual(frames.slice(2))
    const last = { 'last-event-id': frames.at(-1)?.id ?? '' }
    expect((await server.ask(path, { headers: last })).status).toBe(204)
  })

  it('ends an EventSource that reconnects, once it has every chunk and not before', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', longest?.bytes ?? '')
    for (const wire of Object.keys(wires)) {
      const path = `/api/runs/${runId}/stream?wire=${wire}`
      const cursors = framesOf(await (await server.ask(path)).text()).flatMap(({ id }) => id ?? [])
      const answers = cursors
        .slice(-4)
        .map(async (id) => (await server.ask(path, { headers: { 'last-event-id': id } })).status)
      expect([wire, await Promise.all(answers)]).toEqual([wire, [200, 200, 200, 204]])
    }
  })

  it('sends a ping within every 15 seconds of silence, also before the first byte', async () => {
    const timing = createTiming()
    const gate = createGate()
    const agent = scripted('silent', async function* () {
      await gate.opened
      yield text('at last')
    })
    const server = await startServer({ agents: [agent], timing })
    const runId = await started(server)
    const { seq = 0 } = (await server.log.run(runId)) ?? {}
    const viewer = reading(await server.ask(`/api/runs/${runId}/stream?after=${seq}`))
    timing.advance(15_000)
    await viewer.until(': ping\n\n')
    timing.advance(15_000)
    await viewer.until(': ping\n\n: ping\n\n')
    gate.open()
    expect(framesOf(await viewer.rest()).length).toBeGreaterThan(1)
    expect(viewer.text().match(/: ping/g)?.length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['wire=telegraph', 'unknown-wire'],
    ['wire=constructor', 'unknown-wire'],
    ['wire=ai-sdk&profile=toString', 'unknown-profile'],
    ['after=one', 'bad-request'],
    ['after=-1', 'bad-request'],
    ['after=1.2.3', 'bad-request'],
  ])('refuses %s with 400 and %s', async (query, code) => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', '{"type":"text","data":{"content":"hi"}}\n')
    const response = await server.ask(`/api/runs/${runId}/stream?${query}`)
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code } }])
  })
})
