import type { Mutant, Stage } from './mutant.ts'

const server = 'packages/server/src'

const drain: readonly Mutant[] = [
  {
    file: `${server}/run/create-runs.ts`,
    find: 'if (isDraining && !(await hasRun(start.runId))) throw',
    replace: 'if (false) throw',
    promise: 'a server that drains starts no run',
  },
  {
    file: `${server}/run/create-runs.ts`,
    find: 'if (isDraining && !(await hasRun(start.runId))) throw',
    replace: 'if (isDraining) throw',
    promise: 'a repeated request for a run that exists gets that run',
  },
  {
    file: `${server}/run/create-runs.ts`,
    find: 'closing.signal.aborted || isDraining ? undefined',
    replace: 'closing.signal.aborted ? undefined',
    promise: 'a queued run is left to another node',
  },
  {
    file: `${server}/run/acquire-for.ts`,
    find: "  if (isDraining()) throw new RunRefusal('draining', runId, { rawRecords: 0 })\n",
    replace: '',
    promise: 'a server that drains takes no new producer',
  },
  {
    file: `${server}/run/acquire-for.ts`,
    find: '  const existing = await log.run(request.runId)\n',
    replace:
      "  if (context.isDraining()) throw new RunRefusal('draining', request.runId, { rawRecords: 0 })\n  const existing = await log.run(request.runId)\n",
    promise: 'a producer that comes back is taken during the drain',
  },
  {
    file: `${server}/api/routes/health.ts`,
    find: "  if (draining.aborted) return json<Readiness>(context, { status: 'draining' }, 503)\n",
    replace: '',
    promise: 'a server that drains is not ready',
  },
  {
    file: `${server}/api/app.ts`,
    find: "  'draining',\n",
    replace: '',
    promise: 'a refused new run says when to try again',
  },
  {
    file: `${server}/api/app.ts`,
    find: "  'lease-lost',\n  'unknown-node',\n  'out-of-step',\n",
    replace: '',
    promise: 'a producer whose node has lost its run, or has misread it, learns when to try again',
  },
  {
    file: `${server}/handler.ts`,
    find: '      if (draining.signal.aborted) response.shouldKeepAlive = false\n',
    replace: '',
    promise: 'clients move to another connection during the drain',
  },
  {
    file: `${server}/deliver/sse.ts`,
    find: "  'x-accel-buffering': 'no',\n",
    replace: "  'x-accel-buffering': 'no',\n  connection: 'keep-alive',\n",
    promise: 'the connection of a stream is closed after it during the drain',
  },
  {
    file: `${server}/handler.ts`,
    find: '      await requests.idle(ANSWER_WITHIN)\n',
    replace: '',
    promise: 'a producer has its answer before the server has closed',
  },
  {
    file: `${server}/api/request-watch.ts`,
    find: 'const timer = setTimeout(resolve, milliseconds)',
    replace: 'const timer = setTimeout(() => {}, milliseconds)',
    promise: 'a client that does not finish does not keep the server open',
  },
]

const metrics: readonly Mutant[] = [
  {
    file: `${server}/api/metrics.ts`,
    find: '    count += each\n',
    replace: '    count = each\n',
    promise: 'buckets are cumulative',
  },
  {
    file: `${server}/api/metrics.ts`,
    find: 'value > (bounds[bucket] as number)',
    replace: 'value >= (bounds[bucket] as number)',
    promise: 'a bucket holds its bound',
  },
  {
    file: `${server}/api/metrics.ts`,
    find: "escapedHelp(text).replaceAll('\"', '\\\\\"')",
    replace: 'escapedHelp(text)',
    promise: 'a quotation mark in a label is escaped',
  },
  {
    file: `${server}/api/metrics.ts`,
    find: "value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)",
    replace: 'String(value)',
    promise: 'the infinite bucket is written as Prometheus reads it',
  },
  {
    file: `${server}/api/app.ts`,
    find: '      services.requests.note(context, factsOf(path,',
    replace: "      services.requests.note(context, factsOf(context.req.path as '/metrics',",
    promise: 'no label holds what a client chose',
  },
  {
    file: `${server}/api/request.ts`,
    find: "path === '/metrics' || ",
    replace: '',
    promise: 'another page may not ask for metrics',
  },
  {
    file: `${server}/deliver/fan-out.ts`,
    find: '      onViewers(watch, -1)\n',
    replace: '',
    promise: 'a viewer that leaves is not counted',
  },
  {
    file: `${server}/log/counted-log.ts`,
    find: "typeof value === 'function' ? value.bind(target) : value",
    replace: 'value',
    promise: 'a log of a class of its own can be counted',
  },
  {
    file: `${server}/log/counted-log.ts`,
    find: '      const lines = await log.append(runId, position, append)\n      observer.onAppend(append, performance.now() - begin)\n',
    replace:
      '      observer.onAppend(append, performance.now() - begin)\n      const lines = await log.append(runId, position, append)\n',
    promise: 'an append is counted when it is durable',
  },
  {
    file: `${server}/run/create-runs.ts`,
    find: '.finally(() => bodies--)',
    replace: '',
    promise: 'a producer that is gone is not counted',
  },
]

const lines: readonly Mutant[] = [
  {
    file: `${server}/api/request-watch.ts`,
    find: "url.replace(/[?#].*$/s, '')",
    replace: 'url',
    promise: 'the line of a request has no query',
  },
  {
    file: `${server}/api/request-watch.ts`,
    find: "(URL.parse(url)?.pathname ?? '')",
    replace: 'url',
    promise: 'of a whole address the line has the path alone',
  },
  {
    file: `${server}/api/request-watch.ts`,
    find: 'if (!streamed.has(request)) request.end',
    replace: 'request.end',
    promise: 'the line of a web stream comes at its end',
  },
  {
    file: `${server}/api/request-watch.ts`,
    find: 'response.headersSent ? response.statusCode : CLIENT_LEFT',
    replace: 'response.statusCode',
    promise: 'a client that left before its answer is not counted as served',
  },
  {
    file: `${server}/api/request-watch.ts`,
    find: '        if (!open.delete(request)) return\n',
    replace: '        open.delete(request)\n',
    promise: 'a request has one line',
  },
  {
    file: `${server}/api/upgrades.ts`,
    find: '      watched.end(status)\n',
    replace: '',
    promise: 'a WebSocket that is refused has a line',
  },
  {
    file: `${server}/api/upgrades.ts`,
    find: "      socket.once('close', () => watched.end(status, sent()))\n",
    replace: '      queueMicrotask(() => watched.end(status, sent()))\n',
    promise: 'the line of a WebSocket comes at its end',
  },
  {
    file: `${server}/api/upgrades.ts`,
    find: 'let status = 400\n',
    replace: 'let status = 101\n',
    promise: 'a handshake that is refused is not counted as opened',
  },
  {
    file: `${server}/handler.ts`,
    find: '    } catch (error) {\n      report(error)\n    }\n  })',
    replace: '    } finally {\n      report(undefined)\n    }\n  })',
    promise: 'a listener that throws disturbs nothing',
  },
]

/** What a node owes those around it: drain, readiness, metrics, and a line for each request. */
export const nodeDuties: Stage = {
  name: 'node duties',
  tests: [
    'packages/server/test/node-drain.test.ts',
    'packages/server/test/node-handover.test.ts',
    'packages/server/test/node-metrics.test.ts',
    'packages/server/test/request-lines.test.ts',
  ],
  mutants: [...drain, ...metrics, ...lines],
}
