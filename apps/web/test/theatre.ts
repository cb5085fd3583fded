import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { absence, sharedBrowser } from '../../../proofs/open-browser.ts'

/** Secure, as the app's page is: it needs locks, hashes and the clipboard. No request leaves the browser. */
const ORIGIN = 'https://stage.invalid'

const TYPES: { readonly [extension: string]: string } = { '.js': 'text/javascript', '.css': 'text/css' }

/** One build and one page for all scenes of a test file. A scene that hangs is given up by its test. */
export function openTheatre(): (group: string, promise: string) => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-stage-'))
  let page: Page
  beforeAll(async () => {
    if (absence !== undefined) return
    const root = fileURLToPath(new URL('stage', import.meta.url))
    const built = build({
      root,
      configFile: false,
      plugins: [react()],
      logLevel: 'error',
      build: { outDir: folder, minify: false, target: 'es2023', modulePreload: false, emptyOutDir: true },
    })
    const [browser] = await Promise.all([sharedBrowser(), built])
    page = await openPage(browser, folder)
  }, 120_000)
  afterAll(async () => {
    await page?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return async (group, promise) => {
    const trouble = await page.evaluate(([one, other]) => globalThis.playScene(one, other), [group, promise] as const)
    if (trouble !== undefined) throw new Error(trouble)
  }
}

async function openPage(browser: Browser, folder: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } })
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    const contentType = TYPES[extname(pathname)]
    if (contentType === undefined && pathname !== '/') return route.fulfill({ status: 404 })
    const file = contentType === undefined ? 'index.html' : pathname
    return route.fulfill({ contentType: contentType ?? 'text/html', body: readFileSync(join(folder, file), 'utf8') })
  })
  await page.goto(ORIGIN)
  await page.waitForFunction(() => 'playScene' in globalThis)
  return page
}
