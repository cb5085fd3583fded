import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UIMessage } from 'ai'
import type { BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { until } from './until.ts'

/** Builds a page of these tests, such as the one that uses `useChat`, into a folder of its own. */
export async function builtPage(name: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
  const root = dirname(fileURLToPath(new URL(`./${name}/main.ts`, import.meta.url)))
  await build({ root, base: '/', logLevel: 'error', configFile: false, build: { outDir, emptyOutDir: true } })
  return outDir
}

/** A tab that shows a chat. */
export interface ChatPage {
  readonly page: Page
  status(): Promise<string>
  /** All that is shown. */
  messages(): Promise<readonly UIMessage[]>
  /** The parts of the answer, less the marks between steps. */
  parts(): Promise<UIMessage['parts']>
  /** Resolves when the answer holds the text and the chat is in that status. */
  shows(text: string, status: string): Promise<void>
  press(button: 'Send' | 'Stop' | 'Approve' | 'Leave' | 'Resume'): Promise<void>
}

export async function openChat(context: BrowserContext, url: string): Promise<ChatPage> {
  const page = await context.newPage()
  await page.goto(url)
  const textOf = async (selector: string) => (await page.locator(selector).textContent()) ?? ''
  const status = () => textOf('#status')

  const messages = async () => JSON.parse(await textOf('#messages')) as readonly UIMessage[]

  async function parts(): Promise<UIMessage['parts']> {
    const answer = (await messages()).findLast(({ role }) => role === 'assistant')
    return answer?.parts.filter(({ type }) => type !== 'step-start') ?? []
  }

  return {
    page,
    status,
    messages,
    parts,
    shows: (text, expectedStatus) =>
      until(`the chat shows "${text}" and is ${expectedStatus}`, async () => {
        return JSON.stringify(await parts()).includes(text) && (await status()) === expectedStatus
      }),
    press: (button) => page.getByRole('button', { name: button }).click(),
  }
}
