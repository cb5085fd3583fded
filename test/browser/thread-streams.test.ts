import { request } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** A second, as long as the machine has time for it: with many processes waiting for each core, a browser alone takes longer. */
const WITHIN_MS = (loadavg()[0] ?? 0) > 4 * availableParallelism() ? 10_000 : 1_000

/** Resolves when it is shown; rejects if that takes too long. */
const soon = (locator: Locator) => locator.waitFor({ timeout: WITHIN_MS })

/** A plain HTTP request, as another program sends it. */
async function post({ url, token }: Mill, path: string, body: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  expect(answer.ok).toBe(true)
}

/** A producer that writes its body piece by piece, and can be killed in the middle. */
function produce({ url, token }: Mill, query: string) {
  const headers = { authorization: `Bearer ${token}` }
  const producer = request(`${url}/api/ingest?format=agent-lines&${query}`, { method: 'POST', headers })
  producer.on('error', () => undefined)
  return {
    write: (line: object) => producer.write(`${JSON.stringify(line)}\n`),
    end: () => producer.end(),
    kill: () => producer.destroy(),
  }
}

function talker() {
  return stepped('talker', async function* ({ input }) {
    yield lines.text(`You said: ${input.text}. `)
    yield lines.text('And that is all.')
    yield lines.done
  })
}

