import { createServer, type Server } from 'node:http'
import type { StreamEvent } from '@millrace/core/events'

/** The levels before the gate opened: a picture of bars, as a page may draw it without any script. */
const bars = Array.from({ length: 17 }, (_, index) => {
  const height = index === 16 ? 98 : Math.round(4 + 18 * Math.exp(-((index - 5) ** 2) / 12))
  return `<rect x="${24 + index * 23}" y="${110 - height}" width="18" height="${height}" rx="1" fill="${index === 16 ? '#b42c22' : '#0a6c7e'}"/>`
}).join('')

const chart = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 130" width="430" height="130"><path d="M22 10h402M22 60h402M22 110h402" stroke="#e7eaec"/>${bars}<g font-family="sans-serif" font-size="9" fill="#5f6871"><text x="0" y="14">220</text><text x="8" y="113">0</text><text x="24" y="125">0 cm</text><text x="210" y="125">45 cm</text><text x="390" y="125">90 cm</text></g></svg>`

const report = `<!doctype html><html><head><style>
body { max-width: 560px; margin: 0 auto; padding: 26px 28px; font: 13px/20px system-ui, sans-serif; color: #14181c; }
h1 { margin: 0 0 4px; font-size: 20px; } .k { color: #5f6871; font-size: 11px; }
table { width: 100%; margin-top: 12px; border-collapse: collapse; } th, td { padding: 6px 0; border-bottom: 1px solid #e7eaec; text-align: left; font-weight: 400; }
th { color: #5f6871; } :is(th, td):nth-child(n+2) { text-align: right; }
</style></head><body><p class="k">levels.csv · 1,440 levels · one day</p><h1>The gate opens at exactly 90 cm</h1>
<p>The water has a second mode just below the rim. Nothing else ends there.</p>${chart}
<table><tr><th>Level before opening</th><th>Times</th><th>Share</th></tr>
<tr><td>under 45 cm</td><td>914</td><td>74.6 %</td></tr><tr><td>45–89 cm</td><td>284</td><td>23.2 %</td></tr><tr><td>90 cm</td><td>27</td><td>2.2 %</td></tr></table></body></html>`

/** A page that tries everything that the frame forbids, at a server that listens for it. */
const hostilePage = (trap: string) => `<!doctype html><html><head>
<base href="${trap}/base/"><base target="_self">
<meta http-equiv="Content-Security-Policy" content="default-src * data: 'unsafe-inline' 'unsafe-eval'">
<meta http-equiv="refresh" content="0;url=${trap}/refresh">
<link rel="stylesheet" href="${trap}/style.css"><link rel="prefetch" href="${trap}/prefetch"><link rel="dns-prefetch" href="${trap}">
<style>@import url(${trap}/import.css); body { background: url(${trap}/background.png); color: rgb(1, 2, 3) } @font-face { font-family: f; src: url(${trap}/font) }</style>
<script>fetch('${trap}/fetch'); top.location = '${trap}/top'; parent.document.title = 'owned'; document.title = 'ran'</script>
<script src="${trap}/script.js"></script></head>
<body onload="fetch('${trap}/onload')" style="font-family: f">
<h1>Harmless</h1>
<img src="${trap}/image.png" onerror="fetch('${trap}/onerror')"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
<video src="${trap}/video" poster="${trap}/poster" autoplay></video><iframe src="${trap}/frame"></iframe><object data="${trap}/object"></object><embed src="${trap}/embed">
<form action="${trap}/form" id="f"><input name="a" autofocus><button id="send">Send</button></form>
<a id="self" href="${trap}/self" target="_self">self</a> <a id="blank" href="${trap}/blank">blank</a> <a id="top" href="${trap}/top-link" target="_top">top</a> <a id="down" href="${trap}/down" download>download</a>
<svg><script>fetch('${trap}/svg')</script></svg>
</body></html>`

/** A server that no page may ask. */
export async function startTrap(): Promise<{ readonly url: string; readonly asked: string[]; close(): Promise<void> }> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('<h1>trapped</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const call = (
  callId: string,
  name: string,
  input: { readonly [field: string]: string },
  output: string,
): StreamEvent[] => [
  { type: 'tool-start', callId, name, runBy: 'agent' },
  { type: 'tool-input', callId, input },
  { type: 'tool-output', callId, status: 'ok', output },
]

const write = (callId: string, path: string, content: string) =>
  call(callId, 'Write', { file_path: path, content }, `File created successfully at: ${path}`)

const said = (blockId: string, text: string): StreamEvent[] => [
  { type: 'block-start', blockId, kind: 'text' },
  { type: 'block-delta', blockId, text },
  { type: 'block-end', blockId },
]

/** Artifacts of each kind and two visited pages; with a trap, a page that tries to reach it. */
export function filesStory(trap?: string): readonly StreamEvent[] {
  const start = Date.now() - 20_000
  const events: StreamEvent[] = [
    { type: 'run-start', model: 'wheelwright-2' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    ...said('one', 'The gate opens too late. I look at its levels, and at what others say about gates.'),
    ...call(
      'visit-1',
      'WebFetch',
      { url: 'https://example.org/docs/sluice-gates' },
      `# Sluice gates\n${'A gate opens before the water is high. '.repeat(120)}`,
    ),
    ...call(
      'visit-2',
      'WebFetch',
      { url: 'https://example.org/levels/of/rivers' },
      `# Levels\n${'Levels rise in spring. '.repeat(300)}`,
    ),
    ...write(
      'csv',
      '/mill/levels.csv',
      `time,level,gate\n${Array.from({ length: 1_440 }, (_, index) => `${Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')},${(70 + 20 * Math.sin(index / 90)).toFixed(1)},"closed, by hand"`).join('\n')}`,
    ),
    ...write('svg', '/mill/levels.svg', chart.replace('<svg ', '<svg style="background:#fff" ')),
    ...write(
      'notes',
      '/mill/notes.md',
      '# Notes\n\nThe gate opens at **90 cm**.\n\n- close it again\n- write a test\n',
    ),
    ...said('two', 'Here is what I found.'),
    ...write('report', '/mill/report.html', report),
    ...(trap === undefined ? [] : write('hostile', '/mill/hostile.html', hostilePage(trap))),
    ...said('three', 'The gate opens at 90 cm. It should open at 80 cm.'),
    { type: 'run-end', outcome: 'success' },
  ]
  return events.map((event, index) => ({ ...event, sentAt: start + index * 400 }))
}
