import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startServer } from './serving.ts'

const appFolder = mkdtempSync(join(tmpdir(), 'millrace-base-'))
writeFileSync(join(appFolder, 'index.html'), '<script src="./assets/a.js"></script><meta content="./"><p>="x</p>')
writeFileSync(join(appFolder, 'icon.svg'), '<svg id="./"></svg>')
afterAll(() => rmSync(appFolder, { recursive: true }))

describe('a server below a base path', () => {
  it('has its address, its page, its API and its cookie there, and nothing elsewhere', async () => {
    const server = await startServer({ basePath: '/agents/', appFolder })
    expect(new URL(server.url).pathname).toBe('/agents')
    const signedIn = await fetch(`${server.url}/?token=${server.token}`, { redirect: 'manual' })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/agents/'])
    expect(signedIn.headers.get('set-cookie')).toContain('; Path=/agents; HttpOnly')
    const signedOut = await server.ask('/api/sign-out', { method: 'POST' })
    expect(signedOut.headers.get('set-cookie')).toContain('; Path=/agents; HttpOnly')
    expect((await server.ask('/api/threads')).status).toBe(200)
    const root = new URL(server.url).origin
    for (const path of ['/', '/api/health', '/agentsx', '/?token=x']) {
      expect([path, (await fetch(`${root}${path}`)).status]).toEqual([path, 404])
    }
  })

  it('serves a page that finds its files from any depth, and leaves the files as they are', async () => {
    const page = async (basePath: string, path: string) =>
      (await fetch(`${(await startServer({ basePath, appFolder })).url}${path}`)).text()
    const below = '<script src="/agents/assets/a.js"></script><meta content="/agents/"><p>="x</p>'
    for (const path of ['', '/', '/t/one', '/index.html']) expect(await page('/agents', path)).toBe(below)
    expect(await page('', '/t/one')).toBe('<script src="/assets/a.js"></script><meta content="/"><p>="x</p>')
    expect(await page('/agents', '/icon.svg')).toBe('<svg id="./"></svg>')
  })
})

describe('the limits of a server', () => {
  it('are those that were set', async () => {
    const server = await startServer({ limits: { uploadBytes: 10, bodyBytes: 40 } })
    const upload = async (size: number) =>
      (await server.ask('/api/files', { method: 'POST', body: 'x'.repeat(size) })).status
    expect([await upload(10), await upload(11)]).toEqual([201, 413])
    const rename = async (title: string) => (await server.send('POST', '/api/threads', { title })).status
    expect([await rename('a'), await rename('a'.repeat(40))]).toEqual([201, 413])
  })

  it('keep the others at their defaults', async () => {
    const server = await startServer({ limits: { uploadBytes: 10 } })
    expect((await server.send('POST', '/api/threads', { title: 'a'.repeat(100) })).status).toBe(201)
  })
})