describeInBrowser('what begins elsewhere', () => {
  const session = useSession(builtWebApp)

  it('shows the run of another program within a second, also that its producer is gone and back', async () => {
    const mill = await session.startMill([talker().agent])
    await mill.log.createThread({ id: 't', title: 'The mill' })
    await mill.log.createThread({ id: 'other', title: 'Another' })
    const { page, troubles, evaluate } = await openViewer(await session.openContext(), `${mill.entrance}`)
    await page.locator('.mr-thread-row', { hasText: 'The mill' }).click()
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('A draft')
    const row = page.locator('.mr-thread-row[aria-current=page]')
    const first = produce(mill, 'threadId=t&runId=r')
    first.write(lines.text('The wheel turns.'))
    await soon(page.locator('.mr-prose:not(.mr-user-box *)', { hasText: 'The wheel turns.' }))
    await soon(row.locator('.mr-state-live'))
    await soon(page.locator('.bar .badge-live'))

    first.kill()
    await soon(page.locator('.mr-status', { hasText: 'Waiting for its producer' }))
    await soon(row.locator('.mr-state-waiting'))

    const second = produce(mill, 'threadId=t&runId=r&attempt=2&line=1')
    second.write(lines.text(' Again.'))
    await soon(page.locator('.mr-prose', { hasText: 'The wheel turns. Again.' }))
    await soon(row.locator('.mr-state-live'))
    expect(await composer.inputValue()).toBe('A draft')
    second.write(lines.done)
    second.end()
    await soon(row.locator('.mr-state-done'))
    await page.locator('.bar .badge-done').waitFor()
    expect(await evaluate<number>('performance.getEntriesByType("navigation").length')).toBe(1)
    expect(troubles).toEqual([])
  })

  it('shows a recording that another program has sent as a whole, and a thread that is new', async () => {
    const mill = await session.startMill([talker().agent])
    await mill.log.createThread({ id: 't', title: 'The mill' })
    const { page, troubles, evaluate } = await openViewer(await session.openContext(), `${mill.entrance}`)
    await page.locator('.mr-thread-row', { hasText: 'The mill' }).click()
    const body = [lines.text('All at once.'), lines.done].map((line) => JSON.stringify(line)).join('\n')
    for (const count of [1, 2]) {
      await post(mill, '/api/ingest?format=agent-lines&threadId=t', body)
      await soon(page.locator('.mr-prose', { hasText: 'All at once.' }).nth(count - 1))
    }
    const tall = [lines.text('A line of many.\n\n'.repeat(100)), lines.done]
      .map((line) => JSON.stringify(line))
      .join('\n')
    await post(mill, '/api/ingest?format=agent-lines&threadId=t', tall)
    await page.getByText('A line of many.').last().waitFor()
    const scrollTop = "document.querySelector('.mr-thread-scroll').scrollTop"
    await evaluate(`${scrollTop} = 40`)
    await post(mill, '/api/ingest?format=agent-lines&threadId=t', body)
    await soon(page.locator('.mr-prose', { hasText: 'All at once.' }).nth(2))
    expect(await evaluate(scrollTop)).toBe(40)
    await post(mill, '/api/threads', JSON.stringify({ id: 'new', title: 'Brand new' }))
    await soon(page.locator('.mr-thread-row', { hasText: 'Brand new' }))
    await mill.log.deleteThread('new')
    await page.locator('.mr-thread-row', { hasText: 'Brand new' }).waitFor({ state: 'detached', timeout: WITHIN_MS })
    expect(troubles).toEqual([])
  })

  it('shows the run of an agent that another program or another tab has started', async () => {
    const { agent, playTo } = talker()
    const mill = await session.startMill([agent])
    await mill.log.createThread({ id: 't', title: 'The mill' })
    const context = await session.openContext()
    const first = await openViewer(context, mill.entrance)
    await first.page.locator('.mr-thread-row', { hasText: 'The mill' }).click()
    await first.page.getByRole('textbox', { name: 'Message' }).waitFor()
    playTo(1)
    await post(mill, '/api/threads/t/runs', JSON.stringify({ input: 'by a program' }))
    await soon(first.page.locator('.mr-user-box', { hasText: 'by a program' }))
    await soon(first.page.locator('.mr-prose', { hasText: 'You said: by a program.' }))
    playTo(Number.POSITIVE_INFINITY)
    await first.page.locator('.bar .badge-done').waitFor()
    playTo(1)
    const second = await openViewer(context, `${mill.url}/t/t`)
    await second.page.locator('.mr-prose', { hasText: 'You said' }).waitFor()
    await second.say('by a tab')
    for (const { page } of [first, second]) {
      await soon(page.locator('.mr-user-box', { hasText: 'by a tab' }))
      await soon(page.locator('.mr-thread-row .mr-state-live'))
    }
    playTo(Number.POSITIVE_INFINITY)
    for (const { page } of [first, second]) {
      await page.locator('.mr-thread-row .mr-state-done').waitFor()
      // The list and the run have streams of their own.
      await page.locator('.mr-turn[data-state=live]').waitFor({ state: 'detached' })
    }
    expect(await first.html()).toBe(await second.html())
    expect([...first.troubles, ...second.troubles]).toEqual([])
  })

  it('says within a second that another thread asks, and has three connections at most', async () => {
    const asking = stepped('asking', async function* (_request, host) {
      yield lines.text('May I? ')
      await host.ask({ message: 'May I?' })
      yield lines.done
    })
    asking.playTo(1)
    const mill = await session.startMill([asking.agent])
    await mill.log.createThread({ id: 't', title: 'The mill' })
    const { page, troubles } = await openViewer(await session.openContext(), `${mill.entrance}`)
    const open = new Set<string>()
    let most = 0
    page.on('request', (each) => {
      if (!/\/stream|threads\?/.test(each.url())) return
      open.add(each.url())
      most = Math.max(most, open.size)
    })
    page.on('requestfinished', (each) => open.delete(each.url()))
    page.on('requestfailed', (each) => open.delete(each.url()))
    await page.reload()
    await page.locator('.mr-thread-row', { hasText: 'The mill' }).click()
    await page.locator('.mr-status', { hasText: 'No run yet' }).waitFor()
    await post(mill, '/api/threads/t/runs', JSON.stringify({ input: 'here' }))
    await soon(page.locator('.mr-asking'))
    await post(mill, '/api/threads/elsewhere/runs', JSON.stringify({ input: 'there' }))
    await soon(page.locator('.mr-thread-row:not([aria-current]) .mr-state-needs-you'))
    await soon(page.locator('.mr-thread-row[aria-current] .mr-state-needs-you'))
    expect(most).toBeLessThanOrEqual(3)
    expect(troubles).toEqual([])
  })
})
