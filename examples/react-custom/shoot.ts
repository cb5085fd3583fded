// Takes the pictures of docs/images: `node shoot.ts`.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ORIGIN, serveGallery } from '../../packages/react/gallery/build.ts'
import { openBrowser } from '../../proofs/open-browser.ts'
import { buildPage } from './build.ts'

const pictures = { light: ['light', 900], dark: ['dark', 900], narrow: ['light', 390] } as const
const target = fileURLToPath(new URL('../../docs/images', import.meta.url))
const built = mkdtempSync(join(tmpdir(), 'millrace-react-custom-'))
mkdirSync(target, { recursive: true })
await buildPage(built)
const browser = await openBrowser()
try {
  for (const [name, [theme, width]] of Object.entries(pictures)) {
    const viewport = { width, height: 800 }
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' })
    await serveGallery(page, built)
    await page.goto(`${ORIGIN}/?theme=${theme}`)
    await page.waitForFunction(() => document.body.textContent?.includes('wartet seit'))
    await page.screenshot({ path: join(target, `react-custom-${name}.png`), fullPage: true })
    await page.close()
  }
} finally {
  await browser.close()
  rmSync(built, { recursive: true, force: true })
}
