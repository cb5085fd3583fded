import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { demo } from '@millrace/server/run/demo'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const recording = (name: string) =>
  fileURLToPath(new URL(`../../apps/web/public/recordings/${name}.jsonl`, import.meta.url))

const file = (name: string, content: string | readonly number[]) => ({
  name,
  mimeType: '',
  buffer: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content),
})

/** A program that pipes its stream into the server, a line at a time. */
function pipe(mill: Mill, format: string) {
  const sent = request(`${mill.url}/api/ingest?format=${format}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${mill.token}`, 'transfer-encoding': 'chunked' },
  })
  sent.on('error', () => undefined)
  return { write: (line: string) => sent.write(`${line}\n`), end: () => sent.end() }
}

describeInBrowser('the first minute', () => {
  const session = useSession(builtWebApp)

  async function open() {
    const mill = await session.startMill([demo({ speed: Number.POSITIVE_INFINITY })])
    const viewer = await openViewer(
      await session.openContext({ viewport: { width: 1440, height: 900 } }),
      mill.entrance,
    )
    await viewer.page.getByRole('button', { name: 'Start the demo run' }).waitFor()
    return { mill, viewer, page: viewer.page }
  }

  it('announces a stream that arrives, leads to it, and leaves a recording that nobody can write to', async () => {
    const { mill, page, viewer } = await open()
    const [first = '', ...rest] = readFileSync(recording('flaky-test'), 'utf8').trim().split('\n')
    const { write, end } = pipe(mill, 'codex-exec')
    write(first)
    for (const line of rest.slice(0, 4)) write(line)
    const arrival = page.getByRole('link', { name: /A stream of Codex is arriving/ })
    await arrival.waitFor()
    expect(await brokenRules(page)).toEqual([])
    await arrival.click()
    await page.getByText('vitest run checkout').first().waitFor()
    expect(await page.locator('.mr-composer').count()).toBe(1)
    expect(await page.getByRole('textbox', { name: 'Message' }).getAttribute('placeholder')).toContain(
      'if it reads messages',
    )
    for (const line of rest.slice(4)) write(line)
    end()
    await page.getByText('A recorded stream of Codex, read-only.').waitFor()
    expect(await page.locator('.mr-composer').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    expect(viewer.troubles).toEqual([])
  })

  it('takes several files at once: opens the first, guesses, refuses what is no text, and keeps all of it in view', async () => {
    const { page, viewer, mill } = await open()
    const guess = `${JSON.stringify({ type: 'assistant', message: { content: [] } })}\n${'{"unheard":1}\n'.repeat(3)}`
    await page
      .locator('.drop-zone + input')
      .setInputFiles([
        file('picture.png', [137, 80, 78, 71, 0, 0]),
        file('empty.jsonl', ''),
        file('guess.jsonl', guess),
        file('flaky.jsonl', readFileSync(recording('flaky-test'), 'utf8')),
        file('dropped.jsonl', readFileSync(recording('dropped-stream'), 'utf8')),
      ])
    await page.getByText('A recorded stream of Codex, read-only.').waitFor()
    const notices = page.locator('.notice')
    await notices.filter({ hasText: 'dropped.jsonl is imported' }).waitFor()
    expect(await notices.filter({ hasText: 'picture.png was not imported. It is not text' }).count()).toBe(1)
    expect(await notices.filter({ hasText: 'empty.jsonl was not imported. The file is empty' }).count()).toBe(1)
    expect(await notices.getByRole('combobox').inputValue()).toBe('claude-agent-sdk')
    expect(await brokenRules(page)).toEqual([])
    await notices.filter({ hasText: 'dropped.jsonl' }).getByRole('link').click()
    await page.getByText('A recorded stream of Claude Agent SDK, read-only.').waitFor()
    expect((await mill.log.threads({ limit: 9 })).items.length).toBe(2)
    await notices.getByRole('button', { name: 'Import' }).click()
    await until('the guess is imported', async () => (await mill.log.threads({ limit: 9 })).items.length === 3)
    expect(viewer.troubles).toEqual([])
  })

  it('shows a file that is read while it fills, as something that nobody can write to', async () => {
    const { page, mill } = await open()
    const lines = Array.from({ length: 40_000 }, (_, index) =>
      JSON.stringify({ type: 'text', data: { content: `word ${index} ` } }),
    )
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400 * 1024 }
    await network.send('Network.emulateNetworkConditions', slow)
    await page.locator('.drop-zone + input').setInputFiles([file('long.jsonl', `${lines.join('\n')}\n`)])
    await page.getByText('Reading long.jsonl.').waitFor()
    expect(await page.locator('.mr-composer').count()).toBe(0)
    const [thread] = (await mill.log.threads({ limit: 1 })).items
    await page.locator('.mr-prose').first().waitFor()
    expect(await page.locator('.read-only').textContent()).toContain('Reading long.jsonl.')
    await page.getByText('A recorded stream of Agent lines, read-only.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/t/${thread?.id}`)
  })

  it('each recording of the start page opens, with a title of its own words and nothing that was not understood', async () => {
    const { page, viewer } = await open()
    for (const name of [/A dropped stream/, /A flaky test/, /Crash in mid-tool/]) {
      await page.getByRole('button', { name }).click()
      await page.locator('.read-only').waitFor()
      await until(
        'the thread has its title',
        async () => !/jsonl| run$/.test((await page.locator('.title').textContent()) ?? ''),
      )
      expect(await page.locator('.unread').count()).toBe(0)
      await page.getByRole('link', { name: 'New thread' }).first().click()
      await page.getByRole('button', { name: 'Start the demo run' }).waitFor()
    }
    expect(viewer.troubles).toEqual([])
  })

  it('signs a browser in with the token that is pasted, and says if it is another one', async () => {
    const mill = await session.startMill([demo({ speed: Number.POSITIVE_INFINITY })])
    const { page } = await openViewer(await session.openContext(), mill.url)
    const field = page.getByLabel(/paste the token/)
    await field.fill('something else')
    await page.keyboard.press('Enter')
    await page.getByText('This is not the token of this server.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await field.fill(mill.token)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Start the demo run' }).waitFor()
    expect(await page.evaluate<string>('document.cookie + location.search')).toBe('')
  })

  it('five formats give one picture, and a killed server loses and doubles nothing', async () => {
    const { page, viewer } = await open()
    await page.getByRole('link', { name: /One scenario, five formats/ }).click()
    const kill = page.getByRole('button', { name: /Kill the server/ })
    await kill.waitFor({ timeout: 60_000 })
    await page.getByText(/5 of 5 equal so far/).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await brokenRules(page)).toEqual([])
    const pid = Number(/Process (\d+)/.exec((await page.locator('.show-track').textContent()) ?? '')?.[1])
    expect(() => process.kill(pid, 0)).not.toThrow()

    await kill.waitFor()
    await page.keyboard.press('Shift+K')
    await page.getByText('Server down', { exact: true }).first().waitFor()
    expect(() => process.kill(pid, 0)).toThrow()
    await until('each viewer says what it has', async () => (await page.locator('.format-kept').count()) === 5)
    const kept = await page.locator('.format-picture').allTextContents()
    expect(kept.every((text) => text.includes('When may we leave?'))).toBe(true)
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: 'Start it again' }).click()
    await page.getByText(/back after/).waitFor({ timeout: 60_000 })
    await page.getByRole('radio', { name: '50×' }).check()
    await page.getByText('5 of 5 equal', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByText('0 lost · 0 doubled').waitFor()
    await page.getByText('Live = stored, all five').waitFor({ timeout: 60_000 })
    const hashes = await page.locator('.format-foot code').allTextContents()
    expect([hashes.length, new Set(hashes).size]).toEqual([5, 1])
    const counts = await page.locator('.format-foot span').allTextContents()
    expect(new Set(counts).size).toBe(5)
    // What a browser says of a connection that was cut is no trouble of the page.
    expect(viewer.troubles.filter((trouble) => !trouble.includes('WebSocket'))).toEqual([])

    const second = Number(
      (await page.evaluate<{ pid: number }>("fetch('/api/show').then((answer) => answer.json())")).pid,
    )
    await page.getByRole('link', { name: 'New thread' }).first().click()
    await until('the second server ends with the page', () => isGone(second))
  }, 240_000)
})

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
