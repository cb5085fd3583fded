import type {
  ApprovalSegment,
  DataSegment,
  ErrorSegment,
  FileSegment,
  Segment,
  SourceSegment,
  SubagentSegment,
  TextSegment,
} from '@millrace/core/fold/shapes'
import { thought } from './blocks.ts'
import { timed } from './make.ts'
import { fetched, searched } from './tools.ts'

export function text(content: string, isLive = false): TextSegment {
  const times = isLive ? timed(3000) : timed(9000, 4000)
  return { type: 'text', id: `text-${times.seqs[0]}`, text: content, state: isLive ? 'live' : 'done', ...times }
}

export function subagent(isLive: boolean): SubagentSegment {
  const segments: readonly Segment[] = [
    searched,
    fetched,
    thought(
      'ALB closes after 60 s of idle too, but it counts bytes in both directions.',
      6000,
      isLive ? undefined : 5000,
    ),
  ]
  return {
    type: 'subagent',
    agentId: `researcher-${isLive}`,
    name: 'proxy-researcher',
    task: 'Find the idle timeouts of nginx, AWS ALB and Cloudflare for a streamed response, with sources.',
    state: isLive ? 'live' : 'done',
    segments,
    ...(isLive ? timed(18_000) : timed(40_000, 31_000)),
  }
}

export const sources: readonly (SourceSegment | FileSegment)[] = [
  {
    type: 'source',
    sourceId: '1',
    kind: 'url',
    url: 'https://nginx.org/en/docs/http/ngx_http_proxy_module.html',
    title: 'ngx_http_proxy_module',
    ...timed(5000, 0),
  },
  {
    type: 'source',
    sourceId: '2',
    kind: 'url',
    url: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/',
    title: 'Application Load Balancers: idle timeout and keep-alive',
    ...timed(5000, 0),
  },
  {
    type: 'file',
    fileId: 'f',
    mediaType: 'application/json',
    filename: 'trace-60s.har',
    url: '/api/files/f',
    ...timed(5000, 0),
  },
  {
    type: 'file',
    fileId: 'g',
    mediaType: 'image/png',
    filename: 'latency.png',
    bytes: 'A'.repeat(28_000),
    ...timed(5000, 0),
  },
]

export const data: DataSegment = {
  type: 'data',
  name: 'chart',
  data: { kind: 'bar', values: [3, 1, 2], label: 'stalls per hour' },
  ...timed(4000, 0),
}

export const recovered: ErrorSegment = {
  type: 'error',
  message: 'Model overloaded, retried after 2.1 s, attempt 2 of 5',
  code: '529',
  ...timed(8000, 0),
}

export const fatal: ErrorSegment = {
  type: 'error',
  message: 'Rate limit reached: 30,000 input tokens per minute. It resets in 42 s.',
  code: 'rate_limit_error',
  ...timed(1000, 0),
}

export const question: ApprovalSegment = {
  type: 'approval',
  approvalId: 'question',
  state: 'requested',
  message: 'Which environment may be restarted?',
  request: { options: ['staging', 'canary'] },
  ...timed(7000),
}

export const answered: ApprovalSegment = {
  type: 'approval',
  approvalId: 'question-2',
  state: 'answered',
  message: 'Which environment may be restarted?',
  answer: 'staging',
  ...timed(70_000, 8000),
}

export const answer = `## The proxy is right, the server is silent

nginx closes an upstream that sends nothing for \`proxy_read_timeout\`, 60 s by default[^1]. Your tool calls run for up to 140 s without a byte on the wire, so the cut always lands at **exactly one minute**. The load balancer behind it would do the same[^2].

The fix is a comment line in \`src/stream/sse.ts\` whenever the stream has been quiet for 15 s. Clients ignore comments, so the public API does not change.

\`\`\`ts
// Comment lines keep every proxy on the path awake.
const beat = setInterval(() => {
  if (Date.now() - lastWrite >= 15_000) write(': ping\\n\\n')
}, 5_000)
beat.unref()
\`\`\`

| Hop | Idle limit | Before | After |
|---|---|---|---|
| nginx ingress | \`proxy_read_timeout\` 60 s | cut at 60 s | stays |
| AWS ALB | idle timeout 60 s | cut at 60 s | stays |
| Cloudflare | 100 s | cut at 100 s | stays |

1. Deploy to *staging*, watch one hour
2. Then **production**; see [the guide](https://example.com/guide)
   - no change for clients
   - one line in the changelog

> A stream that says nothing looks dead to whoever stands between.

- [x] Test on the old code
- [ ] Restart the proxy

![Latency before and after](https://example.com/latency.png)

[^1]: nginx documentation, \`proxy_read_timeout\`.
[^2]: AWS documentation, *idle timeout*.
`
