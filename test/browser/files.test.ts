import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { filesStory, startTrap } from './files-story.ts'
import { useSession } from './session.ts'
import { eventsAgent } from './timeline-story.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const overflows = ({ evaluate }: Viewer) =>
  evaluate<
    string[]
  >(`[...document.querySelectorAll('html, body, .work, .panes, .files-pane, .file-view, .file-head, .pane-foot')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`)

/** The value of a style within the frame. */
const styleIn = (page: Page, selector: string, property: string) =>
  page.frames()[1]?.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)

describeInBrowser('the files', () => {
  const session = useSession(builtWebApp)

  async function open(trap?: string, options: Parameters<typeof session.openContext>[0] = {}) {
    const mill = await session.startMill([eventsAgent(() => filesStory(trap))])
    const context = await session.openContext({ viewport: { width: 1440, height: 900 }, ...options })
    const viewer = await openViewer(context, mill.entrance)
    await viewer.say('The gate opens too late.')
    const threadId = await viewer.threadId()
    await mill.ended(threadId)
    await viewer.page.goto(`${mill.url}/t/${threadId}?pane=files`)
    await viewer.page.locator('.shelf-item').first().waitFor({ state: 'attached' })
    return { ...viewer, viewer, mill, threadId }
  }

  it('are on a shelf, and the newest is shown, on light paper in both themes', async () => {
    const { page, evaluate, troubles } = await open(undefined, { colorScheme: 'dark' })
    expect(await page.locator('.shelf-item b').allTextContents()).toEqual([
      'levels.csv',
      'levels.svg',
      'notes.md',
      'report.html',
      'example.org/docs/sluice-gates',
      'example.org/levels/of/rivers',
    ])
    expect(await page.locator('.shelf-item[aria-current]').textContent()).toContain('report.html')
    expect(await page.locator('.inert-strip').textContent()).toBe('Inert: scripts, network, forms and links are off.')
    const frame = page.frameLocator('.paper-page')
    await frame.getByRole('heading', { name: 'The gate opens at exactly 90 cm' }).waitFor()
    // Its own styles apply, and its paper is light.
    expect(await styleIn(page, 'th', 'color')).toBe('rgb(95, 104, 113)')
    const paper = await evaluate<string[]>(`[
      getComputedStyle(document.querySelector('.paper-page')).backgroundColor,
      getComputedStyle(document.querySelector('.paper-page')).colorScheme,
    ]`)
    expect(paper).toEqual(['rgb(255, 255, 255)', 'light only'])
    expect(await page.locator('.paper-page').getAttribute('sandbox')).toBe('')
    expect(await page.locator('.pane-foot').textContent()).toContain('Written by Write in step')
    expect(troubles).toEqual([])
  })

  it('are shown as what they are: a table, a picture, prose, a source, a visited page', async () => {
    const { page, viewer, evaluate, troubles } = await open()
    const choose = (name: string) => page.locator('.shelf-item', { hasText: name }).click()
    await choose('levels.csv')
    expect(await page.locator('.paper-table th').allTextContents()).toEqual(['time', 'level', 'gate'])
    expect(await page.locator('.paper-table td').nth(2).textContent()).toBe('closed, by hand')
    expect(await page.locator('.paper-table').textContent()).toContain('1,240 more rows')
    await choose('levels.svg')
    await until('the picture is drawn', () =>
      evaluate<boolean>("document.querySelector('.paper-image')?.naturalWidth > 0"),
    )
    await choose('notes.md')
    expect(await page.locator('.paper-markdown strong').textContent()).toBe('90 cm')
    await page.getByRole('button', { name: 'Source' }).click()
    expect(await page.locator('.file-source').textContent()).toContain('**90 cm**')
    await choose('docs/sluice-gates')
    expect(await page.locator('.inert-strip').textContent()).toContain('characters')
    expect(await page.getByRole('link', { name: 'Open the page' }).getAttribute('rel')).toBe('noreferrer noopener')
    await choose('report.html')
    await until('the address names the file', async () => /pane=files.*file=/.test(page.url()))
    const linked = () => evaluate<string>("document.querySelector('.chat [data-linked=selected]')?.textContent ?? ''")
    await until('its call is marked in the chat', async () => /report\.html/.test(await linked()))
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download report.html' }).click()
    expect((await saving).suggestedFilename()).toBe('report.html')
    expect(await overflows(viewer)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('are inert: a page that tries everything reaches nothing', async () => {
    const trap = await startTrap()
    try {
      const { page, mill, threadId, evaluate } = await open(trap.url)
      const frame = page.frameLocator('.paper-page')
      await page.locator('.shelf-item', { hasText: 'hostile.html' }).click()
      await frame.getByRole('heading', { name: 'Harmless' }).waitFor()
      await until('its styles apply', async () => (await styleIn(page, 'body', 'color')) === 'rgb(1, 2, 3)')
      await page.waitForTimeout(500)
      for (const control of ['#send', '#blank', '#top', '#down', '#self']) {
        await frame.locator(control).click({ noWaitAfter: true, timeout: 5_000 })
        await page.waitForTimeout(300)
      }
      expect(trap.asked).toEqual([])
      expect(page.url()).toContain(`${mill.url}/t/${threadId}`)
      expect(await evaluate<string>('document.title')).toContain('Millrace')
      expect(page.context().pages()).toHaveLength(1)
      expect(
        await evaluate<string>(
          "JSON.stringify(Object.keys(localStorage).filter((key) => !key.startsWith('millrace')))",
        ),
      ).toBe('[]')
    } finally {
      await trap.close()
    }
  })

  it('fit each width, break no rule of axe, and are chosen by the keyboard', async () => {
    const { page, viewer, troubles } = await open()
    for (const [width, height, colorScheme] of [
      [1440, 900, 'light'],
      [1024, 768, 'dark'],
      [390, 844, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.frameLocator('.paper-page').getByRole('heading').waitFor()
      expect(await overflows(viewer), `at ${width}`).toEqual([])
      expect(await brokenRules(page), `at ${width}`).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('.shelf-item', { hasText: 'notes.md' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.paper-markdown').waitFor()
    await page.getByRole('button', { name: 'Source' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.file-source').waitFor()
    expect(troubles).toEqual([])
  })
})
