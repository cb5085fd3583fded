import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { openTab, type Tab } from './drive.ts'
import { pageClients } from './registry.ts'
import { LAST_WORDS, QUESTION } from './tour.ts'
import { withTrying } from './try-pages.ts'

const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const SIZE = { width: 520, height: 1260 }
const THREAD = 'the-wheel'

/** A client, and the page that shows the thread in it. */
interface Shown {
  readonly title: string
  readonly page: Page
}

/**
 * Pictures of one run in three clients, side by side: while it waits for an answer, and after each page was reloaded. CopilotKit
 * sends and answers, because its runtime has no other history than that of its own runs.
 */
export async function takePictures(): Promise<void> {
  const clients = pageClients.filter(({ page }) => page === 'copilotkit' || page === 'assistant-ui-ai-sdk')
  await withTrying(clients, async (trying) => {
    const { context, app, url } = trying
    const open = async (client: string): Promise<Tab> => {
      const address = `${url}${client}/?agent=tour&thread=${THREAD}`
      const tab = await openTab(context, { address, threadId: THREAD, mostQuestions: 1, ...trying })
      await tab.page.setViewportSize(SIZE)
      return tab
    }
    const copilot = await open('copilotkit')
    await copilot.send(QUESTION)
    const [question = ''] = await copilot.asked(1)
    const assistant = await open('assistant-ui-ai-sdk')
    await assistant.asked(1)
    const own = await context.newPage()
    await own.setViewportSize(SIZE)
    await own.goto(app)
    await own.goto(new URL(`/t/${THREAD}`, app).href)
    await own.getByRole('button', { name: /^Approve/ }).waitFor()
    const shown = [
      { title: 'assistant-ui over /api/chat', page: assistant.page },
      { title: 'CopilotKit with its runtime, over /api/ag-ui', page: copilot.page },
      { title: 'the app', page: own },
    ]
    await picture(context, shown, 'clients-live.png')
    await copilot.answer({ [question]: true })
    await copilot.rests(LAST_WORDS)
    await copilot.ended()
    await Promise.all([copilot.reload(), assistant.reload(), own.reload()])
    await Promise.all([copilot.rests(LAST_WORDS), assistant.rests(LAST_WORDS), own.getByText(LAST_WORDS).waitFor()])
    await picture(context, shown, 'clients-reloaded.png')
  })
}

/** Puts what the pages show beside each other, each below its name. */
async function picture(context: BrowserContext, shown: readonly Shown[], file: string): Promise<void> {
  const columns: string[] = []
  for (const { title, page } of shown) {
    await page.bringToFront()
    await page.waitForTimeout(600)
    const bytes = await page.screenshot({ animations: 'disabled' })
    columns.push(
      `<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,${bytes.toString('base64')}"></figure>`,
    )
  }
  const page = await context.newPage()
  await page.setViewportSize({ width: columns.length * (SIZE.width + 16) + 16, height: SIZE.height + 60 })
  await page.setContent(`<style>${STYLE}</style>${columns.join('')}`)
  await page.locator('img').last().waitFor()
  writeFileSync(`${IMAGES}${file}`, await page.screenshot())
  await page.close()
}

const STYLE = `
  body { margin: 0; padding: 16px; display: flex; gap: 16px; background: #d5d9dd; font: 15px/28px system-ui, sans-serif }
  figure { margin: 0 } img { display: block; width: ${SIZE.width}px }`
