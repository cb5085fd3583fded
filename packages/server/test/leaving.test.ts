import { describe, expect, it } from 'vitest'
import { asking } from './scripted-agents.ts'
import { createTiming, type Serving, scripted, startServer, text, until } from './serving.ts'

const endless = scripted('endless', async function* ({ signal }) {
  yield text('One moment.')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

const GRACE = 4_000

async function serving(agents = [endless]) {
  const timing = createTiming()
  return { timing, server: await startServer({ agents, timing, leaveWithin: GRACE }) }
}

const wires: readonly [string, (query: string) => readonly [string, object]][] = [
  [
    'chat',
    (query) => [
      `/api/chat${query}`,
      { id: 't', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'x' }] }] },
    ],
  ],
  [
    'AG-UI',
    (query) => [
      `/api/ag-ui/endless${query}`,
      { threadId: 't', runId: 'run-1', messages: [{ id: 'u', role: 'user', content: 'x' }] },
    ],
  ],
]

/** A client that reads the beginning of the answer. */
async function viewer(server: Serving, path: string, body?: object) {
  const abort = new AbortController()
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await server.ask(path, { ...init, signal: abort.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  return { leave: () => abort.abort(), status: response.status }
}

const runOf = async ({ log }: Serving) => (await log.runs('t')).at(-1)

/** The number of viewers, as the server counts them. */
const viewersOf = async (server: Serving) => {
  const metrics = await (await server.ask('/metrics')).text()
  return [...metrics.matchAll(/^millrace_viewers\S* (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe.each(wires)('leaving a run over %s', (_name, requestWith) => {
  it('stops it once the grace time has passed, if the request says so', async () => {
    const { server, timing } = await serving()
    const client = await viewer(server, ...requestWith('?leaving=stops'))
    client.leave()
    await until(async () => (await viewersOf(server)) === 0)
    timing.advance(GRACE - 1)
    expect((await runOf(server))?.state).toBe('live')
    timing.advance(1)
    await until(async () => (await runOf(server))?.state === 'ended')
    expect((await runOf(server))?.outcome).toBe('cancelled')
    const stops = await server.log.commands((await runOf(server))?.id ?? '', { after: 0 })
    expect(stops).toMatchObject([{ command: { type: 'stop' }, by: 'left' }])
  })

  it('stops nothing unless the request says so', async () => {
    const { server, timing } = await serving()
    const client = await viewer(server, ...requestWith(''))
    client.leave()
    await until(async () => (await viewersOf(server)) === 0)
    timing.advance(100 * GRACE)
    expect(timing.pending()).toBe(0)
    expect((await runOf(server))?.state).toBe('live')
  })

  it('keeps the run if a viewer comes back in time, and stops it when that one leaves', async () => {
    const { server, timing } = await serving()
    const first = await viewer(server, ...requestWith('?leaving=stops'))
    first.leave()
    await until(async () => (await viewersOf(server)) === 0)
    timing.advance(GRACE / 2)
    const second = await viewer(server, `/api/runs/${(await runOf(server))?.id}/stream`)
    timing.advance(GRACE)
    expect((await runOf(server))?.state).toBe('live')
    second.leave()
    await until(async () => (await viewersOf(server)) === 0)
    timing.advance(GRACE)
    await until(async () => (await runOf(server))?.state === 'ended')
  })
})

describe('leaving', () => {
  it('does not stop a run that waits for an answer: its response has ended', async () => {
    const { server, timing } = await serving([asking])
    const [path, body] = wires[0]?.[1]('?leaving=stops') ?? ['', {}]
    await (await server.send('POST', path, body)).text()
    timing.advance(2 * GRACE)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await runOf(server))?.state).toBe('live')
  })

  it('does not stop a run because the server closes', async () => {
    const { server, timing } = await serving()
    await viewer(server, ...(wires[0]?.[1]('?leaving=stops') ?? ['', {}]))
    await server.close()
    timing.advance(2 * GRACE)
    expect((await runOf(server))?.outcome).toBe('interrupted')
  })

  it('has no other meaning than `stops`', async () => {
    const { server } = await serving()
    const [path, body] = wires[0]?.[1]('?leaving=pauses') ?? ['', {}]
    expect((await server.send('POST', path, body)).status).toBe(400)
    expect(await server.log.runs('t')).toEqual([])
  })
})
