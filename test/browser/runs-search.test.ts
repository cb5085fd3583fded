import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { feed } from './feed.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** The marked texts of the page. */
const MARKED = "[...(CSS.highlights.get('found') ?? [])].map((range) => range.toString())"

describeInBrowser('the search in all runs', () => {
  const session = useSession(builtWebApp)

  async function search(text: string, width = 1440) {
    const mill = await session.startMill([])
    await feed(mill, 'dropped-stream')
    await feed(mill, 'flaky-test', { title: 'Flaky test in checkout' })
    const viewer = await openViewer(await session.openContext({ viewport: { width, height: 900 } }), mill.entrance)
    const { page } = viewer
    const hits = page.getByRole('option')
    await until('the texts are in the index', async () => {
      await page.goto(`${mill.url}/runs?q=${encodeURIComponent(text)}`)
      await page.getByText(/\d hits?, /).waitFor()
      return (await hits.count()) > 0
    })
    return { ...viewer, mill, hits }
  }

  it('shows every hit with its kind, its mark, its step and its entry, and the piece itself beside it', async () => {
    const { page, hits, evaluate, troubles } = await search('proxy_read_timeout')
    await page.getByRole('option', { name: '3 more in this run' }).click()
    await until('all are shown', async () => (await hits.count()) === 6)
    const kinds = ['Thinking', 'Tool input', 'Tool output', 'Tool output', 'Answer', 'Answer']
    const texts = await hits.allTextContents()
    expect(texts.map((text, index) => text.startsWith(kinds[index] ?? '?'))).toEqual(kinds.map(() => true))
    for (const text of texts) expect(text).toMatch(/step \d+ · #\d+$/)
    for (let index = 0; index < 6; index++) {
      expect(await hits.nth(index).locator('mark').first().textContent()).toBe('proxy_read_timeout')
    }
    // The first is a thought, which is closed in its thread until someone looks at it.
    await page.locator('.preview').getByText('counts the time between two reads').waitFor()
    await until('it is marked', async () => (await evaluate<string[]>(MARKED)).includes('proxy_read_timeout'))
    expect(await page.locator('.preview-hit').count()).toBe(1)
    expect(await brokenRules(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('goes to the piece in its thread by keyboard, shows it there with its mark, and comes back', async () => {
    const { page, evaluate } = await search('open handles')
    await page.getByRole('combobox', { name: 'Find in all runs' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/t\/.*#seq-\d+$/)
    const output = page.locator('.mr-thread').getByText('expected 0 open handles')
    await output.first().waitFor()
    await until('it is marked', async () => (await evaluate<string[]>(MARKED)).join(' ').includes('open handles'))
    const box = await output.first().boundingBox()
    expect(box !== null && box.y >= 0 && box.y + box.height <= 900).toBe(true)
    await page.goBack()
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('open handles')
  })

  it('shows one kind of text, says what was searched if nothing is found, and `/` begins the next search', async () => {
    const { page, hits } = await search('clock')
    await page.getByRole('button', { name: /^Answers/ }).click()
    await page.waitForURL(/kind=text/)
    await until('only answers are left', async () =>
      (await hits.allTextContents()).every((text) => text.startsWith('Answer')),
    )
    await page.getByRole('button', { name: /^Answers/ }).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('nothing of the kind')
    await page.getByRole('heading', { name: 'No run has “nothing of the kind”' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('grid').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('fits a narrow screen', async () => {
    const { page, evaluate } = await search('proxy_read_timeout', 390)
    expect(await page.locator('.preview').isVisible()).toBe(false)
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await brokenRules(page)).toEqual([])
  })
})
