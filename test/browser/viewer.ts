import type { BrowserContext, Locator, Page } from 'playwright-core'
import { until } from './until.ts'

/** A tab of the web app, and what a person sees in it. */
export interface Viewer {
  readonly page: Page
  /** Console errors, uncaught errors, violations of the page's policy and requests to other hosts. */
  readonly troubles: readonly string[]
  /** The buttons of an open question. */
  readonly approve: Locator
  readonly deny: Locator
  /** The HTML of all chat events, one line each. */
  html(): Promise<string>
  /** The number of the last entry that the page has. */
  seq(): Promise<number>
  reaches(seq: number): Promise<void>
  /** Writes a message and sends it. */
  say(text: string): Promise<void>
  /** Has the server verify the ended run, and resolves once the page shows that it matches the log. */
  verify(words: 'Live = stored' | 'Stored = delivered'): Promise<void>
  /** The thread that the page shows, as soon as it shows one. */
  threadId(): Promise<string>
  /** The value of an expression in the page. */
  evaluate<Result>(expression: string): Promise<Result>
}

const TURNS = "[...document.querySelectorAll('.mr-thread > .mr-turn')].map((node) => node.outerHTML).join('\\n')"
const SEQ = "document.querySelector('.mr-status .mr-fact.mr-short code')?.textContent"

export async function openViewer(context: BrowserContext, url: string): Promise<Viewer> {
  const page = await context.newPage()
  const troubles: string[] = []
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))",
  )
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('request', (request) => {
    const { host } = new URL(request.url())
    // Addresses within the page, `data:` and `blob:`, have no host.
    if (host !== '' && host !== new URL(url).host) troubles.push(`asked ${request.url()}`)
  })
  await page.goto(url)

  const evaluate = <Result>(expression: string) => page.evaluate<Result>(expression)
  async function seq(): Promise<number> {
    const [here = '0'] = ((await evaluate<string | undefined>(SEQ)) ?? '').split('/')
    return Number(here.replace(/\D/g, ''))
  }
  return {
    page,
    troubles,
    approve: page.locator('.mr-asking').getByRole('button', { name: /^Approve/ }),
    deny: page.locator('.mr-asking').getByRole('button', { name: /^Deny(?! and say)/ }),
    evaluate,
    html: () => evaluate<string>(TURNS),
    seq,
    reaches: (wanted) => until(`the page is at entry ${wanted}`, async () => (await seq()) === wanted),
    async say(text) {
      await page.getByRole('textbox', { name: 'Message' }).fill(text)
      await page.keyboard.press('Enter')
    },
    async verify(words) {
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByRole('button', { name: words }).waitFor()
    },
    async threadId() {
      await page.waitForURL(/\/t\//)
      return new URL(page.url()).pathname.split('/')[2] ?? ''
    },
  }
}
