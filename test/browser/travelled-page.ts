import type { BrowserContextOptions } from 'playwright-core'
import { expect } from 'vitest'
import type { Session } from './session.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { storyAgent } from './work-story.ts'

/** The last command of the story: it runs until the story ends. */
export const LAST_COMMAND = 'npm run watch'

/** The page of the story, up to its last command, with the time dock. */
export async function openTravelled(session: Session, query = 'pane=code', options: BrowserContextOptions = {}) {
  const { agent, end } = storyAgent()
  const mill = await session.startMill([agent])
  const context = await session.openContext({ viewport: { width: 1440, height: 900 }, ...options })
  const viewer = await openViewer(context, mill.entrance)
  await viewer.say('The gate opens too late.')
  const threadId = await viewer.threadId()
  const { page } = viewer
  await page.getByText(LAST_COMMAND).first().waitFor()
  await page.goto(`${mill.url}/t/${threadId}?${query}`)
  await page.locator('.mr-thread .mr-user-box').first().waitFor()
  // A link to a moment opens the dock.
  if (!query.includes('at=')) {
    await page.locator('.mr-thread-scroll').focus()
    await page.keyboard.press('t')
  }
  await page.locator('.scrub-past .density:not([d=""])').waitFor({ state: 'attached' })
  return { ...viewer, viewer, mill, threadId, end }
}

export const texts = (viewer: Viewer, selector: string) =>
  viewer.evaluate<string[]>(`[...document.querySelectorAll('${selector}')].map((each) => each.textContent)`)

/** The entry that the dock says. */
export async function entryOf({ page }: Viewer): Promise<number> {
  return Number(((await page.locator('.head-numbers code > span').textContent()) ?? '').replace(/\D/g, ''))
}

/** Presses the track of the dock at a part of its width. */
export async function clickAt({ page }: Viewer, part: number): Promise<void> {
  const box = (await page.locator('.scrub').boundingBox()) ?? expect.fail()
  await page.mouse.click(box.x + box.width * part, box.y + 30)
}
