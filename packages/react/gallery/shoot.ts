// Takes pictures of the gallery: `node shoot.ts <folder>`.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../../proofs/open-browser.ts'
import { buildGallery, ORIGIN, serveGallery } from './build.ts'

const WIDTHS = { wide: 1440, narrow: 390 } as const
const target = process.argv[2]
if (target === undefined) throw new Error('Usage: node shoot.ts <folder>')

const built = mkdtempSync(join(tmpdir(), 'millrace-gallery-'))
mkdirSync(target, { recursive: true })
await buildGallery(built)
const browser = await openBrowser()
try {
  const page = await browser.newPage()
  await serveGallery(page, built)
  for (const view of ['components', 'thread', 'custom']) {
    for (const theme of ['light', 'dark']) {
      for (const [name, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${ORIGIN}/?view=${view}&theme=${theme}&still`)
        await page.screenshot({ path: join(target, `${view}-${name}-${theme}.png`), fullPage: true })
      }
    }
  }
} finally {
  await browser.close()
  rmSync(built, { recursive: true, force: true })
}
