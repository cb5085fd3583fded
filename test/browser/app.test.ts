import { demo } from '@millrace/server/run/demo'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const FAST = 40

/** How bright the page's background is, 0 to 255. */
const brightness = ({ evaluate }: Viewer) =>
  evaluate<number>(`(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3))
  })()`)

/** The elements that overflow, of the page, the thread and the pane over it. */
const overflows = ({ evaluate }: Viewer) =>
  evaluate<string[]>(`[...document.querySelectorAll('html, body, .mr-thread-scroll, .wires')]
    .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className || box.tagName)`)

describeInBrowser('the app in the browser', () => {
  const session = useSession(builtWebApp)

  it('S3-53, S3-54, S3-55: runs the demo from its button to its end, asks, and is the same after a reload and a second turn', async () => {
    const mill = await session.startMill([demo({ speed: FAST })])
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    const { page, html, approve, troubles } = viewer
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    const threadId = await viewer.threadId()
    await page.locator('.mr-processing').waitFor()

    await approve.waitFor()
    // All of this is shown although the run has not ended.
    expect((await mill.log.runs(threadId)).map(({ state }) => state)).not.toContain('ended')
    for (const piece of ['.mr-thinking', '.mr-processing', '.mr-tool', '.mr-prose', '.mr-asking']) {
      expect(await page.locator(piece).count(), piece).toBeGreaterThan(0)
    }
    await approve.click()
    await viewer.verify('Live = stored')
    expect((await mill.ended(threadId)).outcome).toBe('success')
    expect(await approve.count()).toBe(0)
    await until('the last block has closed', async () => (await page.locator('.mr-thinking.mr-open').count()) === 0)
    const before = await html()
    expect(before).toContain('The wheel can turn again by spring')

    await page.reload()
    await viewer.verify('Stored = delivered')
    await until('the reloaded page looks as before', async () => (await html()) === before)

    await viewer.say('And the roof?')
    await page.getByText('“And the roof?”').waitFor()
    // While a run goes on no other attempt can begin.
    const lasting = (page: string) => page.replaceAll(/<button[^>]*aria-label="(?:Edit|Regenerate)".*?<\/button>/g, '')
    expect(lasting(await html()).startsWith(lasting(before))).toBe(true)
    expect(await page.locator('.mr-user-box').count()).toBe(2)
    expect(troubles).toEqual([])
  })

  it('fits a narrow screen, with buttons for fingers, in the light and in the dark', async () => {
    const mill = await session.startMill([demo({ speed: Number.POSITIVE_INFINITY })])
    const context = await session.openContext({ viewport: { width: 390, height: 844 }, colorScheme: 'light' })
    const viewer = await openViewer(context, mill.entrance)
    const { page, approve, deny } = viewer
    const start = page.getByRole('button', { name: 'Start the demo run' })
    await start.waitFor()
    expect(await overflows(viewer)).toEqual([])
    await start.click()
    await approve.waitFor()
    for (const button of [approve, deny]) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(36)
    }
    expect(await overflows(viewer)).toEqual([])
    const light = await brightness(viewer)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([light > 200, (await brightness(viewer)) < 60]).toEqual([true, true])
    await approve.click()
    await page.getByRole('heading', { name: 'The wheel can turn again by spring' }).waitFor()
    expect(await overflows(viewer)).toEqual([])
    expect(viewer.troubles).toEqual([])
  })

  it('shows what each wire loses of a run, the same live and stored, with the addresses to watch it', async () => {
    const mill = await session.startMill([demo({ speed: Number.POSITIVE_INFINITY })])
    const context = await session.openContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const viewer = await openViewer(context, mill.entrance)
    const { page, approve } = viewer
    const button = page.getByRole('button', { name: 'Wires' })
    const panel = page.getByRole('dialog', { name: 'Wires' })
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    await approve.click()
    await viewer.verify('Live = stored')
    await button.click()
    await panel.getByText('Counted over all').waitFor()
    const losses = await panel.locator('.wire-losses li').allTextContents()
    expect(losses).toContainEqual(expect.stringMatching(/^Messages of others1×./))
    const live = await panel.textContent()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await viewer.evaluate<string>('document.activeElement.textContent')).toBe('Wires')

    await page.setViewportSize({ width: 360, height: 640 })
    await page.reload()
    await button.focus()
    await page.keyboard.press('Enter')
    await until('the log was read', async () => (await panel.textContent()) === live)
    expect(await overflows(viewer)).toEqual([])
    await panel.getByRole('button', { name: 'Copy the SSE address of AI SDK' }).click()
    const watched = 'navigator.clipboard.readText().then((url) => fetch(url)).then((answer) => answer.text())'
    expect(await viewer.evaluate<string>(watched)).toMatch(/"type":"finish".*\[DONE\]/s)
    expect(viewer.troubles).toEqual([])
  })

  it('shows nothing without a token', async () => {
    const mill = await session.startMill([demo()])
    const { page } = await openViewer(await session.openContext(), mill.url)
    await page.getByRole('heading').first().waitFor()
    await until('the page says so', () => page.getByText('token').first().isVisible())
    expect(await page.getByRole('button', { name: 'Start the demo run' }).count()).toBe(0)
  })
})
