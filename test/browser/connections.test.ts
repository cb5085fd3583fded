import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { serveAsChild } from './serve-child.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const ANSWER = '.mr-prose:not(.mr-user-box *)'

describeInBrowser('connections of the browser', () => {
  const session = useSession(builtWebApp)

  it('serves two tabs with one stream, and the second continues when the first closes', async () => {
    const { agent, playTo } = stepped('talker', async function* () {
      for (const word of ['one', 'two', 'three', 'four']) yield lines.text(`${word} `)
      yield lines.done
    })
    const mill = await session.startMill([agent])
    const context = await session.openContext()
    const first = await openViewer(context, mill.entrance)
    await first.say('Count')
    const threadId = await first.threadId()
    playTo(1)
    await first.page.locator(ANSWER, { hasText: 'one' }).waitFor()
    const second = await openViewer(context, `${mill.url}/t/${threadId}`)
    await second.page.locator(ANSWER, { hasText: 'one' }).waitFor()
    playTo(2)
    for (const { page } of [first, second]) await page.locator(ANSWER, { hasText: 'one two' }).waitFor()
    await until('one stream serves both', () => mill.streams() === 1)

    await first.page.close()
    playTo(3)
    await second.page.locator(ANSWER, { hasText: 'one two three' }).waitFor()
    await until('one stream is left', () => mill.streams() === 1)
    playTo(Number.POSITIVE_INFINITY)
    await second.verify('Live = stored')
    expect(await second.page.locator(ANSWER).textContent()).toBe('one two three four')
    await until('no stream is left', () => mill.streams() === 0)
    expect([...first.troubles, ...second.troubles]).toEqual([])
  })

  it('X36: survives a killed server: reconnects by itself, keeps its content and shows that the run was interrupted', async () => {
    await using server = await serveAsChild()
    const context = await session.openContext()
    const viewer = await openViewer(context, server.entrance)
    const { page } = viewer
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    await page.locator('.mr-thinking .mr-body').getByText('stood still').waitFor()
    const shown = await viewer.seq()
    await server.kill()
    await page
      .getByText(/trying again|Connecting/)
      .first()
      .waitFor()
    expect(await page.locator('.mr-thinking .mr-body').textContent()).toContain('stood still')

    await server.start()
    const interrupted = page.locator('.mr-interrupted')
    await interrupted.waitFor()
    expect(await interrupted.textContent()).toContain('everything before it is kept')
    expect(await viewer.seq()).toBeGreaterThan(shown)
    expect(await page.locator('.mr-thinking .mr-label').textContent()).toMatch(/^Thought(?: for \ds)?$/)
    const late = await openViewer(context, page.url())
    await until('who comes later sees the same', async () => (await late.html()) === (await viewer.html()))
    for (const [card, text] of [
      ['.mr-processing', 'Opening the survey of the mill'],
      ['.mr-thinking', 'stood still'],
    ] as const) {
      const head = page.locator(`${card} > button`).first()
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
      expect(await page.locator(`${card} .mr-body`).first().textContent()).toContain(text)
    }
  })
})
