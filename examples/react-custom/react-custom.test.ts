import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { englishLabels, type Labels } from '@millrace/react'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ORIGIN, serveGallery } from '../../packages/react/gallery/build.ts'
import { absence, sharedBrowser } from '../../proofs/open-browser.ts'
import { describeInBrowser } from '../../test/browser/chromium.ts'
import { buildPage } from './build.ts'
import { german } from './german.ts'

let page: Page
const folder = mkdtempSync(join(tmpdir(), 'millrace-react-custom-'))
beforeAll(async () => {
  if (absence !== undefined) return
  await buildPage(folder)
  page = await (await sharedBrowser()).newPage()
  await serveGallery(page, folder)
  await page.goto(ORIGIN)
  await page.waitForFunction(() => document.body.textContent?.includes('wartet seit'))
  // All that is closed is opened: no text stays unseen.
  for (let round = 0; round < 3; round++) {
    const closed = page.locator('[aria-expanded="false"]')
    while ((await closed.count()) > 0) await closed.first().click()
  }
}, 60_000)
afterAll(async () => {
  await page?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a person reads or hears on the page. */
const spoken = () =>
  page.evaluate(() =>
    [
      document.body.textContent,
      ...[...document.querySelectorAll('.mr-unseen')].map((node) => node.textContent),
      ...['aria-label', 'title', 'alt', 'placeholder'].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].map((node) => node.getAttribute(name)),
      ),
    ].join('\n'),
  )

/** Three letters and more of each label. Functions get a mark that no word has, and both numbers of things. */
function wordsOf({ toolSummary: _hasNoWords, ...labels }: Labels): ReadonlySet<string> {
  return new Set(
    Object.values(labels)
      .flatMap(textsOf)
      .join(' ')
      .match(/\p{L}{3,}/gu),
  )
}

function textsOf(label: unknown): readonly string[] {
  if (typeof label === 'function') return [1, 2].map((count) => `${label('§', count, '§')} ${label(count, '§')}`)
  return typeof label === 'object' && label !== null ? Object.values(label).flatMap(textsOf) : [String(label)]
}

describeInBrowser('the example', () => {
  it('shows the card of the order, with our card below it', async () => {
    expect(await page.textContent('.order-head')).toBe('Bestellung 4711Alpenkurier')
    expect(await page.$$eval('.order-steps [data-done="true"]', (steps) => steps.length)).toBe(2)
    expect(await page.locator('.order .mr-tool-done').count()).toBe(1)
  })

  it('writes every text by its own component, and links by its own', async () => {
    expect(await page.$$eval('.letter strong', (nodes) => nodes.map((node) => node.textContent))).toContain('unterwegs')
    expect(await page.locator('.mr-md').count()).toBe(0)
    expect(await page.textContent('a.mr-chip')).toContain('↗')
  })

  it('speaks German, and no label is left in English', async () => {
    const text = await spoken()
    for (const words of ['9 s nachgedacht', '3 Dateien gelesen', 'Erstattung genehmigen?', '1 von 3', 'Ende mit 3']) {
      expect(text).toContain(words)
    }
    expect(text).toContain('12,4 Tsd. gelesen')
    const germanWords = wordsOf(german)
    const english = [...wordsOf(englishLabels)].filter((word) => !germanWords.has(word))
    const data = new Set(['Text', 'exit', 'code'])
    expect(
      english.filter((word) => !data.has(word) && new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text)),
    ).toEqual([])
  })

  it('answers by the German keys', async () => {
    const answers: string[] = []
    page.on('console', (message) => answers.push(message.text()))
    await page.locator('.mr-asking').focus()
    await page.keyboard.press('d')
    await page.keyboard.press('g')
    await expect.poll(() => answers).toEqual(['a1 approved'])
  })
})
