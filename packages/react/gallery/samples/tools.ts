import type { ToolSegment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import { timed } from './make.ts'

type Fields = Partial<Omit<ToolSegment, 'type' | 'name' | 'input'>>

function tool(name: string, input: Json | undefined, agoMs: number, tookMs?: number, fields: Fields = {}): ToolSegment {
  const times = timed(agoMs, tookMs)
  return {
    type: 'tool',
    callId: `call-${times.seqs[0]}`,
    name,
    runBy: 'agent',
    state: tookMs === undefined ? 'running' : 'done',
    ...(input !== undefined && { input }),
    ...times,
    ...fields,
  }
}

const written = `test('keeps an idle stream open', async () => {
  const seen = await quietStream({ seconds: 90 })
  expect(seen.comments).toBeGreater`

export const writing = tool('Write', { file_path: 'test/sse-idle.test.ts', content: written }, 4000, undefined, {
  state: 'input',
  inputText: JSON.stringify({ file_path: 'test/sse-idle.test.ts', content: written }).padEnd(1100, ' '),
})

export const writingUnknown = tool('acme_report', { title: 'Idle streams', rows: [1, 2] }, 2000, undefined, {
  state: 'input',
  inputText: '{"title":"Idle streams","rows":[1,2,',
})

export const running = tool('Bash', { command: 'npm test -- --reporter=dot' }, 41_000, undefined, {
  progress: [
    {
      channel: 'stdout',
      text: '\u001b[32m✓\u001b[0m test/hub.test.ts \u001b[2m(12)\u001b[0m  318 ms\n\u001b[32m✓\u001b[0m test/resume.test.ts \u001b[2m(31)\u001b[0m  2.1 s\n\u001b[32m✓\u001b[0m test/sse-idle.test.ts \u001b[2m(4)\u001b[0m  18.4 s\n\u001b[2mRUNS\u001b[0m  test/proxy.e2e.ts ',
      percent: 65,
    },
  ],
})

export const starting = tool('run_shell_command', { command: 'ls -la deploy' }, 1400, undefined, { state: 'ready' })

export const edited = tool(
  'Edit',
  {
    file_path: 'src/stream/sse.ts',
    old_string:
      "export function openStream(res) {\n  const enc = new TextEncoder()\n  res.setHeader('connection', 'close')\n  return { write }\n}",
    new_string:
      "export function openStream(res) {\n  const enc = new TextEncoder()\n  res.setHeader('x-accel-buffering', 'no')\n  const beat = setInterval(ping, 5_000)\n  beat.unref()\n  return { write }\n}",
  },
  30_000,
  1900,
  { output: 'The file was updated.' },
)

export const failed = tool('Bash', { command: 'npm test -- sse-idle' }, 30_000, 3100, {
  state: 'failed',
  output: { exit_code: 1 },
  progress: [
    {
      channel: 'stderr',
      text: '\u001b[31m×\u001b[0m keeps an idle stream open \u001b[2m(2.4 s)\u001b[0m\n  AssertionError: expected 0 to be greater than 3\n  \u001b[2mat test/sse-idle.test.ts:31:24\u001b[0m\n',
    },
  ],
  error: 'Command failed with exit code 1',
})

export const stopped = tool('Bash', { command: 'npm run e2e' }, 60_000, 22_000, { state: 'cancelled' })

export const asking = tool(
  'Bash',
  { command: 'kubectl rollout restart deploy/edge-proxy -n staging' },
  12_000,
  undefined,
  {
    state: 'approval',
    approval: {
      approvalId: 'approval-1',
      state: 'requested',
      message: 'Restarts staging and cannot be undone. The run waits; nothing times out.',
    },
  },
)

export const approved = tool(
  'Bash',
  { command: 'kubectl rollout restart deploy/edge-proxy -n staging' },
  30_000,
  4200,
  {
    approval: { approvalId: 'approval-2', state: 'approved', by: 'server' },
    output: 'deployment.apps/edge-proxy restarted',
  },
)

export const denied = tool('Bash', { command: 'rm -rf dist' }, 30_000, 3000, {
  state: 'denied',
  approval: { approvalId: 'approval-3', state: 'denied', by: 'server' },
})

const text = (lines: number) => Array.from({ length: lines }, (_, index) => `${index + 1}  // line`).join('\n')
const hits = (count: number): Json => Array.from({ length: count }, (_, index) => `src/stream/${index}.ts`)

export const lookups = [
  tool('Grep', { pattern: 'text/event-stream' }, 60_000, 300, { output: hits(14) }),
  tool('Read', { file_path: 'src/stream/sse.ts' }, 59_000, 100, { output: text(188) }),
  tool('Read', { file_path: 'src/stream/hub.ts' }, 58_000, 100, { output: text(96) }),
  tool('Read', { file_path: 'deploy/nginx/edge.conf' }, 57_000, 100, { output: text(61) }),
  tool('Glob', { pattern: 'test/**/*.ts' }, 56_000, 1100, { output: hits(42) }),
  tool('LS', { path: 'deploy' }, 55_000, 200, { output: ['nginx', 'k8s'] }),
  ...['a', 'b', 'c', 'd'].map((name, index) =>
    tool('Read', { file_path: `src/${name}.ts` }, 54_000 - index * 1000, 700, { output: text(20) }),
  ),
]

export const searched = tool('web_search', { query: 'nginx proxy_read_timeout event stream idle' }, 31_000, 1400, {
  runBy: 'provider',
  title: 'Web search',
  output: Array.from({ length: 8 }, (_, index) => ({ url: `https://nginx.org/${index}`, title: 'Timeouts' })),
})

export const fetched = tool('WebFetch', { url: 'nginx.org/en/docs/http/ngx_http_proxy_module.html' }, 29_000, 800, {
  title: 'Fetch',
  output: 'x'.repeat(42_000),
})

export const unknown = tool('acme_lookup', { sku: 'A-1180', depth: 2 }, 9000, 400, {
  output: { found: true, price: 12.5 },
})

export const long = tool('Bash', { command: 'journalctl -u edge --since today' }, 9000, 2300, {
  output: Array.from({ length: 1840 }, (_, index) => `edge[${1000 + index}]: upstream timed out while reading`).join(
    '\n',
  ),
})
