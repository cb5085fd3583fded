import { createFold } from '@millrace/core/fold'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { sample } from '@millrace/testkit/seeded'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { absence } from '../../../proofs/open-browser.ts'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { text, tool } from './segments.ts'
import { OPENING_MS, openTheatre, type Performance, type Theatre } from './stage.ts'

let theatre: Theatre
beforeAll(async () => {
  if (absence === undefined) theatre = await openTheatre()
}, OPENING_MS)

/** How many recordings of a format are played, chosen by the seed: `live-is-stored` draws all, without a browser. */
const PLAYED = 1
const SEED = 4

/** How many snapshots of a run are shown one after another. */
const STEPS = 8

/** What a viewer saw while the run was live, ending with all of it. */
function snapshotsOf(entries: ReturnType<typeof entriesOf>): readonly (readonly ChatEvent[])[] {
  const size = Math.max(1, Math.ceil(entries.length / STEPS))
  const live = createFold()
  const seen: (readonly ChatEvent[])[] = []
  for (let from = 0; from < entries.length; from += size) {
    live.push(entries.slice(from, from + size))
    seen.push(live.snapshot().chatEvents)
  }
  return seen
}

describeInBrowser('in a browser', () => {
  let watched: Performance
  let opened: Performance
  beforeAll(async () => {
    ;[watched, opened] = [await theatre.open(), await theatre.open()]
  })
  afterAll(() => Promise.all([watched.page.close(), opened.page.close()]))

  for (const [name, parser] of Object.entries(parsers)) {
    it(`law 4: a run of ${name} that was watched looks like one that is opened later, once timers have settled`, async () => {
      for (const recording of sample(fixturesOf(name), PLAYED, SEED)) {
        const snapshots = snapshotsOf(entriesOf(eventsOf(parser, recording.records)))
        for (const part of [snapshots.slice(0, STEPS / 2), snapshots.slice(STEPS / 2)]) {
          for (const snapshot of part) await watched.show(snapshot)
          const last = part.at(-1)
          if (last === undefined) continue
          await opened.show([])
          await opened.show(last)
          for (const { page } of [watched, opened]) await page.clock.runFor(2000)
          expect(await watched.html(), recording.name).toBe(await opened.html())
        }
        await watched.show([])
      }
    })
  }

  it('freezes finished blocks: while a text grows, only its tail changes', async () => {
    const performance = await theatre.open()
    const whole = 'First **block**.\n\n- a\n- b\n\n```ts\nconst a = 1\n```\n\nThe tail grows'
    const show = (length: number) =>
      performance.show([eventOf([text(1, whole.slice(0, length), 'live')], { state: 'live' })])
    await show(whole.length - 10)
    await performance.page.evaluate(() => {
      const changes: string[] = []
      Object.assign(globalThis, { changes })
      new MutationObserver((records) => {
        for (const { target } of records) changes.push(target.textContent ?? '')
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    for (let length = whole.length - 9; length <= whole.length; length++) await show(length)
    const changes = await performance.page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)
    expect(changes.length).toBeGreaterThan(0)
    expect(changes.filter((change) => !change.startsWith('The t'))).toEqual([])
    await performance.page.close()
  })

  it('mounts five thousand segments, each closed card without content', async () => {
    const performance = await theatre.open()
    const segments = Array.from({ length: 2500 }, (_, index) => [
      tool(index * 2 + 1, 'acme', { output: 'x\n'.repeat(50), input: { number: index } }),
      text(index * 2 + 2, `Step ${index}.`),
    ]).flat()
    await performance.show([eventOf(segments)])
    const counts = await performance.page.evaluate(() => [
      document.querySelectorAll('.mr-tool').length,
      document.querySelectorAll('.mr-output').length,
    ])
    expect(counts).toEqual([2500, 0])
    await performance.page.close()
  })

  it('animates nothing with reduced motion, and draws borders around filled blocks with forced colours', async () => {
    const performance = await theatre.open()
    await performance.page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
    await performance.show([
      eventOf([tool(1, 'Bash', { state: 'running' })], { state: 'live' }),
      eventOf([text(2, 'a')], { id: 'u', role: 'user' }),
    ])
    expect(await performance.page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await performance.page.$eval('.mr-user-box', (node) => getComputedStyle(node).borderTopWidth)).toBe('1px')
    await performance.page.close()
  })
})
