import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { feed, post } from './feed.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const MANY = 130
const LINE = JSON.stringify({ type: 'content', data: { text: 'The wheel turns.' } })

/** Creates threads, the newest last. */
async function fill(mill: Mill, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await post(mill, { format: 'agent-lines', title: `Check ${number}` }, LINE)
  }
}

describeInBrowser('the list of runs', () => {
  const session = useSession(builtWebApp)

  async function openRuns(mill: Mill, path = '/runs') {
    const viewer = await openViewer(await session.openContext({ acceptDownloads: true }), mill.entrance)
    const { page } = viewer
    await page.goto(`${mill.url}${path}`)
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    const row = (name: string) =>
      page.locator('.run-row').filter({ has: page.getByRole('link', { name: new RegExp(`^${name}\\b`) }) })
    return { ...viewer, row, rows: page.locator('.run-row') }
  }

  it('reaches every thread by keyboard, with few rows drawn, and opens one', async () => {
    const mill = await session.startMill([])
    await fill(mill, MANY)
    const { page, row, rows, troubles } = await openRuns(mill)
    await row(`Check ${MANY}`).focus()
    for (let pages = 0; pages < 3; pages++) {
      const before = (await page.locator('.bar-note').textContent()) ?? ''
      await page.keyboard.press('End')
      if (before.includes('+'))
        await until('older threads have come', async () => (await page.locator('.bar-note').textContent()) !== before)
    }
    await row('Check 1').waitFor()
    expect(await page.locator('.bar-note').textContent()).toBe(`${MANY} shown`)
    await page.keyboard.press('End')
    await until(
      'the last row has the focus',
      async () => (await page.locator(':focus').textContent())?.includes('Check 1') === true,
    )
    expect(await rows.count()).toBeLessThan(50)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Check 2', exact: true }).waitFor()
    await page.goBack()
    await row(`Check ${MANY}`).waitFor()
    expect(troubles).toEqual([])
  })

  it('counts what the log has counted, shows a run that begins and ends, and filters', async () => {
    const mill = await session.startMill([])
    await feed(mill, 'crash-mid-tool')
    const { page, row, rows } = await openRuns(mill)
    await row('Import the tickets').waitFor()
    expect(await rows.count()).toBe(1)
    await feed(mill, 'dropped-stream', { file: 'dropped-stream.jsonl' })
    const stream = row('Why do our event streams')
    await until('its numbers are there', async () =>
      /dropped-stream\.jsonl991/.test((await stream.textContent()) ?? ''),
    )
    expect(await stream.textContent()).toMatch(/991\d+s.*\$0\.35/)
    await until('the counters follow', async () =>
      /\$0\.35spent today/.test((await page.locator('.counters').textContent()) ?? ''),
    )
    expect(await page.locator('.counters').textContent()).toContain('2runs today, 0 yesterday')

    await page.getByRole('button', { name: 'State' }).click()
    await page.getByRole('menuitemradio', { name: 'Interrupted' }).click()
    await until('one is left', async () => (await rows.count()) === 1)
    expect(await page.locator(':focus').textContent()).toBe('Interrupted')
    expect(new URL(page.url()).search).toBe('?state=interrupted')
    await feed(mill, 'flaky-test', { title: 'Not like this' })
    await feed(mill, 'crash-mid-tool', { title: 'Another crash' })
    await row('Another crash').waitFor()
    expect(await row('Not like this').count()).toBe(0)
    await page.reload()
    await row('Another crash').waitFor()
    await page.getByRole('button', { name: 'Failed' }).click()
    await page.getByRole('heading', { name: 'No run is like this' }).waitFor()
    await page.getByRole('link', { name: 'Show all runs' }).click()
    await row('Not like this').waitFor()
  })

  it('selects with x, exports what can be imported again, renames, and deletes after a question', async () => {
    const mill = await session.startMill([])
    await feed(mill, 'flaky-test', { title: 'First' })
    await feed(mill, 'dropped-stream', { title: 'Second' })
    const { page, row, rows, troubles } = await openRuns(mill)
    await row('Second').focus()
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(2)
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText('2 selected').waitFor({ state: 'detached' })

    const exported = page.waitForEvent('download')
    await page.keyboard.press('e')
    const download = await exported
    expect(download.suggestedFilename()).toBe('First.chat-events.json')
    const path = await download.path()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'First.chat-events.json',
        mimeType: 'application/json',
        buffer: readFileSync(path),
      })
    await page.waitForURL(/\/t\//)
    await page.getByText('only between Saturday 00:00').first().waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Actions for Second' }).click()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator(':focus').textContent()).toBe('Rename')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title of the thread' }).fill('Renamed')
    await page.keyboard.press('Enter')
    await row('Renamed').waitFor()

    const count = await rows.count()
    await row('Renamed').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await rows.count()).toBe(count)
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row('Renamed').waitFor({ state: 'detached' })
    await page.getByText('1 thread deleted').waitFor()
    expect((await mill.log.threads({ limit: 10 })).items.map(({ title }) => title)).not.toContain('Renamed')
    expect(troubles).toEqual([])
  })

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('breaks no rule of accessibility at %i in the %s, and nothing overflows', async (width, colorScheme) => {
    const mill = await session.startMill([])
    await feed(mill, 'crash-mid-tool')
    const { page, row, evaluate } = await openRuns(mill)
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await row('Import the tickets').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions for Import' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})
