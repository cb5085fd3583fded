import { demo } from '@millrace/server/run/demo'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const FAST = 40

/** The browser's notifications, which a browser without a screen does not show; and a page that can be hidden. */
const STAND_IN = `
  globalThis.shown = []
  globalThis.Notification = class extends EventTarget {
    static permission = 'default'
    static async requestPermission() { return (Notification.permission = 'granted') }
    constructor(title, { body, tag }) { super(); shown.push({ title, body, tag }); globalThis.last = this }
    close() {}
  }
  globalThis.isHidden = false
  Object.defineProperty(document, 'hidden', { get: () => isHidden })
  globalThis.heard = []
  new MutationObserver(() => {
    for (const region of document.querySelectorAll('.mr-thread [role=status]'))
      if (region.textContent !== '' && heard.at(-1) !== region.textContent) heard.push(region.textContent)
  }).observe(document, { childList: true, subtree: true, characterData: true })`

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`)

describeInBrowser('what a person is told who looks elsewhere', () => {
  const session = useSession(builtWebApp)

  async function open(agent = demo({ speed: FAST })) {
    const mill = await session.startMill([agent])
    const context = await session.openContext()
    await context.addInitScript(STAND_IN)
    const viewer = await openViewer(context, mill.entrance)
    const shown = () => viewer.evaluate<readonly { title: string; body: string; tag: string }[]>('shown')
    return { mill, shown, ...viewer }
  }

  it('is said by the title, and by the browser once it was allowed: a question and an end, only while the page is hidden', async () => {
    const wheel = stepped('Wheel', async function* (_request, host) {
      yield lines.text('The wheel stands.')
      yield lines.text(' It could turn.')
      await host.ask({ message: 'May it turn?' })
      yield lines.text(' It turns.')
      yield lines.done
    })
    wheel.playTo(1)
    const { mill, page, shown, approve, threadId, evaluate, say } = await open(wheel.agent)
    const bell = page.getByRole('button', { name: 'Notify when a run is done or asks' })
    expect(await bell.getAttribute('aria-pressed')).toBe('false')
    await bell.click()
    await until('it is on', async () => (await bell.getAttribute('aria-pressed')) === 'true')
    await page.locator('.agent input:checked').waitFor()
    await say('Turn the wheel')
    const id = await threadId()
    await page.getByText('The wheel stands.').waitFor()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('grid').waitFor()
    await page.locator('.run-row').getByText('Turn the wheel').waitFor()
    await hide(page, true)
    wheel.playTo(9)
    await until('the title says it', async () => (await page.title()) === 'Needs you · Millrace')
    expect(await shown()).toEqual([{ title: 'Turn the wheel', body: 'Needs you', tag: id }])
    await hide(page, false)
    await until('it was seen', async () => (await page.title()) === 'Millrace')

    await evaluate("last.dispatchEvent(new Event('click'))")
    await approve.waitFor()
    expect(await page.title()).toMatch(/^Needs you · .*wheel.* · Millrace$/)
    await hide(page, true)
    await approve.click()
    await mill.ended(id)
    await until('the title says it', async () => /^Finished · /.test(await page.title()))
    expect((await shown()).map(({ body }) => body)).toEqual(['Needs you', 'Finished'])
    await hide(page, false)
    expect(await brokenRules(page)).toEqual([])
  })

  it('is nothing while the page is looked at, nor before it was asked for', async () => {
    const { mill, page, shown, approve, threadId } = await open()
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    await hide(page, true)
    await approve.waitFor()
    expect(await shown()).toEqual([])
    await page.getByRole('button', { name: 'Notify when a run is done or asks' }).click()
    await hide(page, false)
    await approve.click()
    await mill.ended(await threadId())
    await until('the page says so', async () => (await page.locator('.badge-done').count()) === 1)
    expect([await shown(), await page.title()]).toEqual([[], expect.stringMatching(/^(?!Finished)/)])
  })

  it('announces what is new, each once, and nothing of a stored thread that is opened', async () => {
    const { mill, page, approve, threadId, evaluate } = await open()
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    await approve.waitFor()
    const heard = () => evaluate<readonly string[]>('heard')
    expect((await heard()).join(' ')).toMatch(/Approval needed/)
    await approve.click()
    await mill.ended(await threadId())
    await until('its end was announced', async () => /Answer written/.test((await heard()).at(-1) ?? ''))
    const all = (await heard()).join(' ')
    expect(all.match(/Approval needed/g)).toHaveLength(1)
    await page.reload()
    await page.locator('.mr-turn').first().waitFor()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.goBack()
    await page.locator('.mr-turn').first().waitFor()
    await page.waitForTimeout(500)
    expect(await heard()).toEqual([])
  })
})
