import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Builds the page into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  const root = fileURLToPath(new URL('.', import.meta.url))
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
}
