import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { status, text, thought, tool } from './segments.ts'
import { blockCases, cardCases } from './sheet/others.ts'
import { toolCases } from './sheet/tools.ts'
import { NOON, openStage, type Performance } from './stage.ts'

const played = openStage()

const live = (...segments: readonly Segment[]): ChatEvent[] => [eventOf(segments, { state: 'live' })]

/** Every case of the sheets as a chat event of its own, and the same with something newer below it. */
const everyCase = [...toolCases, ...blockCases, ...cardCases].map(({ name, segments }) => ({
  name,
  alone: [eventOf(segments, { state: 'live', id: name })],
  followed: [eventOf([...segments, text(99, 'Newer.', 'live')], { state: 'live', id: name })],
}))

const labelOf = ({ page }: Performance) => page.locator('.mr-icon-button').getAttribute('aria-label')

describeInBrowser('every card', () => {
  it('opens, closes and opens, stays as it was left when something follows, and is not drawn anew', () =>
    played(async ({ page }) => {
      const faults = await page.evaluate(async (json) => {
        const found: string[] = []
        const triggers = () => [...document.querySelectorAll<HTMLElement>('[aria-expanded]')]
        const isOpen = (trigger: HTMLElement | undefined) => trigger?.getAttribute('aria-expanded') === 'true'
        for (const { name, alone, followed } of JSON.parse(json)) {
          globalThis.stage.show(alone)
          await globalThis.stage.drawn()
          for (const index of triggers().keys()) {
            const trigger = triggers()[index]
            if (trigger === undefined) continue
            const card = trigger.closest('.mr-card')
            const wasOpen = isOpen(trigger)
            for (const press of [1, 2, 3]) {
              trigger.click()
              await globalThis.stage.drawn()
              if (isOpen(trigger) === (wasOpen === (press % 2 === 1))) found.push(`${name}: press ${press}`)
              if (isOpen(trigger) !== card?.classList.contains('mr-open')) found.push(`${name}: look ${press}`)
            }
            globalThis.stage.show(followed)
            await globalThis.stage.drawn()
            if (!trigger.isConnected) found.push(`${name}: drawn anew`)
            if (isOpen(trigger) === wasOpen) found.push(`${name}: not as it was left`)
            globalThis.stage.show(alone)
            await globalThis.stage.drawn()
            if (!trigger.isConnected || isOpen(trigger) === wasOpen) found.push(`${name}: not as it was left later`)
          }
        }
        return found
      }, JSON.stringify(everyCase))
      expect(faults).toEqual([])
    }))

  it('leaves no timer and no listener behind, however often it comes and goes', () =>
    played(async ({ page }) => {
      const left = await page.evaluate(
        async (json) => {
          const open = { timers: new Set<unknown>(), listeners: 0 }
          for (const [set, clear] of [
            ['setInterval', 'clearInterval'],
            ['setTimeout', 'clearTimeout'],
          ] as const) {
            const [doSet, doClear] = [globalThis[set], globalThis[clear]]
            Object.assign(globalThis, {
              [set]: (work: () => void, ms: number) => {
                const id = doSet(() => {
                  if (set === 'setTimeout') open.timers.delete(id)
                  work()
                }, ms)
                if (ms > 0) open.timers.add(id)
                return id
              },
              [clear]: (id: never) => {
                open.timers.delete(id)
                doClear(id)
              },
            })
          }
          const { addEventListener, removeEventListener } = EventTarget.prototype
          EventTarget.prototype.addEventListener = function (...args: Parameters<typeof addEventListener>) {
            // React listens to each image itself, and the listeners go with the image.
            if (!(this instanceof HTMLImageElement)) open.listeners++
            return addEventListener.apply(this, args)
          }
          EventTarget.prototype.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
            open.listeners--
            return removeEventListener.apply(this, args)
          }
          const counts: (readonly [timers: number, listeners: number])[] = []
          for (let round = 0; round < 3; round++) {
            for (const isOver of [false, true]) {
              globalThis.stage.show(JSON.parse(json), { isOver })
              await globalThis.stage.drawn()
              if (!isOver && open.timers.size === 0) counts.push([-1, -1])
            }
            globalThis.stage.show([], { isMounted: false })
            await globalThis.stage.drawn()
            counts.push([open.timers.size, open.listeners])
          }
          return counts
        },
        JSON.stringify(everyCase.flatMap(({ alone }) => alone)),
      )
      expect(left).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ])
    }))

  it('lingers for 500 ms each time it ends, and counts its seconds each time it runs', () =>
    played(async (performance) => {
      const { page } = performance
      const running = (isRunning: boolean) => ({
        ...thought(1, 'Hm.', isRunning ? undefined : 1000),
        startedAt: NOON - 2000,
      })
      const isOpen = () => page.locator('[aria-expanded=true]').count()
      for (let round = 0; round < 3; round++) {
        await performance.show(live(running(true)))
        await page.clock.runFor(1000)
        expect(await page.locator('.mr-time').textContent()).toBe(`${3 + round * 2}s`)
        await performance.show(live(running(false)))
        await page.clock.runFor(499)
        expect(await isOpen()).toBe(1)
        await page.clock.runFor(501)
        expect(await isOpen()).toBe(0)
      }
    }))

  it('counts no further once its run is over', () =>
    played(async (performance) => {
      const { page } = performance
      const segment = { ...tool(1, 'Bash', { state: 'running' }), startedAt: NOON - 5000 }
      await performance.show(live(segment))
      expect(await page.locator('.mr-time').allTextContents()).toEqual(['5s'])
      await performance.show(live(segment), { isOver: true })
      expect((await page.locator('.mr-time').allTextContents()).join('')).toBe('')
    }))
})

