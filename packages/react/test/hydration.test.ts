import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { absence, sharedBrowser } from '../../../proofs/open-browser.ts'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { buildGalleryWithWarnings, ORIGIN, serveGallery } from '../gallery/build.ts'
import { Components } from '../gallery/components.tsx'
import { Custom } from '../gallery/custom.tsx'
import { Thread } from '../gallery/thread.tsx'
import { OPENING_MS } from './stage.ts'

/** Imported in the order of the page: the samples number their entries as they are made. */
const views = { thread: Thread, components: Components, custom: Custom }

let browser: Browser
const folder = mkdtempSync(join(tmpdir(), 'millrace-hydration-'))
beforeAll(async () => {
  if (absence !== undefined) return
  await buildGalleryWithWarnings(folder)
  browser = await sharedBrowser()
}, OPENING_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A page in another time zone and another language than the server, and what it complained about. */
async function openHydrated(view: string, html: string) {
  const page = await browser.newPage({ timezoneId: 'Asia/Tokyo', locale: 'ja-JP' })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await serveGallery(page, folder)
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  const body = index.replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
  await page.route(`${ORIGIN}/?*`, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${ORIGIN}/?view=${view}`)
  return { page, complaints }
}

describeInBrowser('a page that a server has drawn', () => {
  it.each(Object.entries(views))('%s: is taken over without a warning; clocks start then', async (view, View) => {
    const { page, complaints } = await openHydrated(view, renderToString(createElement(View)))
    // A counter runs: the page was taken over.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.mr-time')].some(({ textContent }) => /\d ?s$/.test(textContent ?? '')),
    )
    expect(complaints).toEqual([])
    if (view === 'thread') expect(await page.textContent('time')).toBe('23:02')
    await page.close()
  })

  it('a difference is a complaint, so that the promise above is tested', async () => {
    const html = renderToString(createElement(Thread)).replace('Find out why', 'Find out how')
    const { page, complaints } = await openHydrated('thread', html)
    await page.waitForFunction(() => document.body.textContent?.includes('Find out why'))
    expect(complaints.length).toBeGreaterThan(0)
    await page.close()
  })
})
