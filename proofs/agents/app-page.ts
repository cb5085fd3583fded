import { openBrowser } from '../open-browser.ts'
import { eventually, isApproved } from './api.ts'
import type { Client } from './clients.ts'

/** A person with the app in Chromium: says it, and presses the buttons of what is asked. */
export const appPage: Client = async ({ address, api, agent, threadId }, text) => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${address.url}/?token=${encodeURIComponent(address.token)}`)
    const { runId } = await api.start(threadId, agent, text)
    await page.goto(`${address.url}/t/${threadId}`)
    await eventually(`the end of ${runId} in the app`, async () => {
      for (const question of await api.open(threadId)) {
        const call = page.locator('.mr-asking', { hasText: `${question.callName}.txt` }).first()
        await call.getByRole('button', { name: isApproved(question) ? /^Approve/ : /^Deny(?! and)/ }).click()
      }
      return (await api.isOver(threadId)) ? true : undefined
    })
  } finally {
    await browser.close()
  }
}
