import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export const ORIGIN = 'http://gallery.invalid'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Builds the gallery into a folder. */
export async function buildGallery(outDir: string): Promise<void> {
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } })
}

/** The same with React's warnings, which only its build for development has. */
export async function buildGalleryWithWarnings(outDir: string): Promise<void> {
  const define = { 'process.env.NODE_ENV': '"development"' }
  await build({ root, mode: 'development', define, logLevel: 'error', build: { outDir, minify: false } })
}

/** Serves the built files without a server: any other request is refused and passed to `onRequest`. */
export async function serveGallery(
  page: Page,
  outDir: string,
  onRequest: (url: string) => void = () => {},
): Promise<void> {
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url())
    if (url.origin !== ORIGIN) {
      onRequest(url.href)
      return route.abort()
    }
    const path = url.pathname === '/' ? '/index.html' : url.pathname
    const contentType = TYPES[extname(path)]
    if (contentType === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({ contentType, body: readFileSync(join(outDir, path), 'utf8') })
  })
}
