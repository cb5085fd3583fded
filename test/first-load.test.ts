import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'millrace-first-load-'))
const BUILDING_MS = 120_000

/** The most that the first page may load, compressed, before any lazy part. */
const MOST = 200_000

beforeAll(() => {
  const arguments_ = ['build', 'apps/web', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // A test's own mode would build React for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stderr } = spawnSync(process.execPath, [vite, ...arguments_], { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}, BUILDING_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the first load of the app', () => {
  it(`is at most ${MOST / 1_000} KB, compressed, and loads neither the views of a thread nor the panes`, () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    const named = [...page.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(1)
    const texts = named.map((name) => readFileSync(join(folder, name)))
    const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
    expect(size, named.join(', ')).toBeLessThanOrEqual(MOST)
    expect(named.filter((name) => /thread-page|panes|palette|keys-list|runs-page/.test(name))).toEqual([])
  })
})
