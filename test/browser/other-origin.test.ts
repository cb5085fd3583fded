import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demo } from '@millrace/server/run/demo'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const fast = demo({ speed: Number.POSITIVE_INFINITY })

describeInBrowser('a page on another origin', () => {
  const session = useSession(builtWebApp)

  /** An empty page that another server serves. */
  async function openPage(): Promise<{ readonly page: Page; readonly origin: string }> {
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const page = await (await session.openContext()).newPage()
    await page.goto(origin)
    return { page, origin }
  }

  /** Starts a run from the page and streams it: what was read, or the error that the page gets. */
  const streamFrom = (page: Page, { url, token }: Mill) =>
    page.evaluate(
      async ([url, token]) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k' }
        try {
          const body = JSON.stringify({ agent: 'demo', input: 'go' })
          const started = await fetch(`${url}/api/threads/t/runs`, { method: 'POST', headers, body })
          const { runId } = (await started.json()) as { runId: string }
          const address = `${url}/api/runs/${runId}/stream?wire=ai-sdk`
          const stream = await fetch(address, { headers: { ...headers, 'last-event-id': '2.0' } })
          const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
          const { value } = (await reader?.read()) ?? {}
          await reader?.cancel()
          const refused = await fetch(`${url}/api/threads/none`, { headers })
          return [
            started.status,
            stream.headers.get('x-vercel-ai-ui-message-stream'),
            value?.slice(0, 3),
            refused.status,
          ]
        } catch (error) {
          return String(error)
        }
      },
      [url, token] as const,
    )

  it('streams with fetch and its token, if its origin is named', async () => {
    const { page, origin } = await openPage()
    const mill = await session.startMill([fast], { origins: [origin] })
    expect(await streamFrom(page, mill)).toEqual([201, 'v1', 'dat', 404])
  })

  it('reads nothing, and changes nothing, if its origin is not named', async () => {
    const { page, origin } = await openPage()
    const mill = await session.startMill([fast], {
      origins: [`${origin}.example`.replace(/:\d+/, ''), 'http://localhost:1'],
    })
    expect(await streamFrom(page, mill)).toContain('TypeError')
    expect((await mill.log.threads({})).items).toEqual([])
  })
})

describeInBrowser('the app below a base path', () => {
  const session = useSession(builtWebApp)

  it('starts, streams, links and reloads there, and asks for nothing at the root', async () => {
    const mill = await session.startMill([demo({ speed: 40 })], { basePath: '/agents' })
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    const { page } = viewer
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    await viewer.approve.click()
    const threadId = /\/agents\/t\/([^/?#]+)/.exec(page.url())?.[1] ?? ''
    await mill.ended(threadId)
    await page.reload()
    await page.locator('.mr-turn').first().waitFor()
    await page
      .getByRole('link', { name: /new thread/i })
      .first()
      .click()
    await page.getByText('Pipe a stream in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/agents/')
    expect(await page.locator('.pipe pre').textContent()).toContain(`${mill.url}/api/ingest`)
    expect(asked.filter((path) => !path.startsWith('/agents/'))).toEqual([])
    expect(viewer.troubles).toEqual([])
  })
})
