import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../proofs/open-browser.ts'

/**
 * Takes screenshots of the app in every state and size: `node apps/web/shoot.ts URL [FOLDER]`. `serve` prints the URL,
 * with its token. The server's log must be empty, and its first agent the demo.
 */
const [url, folder = 'shots'] = process.argv.slice(2)
if (url === undefined) throw new Error('Usage: node apps/web/shoot.ts URL [FOLDER]')

const looks = [
  { name: 'wide-light', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'wide-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: 'medium-light', width: 820, height: 1100, colorScheme: 'light' },
  { name: 'narrow-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'narrow-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const

/** A run that reports a failure. */
const failing = [
  { type: 'start', data: { model: 'demo-1' } },
  { type: 'content', data: { text: 'Asking the foundry for the price of the bearing.' } },
  { type: 'error', data: { message: 'The foundry did not answer: 429 rate limit, resets in 42 s.' } },
]

async function shoot(page: Page, state: string): Promise<void> {
  for (const { name, width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(folder, `${state}-${name}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function ingest(page: Page, records: readonly object[]): Promise<string> {
  const body = records.map((record) => JSON.stringify(record)).join('\n')
  return page.evaluate(async (text) => {
    const answer = await fetch('/api/ingest?format=agent-lines', { method: 'POST', body: text })
    return ((await answer.json()) as { readonly threadId: string }).threadId
  }, body)
}

await mkdir(folder, { recursive: true })
const browser = await openBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(message.text())
  })
  page.on('pageerror', (error) => console.error(error))

  await page.goto(url)
  await page.getByRole('button', { name: 'Start the demo run' }).waitFor()
  await shoot(page, 'empty')

  await page.getByRole('link', { name: /^Agents/ }).click()
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await shoot(page, 'agents')
  await page.getByRole('link', { name: 'New thread' }).click()

  await page.getByRole('button', { name: 'Start the demo run' }).click()
  // A tool is running, and there is something above it.
  await page.locator('.mr-tool').first().waitFor({ timeout: 60_000 })
  await shoot(page, 'live')

  await page.getByRole('button', { name: /^Approve/ }).waitFor({ timeout: 120_000 })
  await shoot(page, 'approval')
  await page.getByRole('textbox', { name: 'Message' }).fill('Then order the bearing')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Take back' }).waitFor()
  await shoot(page, 'queue')
  await page.getByRole('button', { name: 'Take back' }).click()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Threads' }).click()
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(folder, 'drawer-narrow-light.png') })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.getByRole('button', { name: 'Verify' }).click({ timeout: 120_000 })
  await page.getByText('Live = stored').waitFor()
  await shoot(page, 'finished')

  await page.getByRole('button', { name: 'Wires' }).click()
  await page.getByText('Counted over all').waitFor()
  await shoot(page, 'wires')
  await page.keyboard.press('Escape')

  const threadId = await ingest(page, failing)
  await page.goto(new URL(`/t/${threadId}`, url).href)
  await page.getByText('Failed').first().waitFor()
  await shoot(page, 'failed')

  await page.goto(new URL('/t/nobody', url).href)
  await page.getByRole('heading', { name: 'Thread not found' }).waitFor()
  await shoot(page, 'unknown')

  await page.goto(new URL('/', url).href)
  await page.getByRole('button', { name: 'Start the demo run' }).click()
  await page
    .getByText('Thinking…')
    .or(page.getByText(/^Thought for/))
    .first()
    .waitFor()
  await context.setOffline(true)
  // A network change makes the page reconnect, which now fails.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page
    .getByText(/trying again/)
    .first()
    .waitFor({ timeout: 60_000 })
  await shoot(page, 'offline')
} finally {
  await browser.close()
}
