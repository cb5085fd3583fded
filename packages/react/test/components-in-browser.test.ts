import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { text, tool } from './segments.ts'
import { openStage } from './stage.ts'

const act = openStage()
const message = (id: string, ...segments: Parameters<typeof eventOf>[0]) => eventOf(segments, { id })

describeInBrowser('components of the host', () => {
  it('that throw are replaced by our views, and no other message is lost', () =>
    act(async ({ page, show }) => {
      const events = [
        message('a', text(1, 'Before.')),
        message('b', tool(2, 'broken', { input: { path: 'x.ts' } }), text(3, 'throw')),
        message('c', text(4, 'After.')),
      ]
      await show(events, { hasComponents: true })
      await page.waitForSelector('.mr-tool-done')
      expect(await page.$$eval('.noted', (nodes) => nodes.map((node) => node.textContent))).toEqual([
        'Before.',
        'After.',
      ])
      expect(await page.$$eval('.mr-prose', (nodes) => nodes.map((node) => node.textContent))).toEqual([
        ...['Before.', 'throw', 'After.'],
      ])
      expect(await page.locator('.mr-plain').count()).toBe(0)
    }))

  it('are drawn again only for what changes, also if their table is written anew each time', () =>
    act(async ({ page, show }) => {
      const [first, second] = [message('a', text(1, 'One.')), message('b', text(2, 'Two'))]
      await show([first, second], { hasComponents: true })
      await page.waitForSelector('.noted')
      // The test passes events as JSON; the same object in the page is what a store hands over.
      await page.evaluate(() => {
        globalThis.stage.drawnTexts.length = 0
        globalThis.stage.grow('b', 'Two.')
      })
      await page.waitForFunction(() => document.body.textContent?.includes('Two.'))
      const drawnTexts = await page.evaluate(() => globalThis.stage.drawnTexts)
      expect(drawnTexts).toContain('Two.')
      expect(drawnTexts).not.toContain('One.')
    }))
})
