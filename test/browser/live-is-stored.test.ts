import { setTimeout } from 'node:timers/promises'
import type { StoredRun } from '@millrace/server/log/log'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { lines, type Script, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** Everything that a view draws, with one question after the last call. */
const errand: Script = async function* (_request, host) {
  yield lines.status('Opening the mill')
  yield lines.status('Reading the survey')
  yield lines.thinking('The wheel is old.')
  yield lines.thinking('The water is strong.')
  yield lines.status('Measuring the fall')
  yield lines.text('The wheel turns **slow')
  yield lines.text('ly**.\n\n```ts\nconst flow = 0.42\n```\n\n')
  yield lines.plan('in_progress', 'pending')
  yield lines.call('gauge', 'read_gauge')
  yield lines.result('gauge', 'Mean flow 0.42')
  yield lines.helper('Find three boards')
  yield lines.helped('Ashford has them')
  yield lines.text('<think>Iron is dear.</think>One board is left.')
  yield lines.plan('completed', 'in_progress')
  yield lines.call('plan', 'write_file')
  await host.ask({ callId: 'plan', message: 'May I write?' })
  yield lines.result('plan', 'Wrote 3 lines')
  yield lines.text('It is written.')
  yield lines.status('Closing the mill')
  yield lines.done
}
const CALL_BEFORE_QUESTION = 15
const LAST_BLOCK = 18

/** Blocks stay open for half a second before they close. */
const SETTLING_MS = 700

/** Waits for the late timers of a busy machine; then both must look the same. */
async function expectSame(one: Viewer, other: Viewer, where: string): Promise<void> {
  for (let round = 0; round < 40 && (await one.html()) !== (await other.html()); round++) await setTimeout(50)
  const html = await one.html()
  expect(html, where).toContain('mr-turn')
  expect(html, where).toBe(await other.html())
}

/** The labels of the triggers, and whether they are open. */
const triggers = ({ evaluate }: Viewer) =>
  evaluate<[label: string, isOpen: boolean][]>(
    `[...document.querySelectorAll('.mr-processing > .mr-head, .mr-thinking > .mr-head')].map((head) =>
      [head.querySelector('.mr-label').textContent, head.getAttribute('aria-expanded') === 'true'])`,
  )

const countOf = ({ page }: Viewer, selector: string) => page.locator(selector).count()

describeInBrowser('a thread in the browser', () => {
  const session = useSession(builtWebApp)

  /** Two browsers that share only a stopped clock: durations then depend on the log alone. */
  async function openTwo(mill: Mill): Promise<readonly [Viewer, Viewer]> {
    const noon = Date.now() + 3_600_000
    const viewers: Viewer[] = []
    for (let count = 0; count < 2; count++) {
      const context = await session.openContext()
      await context.clock.setFixedTime(noon)
      viewers.push(await openViewer(context, mill.entrance))
    }
    return viewers as unknown as readonly [Viewer, Viewer]
  }

  it('law 4, S0-114, S0-117, S3-4, S3-6, S3-53, S3-54, S3-56, S3-57, S4-22: looks the same live, reloaded in mid-stream and from the store', async () => {
    const { agent, playTo } = stepped('errand', errand)
    const mill = await session.startMill([agent])
    const [live, reloaded] = await openTwo(mill)
    await live.say('Can the wheel be repaired?')
    const threadId = await live.threadId()
    const thread = `${mill.url}/t/${threadId}`

    async function compareAt({ seq }: StoredRun): Promise<void> {
      const hasFollowed = reloaded.page.url() === thread
      await live.reaches(seq)
      if (hasFollowed) await reloaded.reaches(seq)
      await setTimeout(SETTLING_MS)
      if (hasFollowed) await expectSame(live, reloaded, `loaded before, then live up to entry ${seq}`)
      await reloaded.page.goto(thread)
      await reloaded.reaches(seq)
      await expectSame(live, reloaded, `loaded at entry ${seq}`)
    }

    for (const line of [4, 9, 13]) {
      playTo(line)
      await compareAt(await mill.heard(threadId, line))
    }
    // The reasoning within tags is a block of its own while it streams, and not a second one when it is stored.
    for (const viewer of [live, reloaded]) expect(await countOf(viewer, '.mr-thinking')).toBe(2)
    playTo(LAST_BLOCK)
    await live.approve.waitFor()
    await compareAt(await mill.heard(threadId, CALL_BEFORE_QUESTION))
    await live.approve.click()
    await compareAt(await mill.heard(threadId, LAST_BLOCK))
    expect((await triggers(live)).at(-1)).toEqual(['Processing…', true])
    playTo(Number.POSITIVE_INFINITY)
    await compareAt(await mill.ended(threadId))
    expect((await mill.ended(threadId)).outcome).toBe('success')
    expect(await countOf(reloaded, '.mr-thinking')).toBe(2)
    const blocks = await triggers(live)
    expect(blocks).toEqual(await triggers(reloaded))
    for (const [label, isOpen] of blocks) {
      expect(label).toMatch(/^(?:Processed(?: in \d+s)?|Thought(?: for \d+s)?)$/)
      expect(isOpen).toBe(false)
    }
    expect([...live.troubles, ...reloaded.troubles]).toEqual([])
  })

  it('S0-62, S0-107, S0-111, S0-112, S0-113, S0-115, S0-116, S0-118, S0-119, S3-7: opens and closes blocks while it streams, and by hand', async () => {
    const { agent, playTo } = stepped('errand', errand)
    const mill = await session.startMill([agent])
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    const { page } = viewer
    await viewer.say('Can the wheel be repaired?')
    const threadId = await viewer.threadId()

    async function expectTriggers(line: number, expected: readonly (readonly [RegExp, boolean])[]): Promise<void> {
      playTo(line)
      await viewer.reaches((await mill.heard(threadId, line)).seq)
      const isAsExpected = (found: readonly [string, boolean][]) =>
        found.length === expected.length &&
        found.every(([label, isOpen], index) => expected[index]?.[0].test(label) && expected[index]?.[1] === isOpen)
      await until(`the triggers are as they should be after line ${line}`, async () =>
        isAsExpected(await triggers(viewer)),
      )
    }

    await expectTriggers(1, [[/^Processing…$/, true]])
    await expectTriggers(3, [
      [/^Processed in \d+s$/, false],
      [/^Thinking…$/, true],
    ])
    await expectTriggers(4, [
      [/^Processed in/, false],
      [/^Thinking…$/, true],
    ])
    expect(await page.locator('.mr-thinking .mr-body').textContent()).toContain('The water is strong.')
    await expectTriggers(5, [
      [/^Processed in/, false],
      [/^Thought for \d+s$/, false],
      [/^Processing…$/, true],
    ])
    const allClosed = [
      [/^Processed in/, false],
      [/^Thought for/, false],
      [/^Processed in/, false],
    ] as const
    await expectTriggers(6, allClosed)
    expect(await page.locator('.mr-prose').last().textContent()).toContain('The wheel turns slow')
    expect(await countOf(viewer, '.mr-prose [aria-expanded]')).toBe(0)
    await expectTriggers(9, allClosed)
    expect(await page.locator('.mr-tool-ready, .mr-tool-running').textContent()).toContain('read_gauge')

    const thought = page.locator('.mr-thinking > button').first()
    await thought.click()
    expect(await page.locator('.mr-thinking .mr-body').first().textContent()).toContain('The wheel is old.')
    await expectTriggers(10, [allClosed[0], [/^Thought for/, true], allClosed[2]])
    await page.reload()
    await viewer.reaches((await mill.heard(threadId, 10)).seq)
    await expectTriggers(10, allClosed)
    expect(viewer.troubles).toEqual([])
  })
})
