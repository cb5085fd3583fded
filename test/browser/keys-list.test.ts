import { demo } from '@millrace/server/run/demo'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { feed } from './feed.ts'
import { focusText } from './keyboard.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const FAST = 40

describeInBrowser('the list of keys and the palette', () => {
  const session = useSession(builtWebApp)

  async function open(mill: Mill, path = '/') {
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    if (path !== '/') await viewer.page.goto(`${mill.url}${path}`)
    return viewer
  }

  it('lists the keys of the table; turned off they do nothing, in this browser, until they are turned on', async () => {
    const mill = await session.startMill([demo({ speed: FAST })])
    const { page } = await open(mill)
    await page
      .locator('.start')
      .first()
      .click({ position: { x: 2, y: 2 } })
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keys' })
    await list.waitFor()
    for (const words of ['Next piece', 'Stop the run', 'Critical path', 'Deny and say why'])
      expect(await list.getByText(words, { exact: true }).count(), words).toBe(1)
    await list.getByRole('radio', { name: 'None' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Keys' }).focus()
    for (const key of ['/', '?', 'Control+k']) await page.keyboard.press(key)
    expect([await page.getByRole('dialog').count(), await focusText(page)]).toEqual([0, 'Keys'])
    await page.keyboard.press('Enter')
    await list.getByRole('radio', { name: 'All' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    expect(await focusText(page)).toBe('Search threads')
  })

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [2560, 'dark'],
  ] as const)('breaks no rule of accessibility at %i in the %s', async (width, colorScheme) => {
    const mill = await session.startMill([demo({ speed: FAST })])
    const threadId = await feed(mill, 'flaky-test', { title: 'Flaky test' })
    const { page, evaluate } = await open(mill, `/t/${threadId}`)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.locator('.mr-turn').first().waitFor()
    await page.locator('.mr-thread-scroll').focus()
    for (const [key, dialog] of [
      ['Control+k', 'Commands and threads'],
      ['?', 'Keys'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name: dialog }).waitFor()
      expect(await brokenRules(page), dialog).toEqual([])
      expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })
})
