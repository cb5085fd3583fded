import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getLog } from '@millrace/server/log/index'
import { createServer } from '@millrace/server/server'
import type { Browser } from 'playwright-core'
import { LAST, turnsOf } from './content.ts'
import { openProbe, type Probe, percentile } from './probe.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** One line of what was measured in the app. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly bound?: number
}

const PIECES = 10_000
const SESSION_BYTES = 50_000_000
const COLOURED_LINES = 60_000
const KEYS = 40

/** The app of a production build, on a server of its own. */
export async function measureApp(browser: Browser): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-app-'))
  const appFolder = join(folder, 'app')
  buildApp(appFolder)
  const log = await getLog('sqlite').open({ folder: join(folder, 'log') })
  const server = await createServer({ log, agents: [], dataFolder: folder, port: 0, appFolder })
  const probe = await openProbe(browser)
  const ingest = async (title: string, lines: Iterable<object>): Promise<string> => {
    const response = await fetch(`${server.url}/api/ingest?${new URLSearchParams({ format: 'agent-lines', title })}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: [...lines].map((line) => JSON.stringify(line)).join('\n'),
    })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { readonly threadId: string }).threadId
  }
  try {
    await probe.page.goto(`${server.url}/?token=${server.token}`)
    const many = await ingest('Many pieces', linesOf(PIECES, 1))
    const large = await ingest('A large session', linesOf(2_500, Math.ceil(SESSION_BYTES / 1_250)))
    const coloured = await ingest('A coloured output', colouredLines())
    return [
      ...(await measureOpening(probe, server.url, many)),
      ...(await measureKeys(probe, server.url, large)),
      ...(await measureOutput(probe, server.url, coloured)),
    ]
  } finally {
    await probe.close()
    await server.close()
    await log.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildApp(outDir: string): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const arguments_ = [vite, 'build', 'apps/web', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stderr } = spawnSync(process.execPath, arguments_, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** So many pieces, every second of them a call with an output of so many bytes. */
function* linesOf(pieces: number, outputBytes: number): Iterable<object> {
  let call = 0
  for (const { parts } of turnsOf(pieces)) {
    for (const part of parts) {
      if (part.type === 'text') yield { type: 'text', data: { content: part.text } }
      else {
        const id = `c${++call}`
        yield { type: 'tool_use', data: { id, name: part.name, input: part.input } }
        yield { type: 'tool_result', data: { tool_use_id: id, content: part.output.repeat(outputBytes / 8 + 1) } }
      }
    }
  }
}

function* colouredLines(): Iterable<object> {
  const lines = Array.from(
    { length: COLOURED_LINES },
    (_, line) => `\u001b[${31 + (line % 6)}mline ${line}\u001b[0m ok`,
  )
  yield { type: 'tool_use', data: { id: 'c1', name: 'Bash', input: { command: 'make' } } }
  yield { type: 'tool_result', data: { tool_use_id: 'c1', content: lines.join('\n') } }
  yield { type: 'text', data: { content: LAST } }
}

/** From the list, as a person opens it: the click, the answer of the server, the last piece on the screen. */
async function measureOpening({ page, longestTask }: Probe, url: string, threadId: string): Promise<readonly Figure[]> {
  await page.goto(`${url}/t/${threadId}`)
  await page.getByText(LAST).waitFor()
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page.getByRole('grid').waitFor()
  await page.waitForTimeout(1_000)
  await longestTask()
  const answered = `performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/api/threads/${threadId}') && !name.includes('stream'))`
  const { time, nodes } = await page.evaluate<{ time: number; nodes: number }>(`(async () => {
    const row = [...document.querySelectorAll('.run-row a')].find((link) => link.href.includes('${threadId}'))
    const begin = performance.now()
    row.click()
    while (!document.querySelector('.mr-thread')?.textContent.includes('${LAST}')) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return { time: performance.now() - begin, nodes: document.querySelectorAll('*').length }
  })()`)
  const answer = await page.evaluate<number>(`(${answered})?.duration ?? 0`)
  return [
    { what: `${PIECES} pieces, opened from the list`, value: time, unit: 'ms', bound: 500 },
    { what: 'of it until the server has answered', value: answer, unit: 'ms' },
    { what: 'its longest task', value: await longestTask(), unit: 'ms' },
    { what: 'nodes in the page', value: nodes, unit: '', bound: 3_000 },
  ]
}

/** From a key to the next frame that has it, in the composer and between the pieces. */
async function measureKeys({ page }: Probe, url: string, threadId: string): Promise<readonly Figure[]> {
  await page.goto(`${url}/t/${threadId}`)
  await page.getByText(LAST).waitFor({ timeout: 180_000 })
  await page.waitForTimeout(3_000)
  await page.evaluate(`globalThis.keyTimes = []
    addEventListener('keydown', () => {
      const begin = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => keyTimes.push(performance.now() - begin)
        port2.postMessage(0)
      })
    }, { capture: true })`)
  const times = async (selector: string, keys: readonly string[]) => {
    await page.locator(selector).focus()
    await page.evaluate('keyTimes.length = 0')
    for (const key of keys) {
      await page.keyboard.press(key)
      await page.waitForTimeout(60)
    }
    return page.evaluate<number[]>('keyTimes')
  }
  const repeated = (key: string) => Array.from({ length: KEYS }, () => key)
  const typed = await times('.mr-composer textarea', repeated('x'))
  const moved = await times('.mr-thread-scroll', repeated('k'))
  return [
    { what: 'a key in the composer on a 50 MB session, median', value: percentile(typed, 0.5), unit: 'ms', bound: 30 },
    { what: 'the slowest of twenty', value: percentile(typed, 0.95), unit: 'ms' },
    { what: '`k`, a piece up, on a 50 MB session, median', value: percentile(moved, 0.5), unit: 'ms', bound: 30 },
    { what: 'the slowest of twenty', value: percentile(moved, 0.95), unit: 'ms' },
  ]
}

async function measureOutput({ page, longestTask }: Probe, url: string, threadId: string): Promise<readonly Figure[]> {
  await page.goto(`${url}/t/${threadId}`)
  await page.getByText(LAST).waitFor()
  await page.locator('.mr-tool button.mr-head').click()
  const all = page.getByRole('button', { name: /Show .*lines/ })
  await all.waitFor()
  await page.waitForTimeout(1_000)
  await longestTask()
  await all.click()
  await page.getByText('line 30', { exact: true }).waitFor()
  const opened = await longestTask()
  await page.evaluate("document.querySelector('.mr-windowed').scrollTop = 1e9")
  await page.getByText(`line ${COLOURED_LINES - 1}`, { exact: true }).waitFor()
  await page.waitForTimeout(200)
  return [
    { what: `${COLOURED_LINES} coloured lines, longest task of opening them`, value: opened, unit: 'ms', bound: 200 },
    { what: 'longest task of going to their end', value: await longestTask(), unit: 'ms', bound: 200 },
  ]
}
