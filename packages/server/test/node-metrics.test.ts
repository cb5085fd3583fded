import { describe, expect, it } from 'vitest'
import { createMetrics } from '../src/api/metrics.ts'
import { countedLog } from '../src/log/counted-log.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { reading } from './frames.ts'
import { readMetrics } from './prometheus-text.ts'
import { createGate, ingested, type Serving, scripted, started, startServer, text, until } from './serving.ts'
import { dial } from './session-client.ts'

const metricsOf = async ({ ask }: Serving) => readMetrics(await (await ask('/metrics')).text())

/** The value of a sample; 0 if there is none. */
async function sampleOf(server: Serving, sample: string): Promise<number> {
  const name = sample.replace(/\{.*/, '')
  const metrics = await metricsOf(server)
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  if (metric === undefined) throw new Error(`There is no ${name}.`)
  return metric.samples.get(sample) ?? 0
}

const done = `${JSON.stringify({ type: 'done', data: {} })}\n`

describe('the text of metrics', () => {
  it('escapes what it is given, and has cumulative buckets', () => {
    const metrics = createMetrics()
    metrics.labelled('a_total', 'one\\two\nthree', 'counter').add({ x: 'q"u\\o\nte' }, 2)
    const times = metrics.histogram('b_seconds', 'b', [0.1, 1])
    for (const value of [0.05, 0.1, 0.5, 1.5, 3]) times.observe(value)
    metrics.read('c', 'c', 'gauge', () => [{ value: 0.000_000_1 }])
    const read = readMetrics(metrics.text())
    expect(read.get('a_total')?.help).toBe('one\\\\two\\nthree')
    expect([...(read.get('a_total')?.samples ?? [])]).toEqual([['a_total{x="q\\"u\\\\o\\nte"}', 2]])
    expect([...(read.get('b_seconds')?.samples ?? [])]).toEqual([
      ['b_seconds_bucket{le="0.1"}', 2],
      ['b_seconds_bucket{le="1"}', 3],
      ['b_seconds_bucket{le="+Inf"}', 5],
      ['b_seconds_sum', 5.15],
      ['b_seconds_count', 5],
    ])
  })

  it('is served with the token only, as Prometheus reads it', async () => {
    const server = await startServer({ basePath: '/mill' })
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
    expect((await fetch(`${server.url.replace('/mill', '')}/metrics`)).status).toBe(404)
    const response = await server.ask('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await server.ask('/metrics', { method: 'POST' })).status).toBe(405)
    expect((await server.ask('/metrics', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    const metrics = await metricsOf(server)
    const number = (name: string) => metrics.get(name)?.samples.get(name) ?? 0
    expect(number('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(number('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(Math.abs(number('process_start_time_seconds') + process.uptime() - Date.now() / 1000)).toBeLessThan(5)
    expect(metrics.get('millrace_event_loop_delay_p99_seconds')?.samples.size).toBe(1)
  })
})

describe('what a node counts', () => {
  it('requests by pattern, method and class, without what a client chose', async () => {
    const server = await startServer()
    await server.ask('/api/runs/secret-id')
    await server.ask('/api/runs/other-id')
    await server.ask('/secret-path?token=secret')
    await server.ask('/api/agents')
    await until(async () => (await sampleOf(server, requests('/api/agents', 'GET', '2xx'))) === 1)
    expect(await sampleOf(server, requests('/api/runs/:id', 'GET', '4xx'))).toBe(2)
    expect(await sampleOf(server, requests('other', 'GET', '2xx'))).toBe(1)
    const page = await (await server.ask('/metrics')).text()
    expect(page).not.toContain('secret')
  })

  it('streams apart from other requests', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', done)
    const before = await sampleOf(server, 'millrace_http_stream_duration_seconds_count')
    await (await server.ask(`/api/runs/${runId}/stream`)).text()
    await until(async () => (await sampleOf(server, 'millrace_http_stream_duration_seconds_count')) === before + 1)
    const plain = await sampleOf(server, 'millrace_http_request_duration_seconds_count')
    expect(await sampleOf(server, 'millrace_http_request_duration_seconds_count')).toBe(plain + 1)
  })

  it('live runs by what feeds them, viewers by wire, and producers', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('working')
      await gate.opened
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(`{"type":"text"}\n`)) })
    const gone = new AbortController()
    server
      .ask('/api/ingest?format=agent-lines', { method: 'POST', body, duplex: 'half', signal: gone.signal })
      .catch(() => undefined)
    await until(async () => (await sampleOf(server, 'millrace_runs_live{kind="producer"}')) === 1)
    expect(await sampleOf(server, 'millrace_runs_live{kind="agent"}')).toBe(1)
    expect(await sampleOf(server, 'millrace_producers_connected')).toBe(1)
    const viewer = reading(await server.ask(`/api/runs/${runId}/stream?wire=ag-ui`))
    const socket = dial(server, `/api/runs/${runId}/ws`)
    await until(async () => (await sampleOf(server, 'millrace_viewers{wire="native"}')) === 1)
    expect(await sampleOf(server, 'millrace_viewers{wire="ag-ui"}')).toBe(1)
    await viewer.leave()
    socket.terminate()
    gone.abort()
    gate.open()
    for (const sample of ['viewers{wire="native"}', 'viewers{wire="ag-ui"}', 'runs_live{kind="agent"}']) {
      await until(async () => (await sampleOf(server, `millrace_${sample}`)) === 0)
    }
    await until(async () => (await sampleOf(server, 'millrace_runs_live{kind="producer"}')) === 0)
    expect(await sampleOf(server, 'millrace_producers_connected')).toBe(0)
    await until(async () => (await sampleOf(server, requests('/api/runs/:id/ws', 'GET', '1xx'))) === 1)
  })

  it('what is appended, told and swept', async () => {
    const server = await startServer()
    expect(await sampleOf(server, 'millrace_sweeps_total')).toBe(1)
    const runId = await ingested(server, 'agent-lines', `${JSON.stringify(text('one'))}\n`.repeat(3) + done)
    const run = await server.log.run(runId)
    expect(await sampleOf(server, 'millrace_log_entries_total')).toBe(run?.seq)
    expect(await sampleOf(server, 'millrace_log_raw_records_total')).toBe(4)
    expect(await sampleOf(server, 'millrace_log_append_duration_seconds_count')).toBeGreaterThan(0)
    await server.ask(`/api/runs/${runId}/stop`, { method: 'POST' })
    expect(await sampleOf(server, 'millrace_commands_total')).toBe(1)
  })

  it('over a log of any kind, and not what failed', async () => {
    class OwnLog {
      readonly #log: Promise<Log> = memory.open({ folder: '' })
      async createThread(thread: { readonly id: string }) {
        return (await this.#log).createThread(thread)
      }
      append = () => Promise.reject(new Error('full'))
    }
    const heard: string[] = []
    const observer = { onAppend: () => heard.push('append'), onCommand: () => {}, onSweep: () => {} }
    const log = countedLog(new OwnLog() as unknown as Log, observer)
    expect((await log.createThread({ id: 't' })).id).toBe('t')
    await expect(log.append('r', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [] })).rejects.toThrow('full')
    expect(heard).toEqual([])
  })
})

const requests = (route: string, method: string, status: string) =>
  `millrace_http_requests_total{route="${route}",method="${method}",status="${status}"}`
