import { demo } from '@millrace/server/run/demo'
import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** `MILLRACE_RELOADS=20 npx vitest run test/browser/reloads.test.ts` tries more moments. */
const ROUNDS = Number(process.env.MILLRACE_RELOADS ?? 4)
/** The demo takes about so long at the speed of this test, until it asks. */
const SPEED = 5
const UNTIL_IT_ASKS = 5_000
const LONGEST_MS = 90_000

interface Place {
  readonly viewer: Viewer
  readonly context: BrowserContext
}

/** What happens to a page while a run goes on. Each leaves it where it was. */
const events: { readonly [name: string]: (place: Place) => Promise<unknown> } = {
  reload: ({ viewer }) => viewer.page.reload(),
  'offline and back': async ({ viewer, context }) => {
    await context.setOffline(true)
    await viewer.page.waitForTimeout(700)
    await context.setOffline(false)
    await viewer.evaluate("dispatchEvent(new Event('online'))")
  },
  // A page that is frozen runs nothing, and finds its timers late.
  sleep: async ({ viewer, context }) => {
    const session = await context.newCDPSession(viewer.page)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await viewer.page.waitForTimeout(900)
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await session.detach()
  },
  'back and forward': async ({ viewer }) => {
    await viewer.page.goto('about:blank')
    await viewer.page.waitForTimeout(400)
    await viewer.page.goBack()
  },
}

/** Always the same moments, spread over the run. */
const momentOf = (round: number) => Math.round(UNTIL_IT_ASKS * (((round * 7919) % 97) / 97))

describeInBrowser('a page that is reloaded, cut, frozen or left', () => {
  const session = useSession(builtWebApp)

  async function play(mill: Mill, round: number): Promise<string> {
    const names = Object.keys(events)
    const name = names[round % names.length] ?? ''
    const context = await session.openContext()
    const viewer = await openViewer(context, mill.entrance)
    const { page } = viewer
    await page.getByRole('button', { name: 'Start the demo run' }).click()
    const threadId = await viewer.threadId()
    await page.waitForTimeout(momentOf(round))
    await events[name]?.({ viewer, context })
    await viewer.approve.click({ timeout: LONGEST_MS })
    const { seq } = await mill.ended(threadId)
    await viewer.reaches(seq)
    const stored = await openViewer(await session.openContext(), mill.entrance)
    await stored.page.goto(page.url())
    await stored.reaches(seq)
    await stored.page.locator('.mr-turn-foot, .mr-foot').first().waitFor()
    await until(`${name} after ${momentOf(round)} ms ends with what is stored`, async () => {
      const [live, late] = [await viewer.html(), await stored.html()]
      return live !== '' && live === late
    })
    for (const each of [context, stored.page.context()]) await each.close()
    return `${name} after ${momentOf(round)} ms`
  }

  it(
    `ends with the stored picture, after ${ROUNDS} rounds`,
    async () => {
      const mill = await session.startMill([demo({ speed: SPEED })])
      const played: string[] = []
      for (let round = 0; round < ROUNDS; round++) played.push(await play(mill, round))
      expect(new Set(played.map((each) => each.replace(/ after.*/, ''))).size).toBe(Math.min(ROUNDS, 4))
      if (ROUNDS > 4) console.info(played.join('\n'))
    },
    LONGEST_MS * ROUNDS,
  )
})
