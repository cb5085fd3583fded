import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { text, thought, tool } from './segments.ts'
import { openStage } from './stage.ts'

const played = openStage()

const live = (...segments: readonly Segment[]): ChatEvent[] => [eventOf(segments, { state: 'live' })]
const recent = (took: number) => thought(1, 'It is a timer.', took)

describeInBrowser('in a browser', () => {
  it('draws text as written if its block or its piece cannot be drawn, and everything else as usual', () =>
    played(async (performance) => {
      await performance.page.evaluate(() => {
        const { charCodeAt } = String.prototype
        String.prototype.charCodeAt = function (this: string, index) {
          if (this.startsWith('A block that')) throw new RangeError('planted')
          return charCodeAt.call(this, index)
        }
      })
      const broken = tool(2, 42 as unknown as string, { title: 'Broken' })
      await performance.show([
        eventOf([text(1, '**Bold**.\n\nA block that *fails*.\n\nMore.'), broken, text(3, '**After**')]),
      ])
      const { page } = performance
      expect(await page.locator('strong').allTextContents()).toEqual(['Bold', 'After'])
      expect(await page.locator('.mr-plain .mr-output').allTextContents()).toEqual([
        'A block that *fails*.',
        expect.stringContaining('"name": 42'),
      ])
      await performance.show([eventOf([text(1, '**Bold**.\n\nA block that *fails*.\n\nMore.'), text(2, 'Mended')])])
      expect(await page.locator('.mr-plain').count()).toBe(1)
      expect(await page.getByText('Mended').count()).toBe(1)
      const unreadable = eventOf([{ ...text(3, ''), text: 42 as unknown as string }], { id: 'run/m2' })
      await performance.show([unreadable, eventOf([text(4, 'Below')])])
      expect(await page.locator('.mr-plain .mr-output').textContent()).toContain('"text": 42')
      expect(await page.getByText('Below').count()).toBe(1)
    }))

  it('draws the deepest formatted nesting without a stack overflow', () =>
    played(async (performance) => {
      const deep = [`${'*_'.repeat(749)}a${'_*'.repeat(749)}`, `${'> '.repeat(32)}b`, `${'>'.repeat(3_000)} c`]
      await performance.show([eventOf([text(1, deep.join('\n\n'))])])
      expect(await performance.page.locator('.mr-plain').count()).toBe(1)
      expect(await performance.page.locator('blockquote').count()).toBe(32)
      expect(await performance.page.locator('em').count()).toBeGreaterThan(900)
    }))

  it('makes one announcement per finished block, and none for what was there before', () =>
    played(async (performance) => {
      const announced = performance.page.locator('[role=status]')
      await performance.show(live(recent(5000), tool(2, 'Bash', { state: 'running' })))
      await performance.show(live(recent(5000), tool(2, 'Bash')))
      expect(await announced.textContent()).toBe('Bash finished')
      await performance.show(live(recent(5000), tool(2, 'Bash'), text(3, 'Do', 'live')))
      expect(await announced.textContent()).toBe('Bash finished')
    }))

  it('announces nothing of a loaded thread, only what comes after', () =>
    played(async (performance) => {
      const announced = performance.page.locator('[role=status]')
      await performance.show([], { isLoaded: false })
      await performance.show(live(recent(5000), tool(2, 'Bash', { state: 'running' })), { isLoaded: true })
      expect(await announced.textContent()).toBe('')
      await performance.show(live(), { isLoaded: true })
      await performance.show(live(recent(5000), tool(2, 'Bash')), { isLoaded: true })
      expect(await announced.textContent()).toBe('Bash finished')
    }))

  it('keeps the focus at a question once it is answered', () =>
    played(async (performance) => {
      const { page } = performance
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      const asking = (seq: number) =>
        tool(seq, 'Bash', {
          state: 'approval',
          input: { command: `ls ${seq}` },
          approval: { approvalId: `a${seq}`, state: 'requested' },
        })
      const answered = (seq: number, fields = {}) =>
        tool(seq, 'Bash', {
          input: { command: `ls ${seq}` },
          approval: { approvalId: `a${seq}`, state: 'approved' },
          ...fields,
        })
      await performance.show(live(asking(1), asking(2), asking(3)))
      await page.getByRole('button', { name: 'Approve' }).first().click()
      await performance.page.clock.runFor(100)
      expect(await focused()).toContain('ls 1')
      await performance.show(live(answered(1, { state: 'running' }), asking(2), asking(3)))
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('mr-head')
      expect(await focused()).toContain('ls 1')
      await page.locator('.mr-asking').first().focus()
      await page.keyboard.press('a')
      await performance.show(live(answered(1), answered(2), asking(3)))
      expect(await focused()).toContain('ls 2')
      await page.locator('.mr-asking').focus()
      await performance.show(live(answered(1), answered(2), answered(3)))
      expect(await focused()).toContain('3 tools')
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await performance.show(live(text(9, 'Else')))
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    }))
})
