import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { OnViewers } from '../deliver/fan-out.ts'
import type { LogObserver } from '../log/counted-log.ts'
import type { RunLoad } from '../run/runs.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { SeenRequest } from './request-watch.ts'

/** What one node counts. The stages only call these functions. */
export interface NodeMetrics extends LogObserver {
  readonly onRequest: (seen: SeenRequest) => void
  readonly onViewers: OnViewers
  text(): string
  /** Nothing is measured any more. */
  close(): void
}

/** Upper bounds in seconds. */
const REQUEST_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STREAM_BOUNDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400]
const APPEND_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export function createNodeMetrics(load: () => RunLoad): NodeMetrics {
  const metrics = createMetrics()
  const requests = metrics.labelled(
    'millrace_http_requests_total',
    'Requests that have ended, WebSockets too.',
    'counter',
  )
  const requestTimes = metrics.histogram(
    'millrace_http_request_duration_seconds',
    'How long requests took that are no streams.',
    REQUEST_BOUNDS,
  )
  const streamTimes = metrics.histogram(
    'millrace_http_stream_duration_seconds',
    'How long streams, WebSockets and bodies of producers took.',
    STREAM_BOUNDS,
  )
  const viewers = metrics.labelled('millrace_viewers', 'Viewers that follow a run, by wire.', 'gauge')
  metrics.read('millrace_runs_live', 'Runs that this node feeds, by what feeds them.', 'gauge', () => {
    const { agents, producers } = load()
    return [
      { labels: { kind: 'agent' }, value: agents },
      { labels: { kind: 'producer' }, value: producers },
    ]
  })
  metrics.read('millrace_producers_connected', 'Bodies of producers that are being read.', 'gauge', () => [
    { value: load().bodies },
  ])
  const entries = metrics.counter('millrace_log_entries_total', 'Entries that this node appended.')
  const rawRecords = metrics.counter('millrace_log_raw_records_total', 'Raw records that this node appended.')
  const appendTimes = metrics.histogram(
    'millrace_log_append_duration_seconds',
    'From the hand-over of an append until it is durable.',
    APPEND_BOUNDS,
  )
  const commands = metrics.counter('millrace_commands_total', 'Commands that this node stored for runs.')
  const sweeps = metrics.counter('millrace_sweeps_total', 'Looks for runs that need an owner.')
  const stopMeasuring = measureProcess(metrics)

  return {
    onRequest({ route, method, status, ms, isStream }) {
      requests.add({ route, method: methodLabel(method), status: `${Math.floor(status / 100)}xx` }, 1)
      const times = isStream ? streamTimes : requestTimes
      times.observe(ms / 1000)
    },
    onViewers: ({ wire }, change) => viewers.add({ wire }, change),
    onAppend({ events, inputs }, milliseconds) {
      entries.add(events.length)
      let records = 0
      for (const { by } of inputs) if (by === 'producer') records++
      rawRecords.add(records)
      appendTimes.observe(milliseconds / 1000)
    },
    onCommand: () => commands.add(1),
    onSweep: () => sweeps.add(1),
    text: metrics.text,
    close: stopMeasuring,
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A client may invent methods. */
const methodLabel = (method: string) => (METHODS.has(method) ? method : 'other')

/** How often the delay is measured, in ms. */
const RESOLUTION = 20

/** Returns a function that ends the measuring. */
function measureProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  const read = (name: string, help: string, type: 'counter' | 'gauge', value: () => number) =>
    metrics.read(name, help, type, () => [{ value: value() }])
  read('process_cpu_seconds_total', 'CPU time of the process, user and system.', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  read('process_resident_memory_bytes', 'Memory of the process that is resident.', 'gauge', () =>
    process.memoryUsage.rss(),
  )
  read('process_start_time_seconds', 'When the process started, in seconds since 1970.', 'gauge', () => STARTED)
  read('millrace_event_loop_delay_p99_seconds', 'Delay of the event loop since the last look.', 'gauge', () => {
    // What is measured is the time between two looks.
    const late = delay.percentile(99) / 1e9 - RESOLUTION / 1000
    delay.reset()
    return Math.max(0, late)
  })
  return () => delay.disable()
}

const STARTED = performance.timeOrigin / 1000
