import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { at, text, thought, tool } from './segments.ts'
import { openStage } from './stage.ts'

const played = openStage()

const live = (...segments: readonly Segment[]): ChatEvent[] => [eventOf(segments, { state: 'live' })]
const asking = (seq: number, approvalId = `a${seq}`) =>
  tool(seq, 'Bash', {
    state: 'approval',
    input: { command: `ls ${seq}` },
    approval: { approvalId, state: 'requested' },
  })
const running = (seq: number) => tool(seq, 'Bash', { state: 'running' })

describeInBrowser('announcements in a browser', () => {
  it('are one per finished call, also if the words are the same, and none for what is shown again', () =>
    played(async (performance) => {
      const { page } = performance
      await page.evaluate(() => {
        const announced: string[] = []
        Object.assign(globalThis, { announced })
        const region = document.querySelector('[role=status]') as Node
        const watch = { subtree: true, childList: true, characterData: true }
        new MutationObserver(() => void announced.push(region.textContent ?? '')).observe(region, watch)
      })
      const steps: readonly (readonly Segment[])[] = [
        [running(1)],
        [tool(1, 'Bash'), running(2)],
        [tool(1, 'Bash'), tool(2, 'Bash'), running(3)],
        [tool(1, 'Bash'), tool(2, 'Bash'), asking(3, 'first')],
        [tool(1, 'Bash'), tool(2, 'Bash'), running(3)],
        [tool(1, 'Bash'), tool(2, 'Bash'), asking(3, 'second')],
        [tool(1, 'Bash')],
        [tool(1, 'Bash'), tool(2, 'Bash'), asking(3, 'second')],
        [tool(1, 'Bash'), tool(2, 'Bash'), tool(3, 'Bash'), text(4, 'One.')],
        [tool(1, 'Bash'), tool(2, 'Bash'), tool(3, 'Bash'), text(4, 'One.'), text(5, 'Two.')],
      ]
      for (const step of steps) await performance.show(live(...step))
      expect(await page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced)).toEqual([
        'Bash finished',
        'Bash finished',
        'Approval needed: Bash',
        'Approval needed: Bash',
        'Bash finished. Answer written',
        'Answer written',
      ])
    }))
})

describeInBrowser('the focus', () => {
  it('follows each answered question, is never taken from elsewhere, and goes to a piece without a trigger too', () =>
    played(async (performance) => {
      const { page } = performance
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      const answered = (seq: number) => tool(seq, 'Bash', { state: 'running', input: { command: `ls ${seq}` } })
      await performance.show(live(asking(1), asking(2)))
      for (const [round, shown] of [live(answered(1), asking(2)), live(answered(1), answered(2))].entries()) {
        await page.locator('.mr-asking').first().focus()
        await page.keyboard.press('a')
        await performance.show(shown)
        expect(await focused()).toContain(`ls ${round + 1}`)
      }
      await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button id="else">Else</button>'))
      await performance.show(live(asking(3)))
      await page.locator('.mr-asking').focus()
      await page.locator('#else').focus()
      await performance.show(live(answered(3)))
      expect(await focused()).toBe('Else')
      await performance.show(live(asking(5)))
      await page.locator('.mr-asking').focus()
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await performance.show(live(answered(5)))
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
      await performance.show(live(asking(4)))
      await page.locator('.mr-asking').focus()
      await performance.show(live(text(4, 'No trigger here.')))
      expect(await focused()).toBe('No trigger here.')
      expect(await page.locator('.mr-piece[tabindex]').count()).toBe(1)
      await page.locator('#else').focus()
      expect(await page.locator('.mr-piece[tabindex]').count()).toBe(0)
    }))

  it('stays inside the subagent that asked', () =>
    played(async (performance) => {
      const { page } = performance
      const scout = (inner: Segment): Segment => ({
        type: 'subagent',
        agentId: 's',
        name: 'scout',
        state: 'live',
        segments: [thought(2, 'Hm.', 900), inner],
        ...at(1),
        seqs: [1, 9],
      })
      await performance.show(live(scout(asking(3)), asking(10)))
      await page.locator('.mr-asking').first().focus()
      await performance.show(live(scout(running(3)), asking(10)))
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Using Bash…')
    }))

  it('of a focused answer button stays at the question when it is pressed', () =>
    played(async (performance) => {
      await performance.show(live(asking(1), asking(2)))
      await performance.page.getByRole('button', { name: 'One by one' }).click()
      for (const index of [0, 1]) {
        await performance.page.getByRole('button', { name: 'Deny' }).nth(index).press('Enter')
        const at = await performance.page.evaluate(() =>
          [...document.querySelectorAll('.mr-asking')].indexOf(document.activeElement as Element),
        )
        expect(at).toBe(index)
      }
    }))
})