describeInBrowser('a long output', () => {
  it('is whole once it is asked for, stays so while it grows, and leaves its neighbour as it is', () =>
    played(async (performance) => {
      const { page } = performance
      const printed = (count: number) =>
        Array.from({ length: count }, (_, row) => `${row} ${'x'.repeat(row === 0 ? 5000 : 1)}`).join('\n')
      const running = (count: number) =>
        live(
          tool(1, 'Bash', {
            state: 'running',
            progress: [
              { channel: 'stdout', text: printed(count) },
              { channel: 'stderr', text: printed(40) },
            ],
          }),
        )
      const sizes = () => page.$$eval('.mr-output', (nodes) => nodes.map((node) => node.textContent?.length))
      await performance.show(running(30))
      expect(await page.locator('.mr-more').allTextContents()).toEqual(['Show 18 more lines', 'Show 28 more lines'])
      await page.locator('.mr-more').first().click()
      const short = printed(40).split('\n').slice(-12).join('\n').length
      for (const count of [30, 31]) {
        await performance.show(running(count))
        expect(await sizes()).toEqual([printed(count).length, short])
      }
      expect(await page.locator('.mr-more').allTextContents()).toEqual(['Show 28 more lines'])
    }))
})

describeInBrowser('the copy button', () => {
  it('copies what is shown each time, says so for 1.5 s after the last time, and says if the browser refuses', () =>
    played(async (performance) => {
      const { page } = performance
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await page.evaluate(() => {
        const copied: string[] = []
        let count = 0
        const writeText = (words: string) => {
          copied.push(words)
          count++
          return count === 3 ? Promise.reject(new Error('refused')) : Promise.resolve()
        }
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
        Object.assign(globalThis, { copied })
      })
      const press = () => page.locator('.mr-icon-button').click()
      await performance.show(live(text(1, '```ts\nlet a\n```')))
      expect(await labelOf(performance)).toBe('Copy code')
      await press()
      await expect.poll(() => labelOf(performance)).toBe('Copied')
      await page.clock.runFor(1400)
      await press()
      await page.clock.runFor(200)
      expect(await labelOf(performance)).toBe('Copied')
      await page.clock.runFor(1400)
      expect(await labelOf(performance)).toBe('Copy code')
      await press()
      await expect.poll(() => labelOf(performance)).toBe('Copying failed')
      await page.clock.runFor(1600)
      expect(await labelOf(performance)).toBe('Copy code')
      await performance.show(live(text(1, '```ts\nlet a\nlet b\n```')))
      await press()
      await expect.poll(() => labelOf(performance)).toBe('Copied')
      expect(await page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied)).toEqual([
        'let a',
        'let a',
        'let a',
        'let a\nlet b',
      ])
      await page.clock.runFor(1600)
      await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
      await press()
      await expect.poll(() => labelOf(performance)).toBe('Copying failed')
      expect(errors).toEqual([])
    }))
})

describeInBrowser('a text that grows', () => {
  it('keeps the focus, the selection and the scroll position of what is above it', () =>
    played(async (performance) => {
      const { page } = performance
      const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`).join('\n')
      const grown = (words: string) =>
        live(status(1, ['a'], 900), text(2, `Select this.\n\n\`\`\`\n${rows}\n\`\`\`\n\n${words}`, 'live'))
      await performance.show(grown('It'))
      await page.evaluate(() => {
        const scroller = document.querySelector<HTMLElement>('pre')
        if (scroller === null) throw new Error('no listing')
        Object.assign(scroller.style, { maxHeight: '100px', overflow: 'auto' })
        scroller.focus()
        scroller.scrollTop = 40
        document.getSelection()?.selectAllChildren(document.querySelector('.mr-md p') as Node)
      })
      for (const words of ['It grows', 'It grows **and', 'It grows **and** ends.']) await performance.show(grown(words))
      const kept = await page.evaluate(() => [
        document.activeElement?.tagName,
        document.querySelector('pre')?.scrollTop,
        String(document.getSelection()),
      ])
      expect(kept).toEqual(['PRE', 40, 'Select this.'])
    }))
})
