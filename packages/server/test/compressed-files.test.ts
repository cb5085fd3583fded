import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { createStaticFiles } from '../src/api/static-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-app-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = `globalThis.words = ${JSON.stringify('wheel '.repeat(2_000))}\n`
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), `<!doctype html><script src="./assets/app-12345678.js"></script>`)
writeFileSync(join(folder, 'assets/app-12345678.js'), script)
writeFileSync(join(folder, 'assets/wheel.png'), 'x'.repeat(5_000))

const files = createStaticFiles(folder, '/mill')

async function ask(path: string, headers: { readonly [name: string]: string }) {
  const response = await files.respond(path, (name) => headers[name])
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const gzip = { 'accept-encoding': 'br, gzip, deflate' }

describe('the files of the app', () => {
  it('are sent compressed to a client that takes it, the same each time', async () => {
    for (const _round of [1, 2]) {
      const { response, bytes } = await ask('/assets/app-12345678.js', gzip)
      expect(response.headers.get('content-encoding')).toBe('gzip')
      expect(response.headers.get('vary')).toBe('accept-encoding')
      expect(bytes.length).toBeLessThan(script.length / 20)
      expect(gunzipSync(bytes).toString()).toBe(script)
    }
  })

  it.each([{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'br, gzip;q=0' }])(
    'are sent as they are to any other: %o',
    async (headers) => {
      const { response, bytes } = await ask('/assets/app-12345678.js', headers)
      expect(response.headers.get('content-encoding')).toBeNull()
      expect(response.headers.get('vary')).toBe('accept-encoding')
      expect(Buffer.from(bytes).toString()).toBe(script)
    },
  )

  it('have another tag for each form, which answers 304', async () => {
    const tags = new Set<string>()
    for (const headers of [{}, gzip]) {
      const etag = (await ask('/assets/app-12345678.js', headers)).response.headers.get('etag') ?? ''
      tags.add(etag)
      const { response } = await ask('/assets/app-12345678.js', { ...headers, 'if-none-match': etag })
      expect([response.status, response.headers.get('content-encoding')]).toEqual([304, null])
    }
    expect(tags.size).toBe(2)
  })

  it('are not compressed if they are short, or are so already', async () => {
    for (const path of ['/', '/assets/wheel.png']) {
      const { response } = await ask(path, gzip)
      expect(response.headers.get('content-encoding'), path).toBeNull()
    }
  })
})
