import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../open-browser.ts'
import type { Check } from '../check.ts'
import type { Consumer } from '../consumer.ts'
import { root } from '../packages.ts'

/** An agent in a file of its own: it asks, waits, or says again what it hears, in two pieces with a pause between them. */
const PILOT = `import { ask, emitDone, emitText, readInput } from '@millrace/agent/emit'
import { setTimeout as sleep } from 'node:timers/promises'
const { text } = await readInput()
if (text === 'ask') emitText('It is ' + (await ask('May I?')).state + '.')
else {
  emitText('You said ')
  await sleep(text === 'wait' ? 600_000 : 1500)
  emitText(text + '.')
}
emitDone()
process.exit(0)
`

/** How long a page may take for a step, on a machine that does other work, in ms. */
const STEP = 60_000

const docs = (name: string) => readFileSync(join(root, 'docs/wires', name), 'utf8')

/** The first block of a language in a text. */
function blockOf(text: string, language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  if (code === undefined) throw new Error(`There is no block of ${language}.`)
  return code
}

/** A page of the documentation: its title, what it installs, and its file. */
interface CopiedPage {
  readonly title: string
  readonly packages: readonly string[]
  readonly main: string
}

const [shared = '', ...sections] = docs('pages.md').split('\n## ')

const pages: readonly CopiedPage[] = sections.map((section) => ({
  title: section.split('\n')[0] ?? '',
  packages: blockOf(section, 'sh').trim().split(' ').slice(2),
  main: blockOf(section, 'tsx'),
}))

const files = {
  'index.html': blockOf(shared, 'html'),
  'vite.config.js': blockOf(shared, 'js'),
  'stopping-fetch.ts': blockOf(docs('README.md'), 'ts'),
}

const agents = {
  'agents/pilot/agent.yaml': 'title: Pilot\nrun: [node, pilot.mjs]\n',
  'agents/pilot/pilot.mjs': PILOT,
}

/** Uses a page as a person does, and says what was seen. */
async function use(page: Page, url: string): Promise<string> {
  const says = (text: string) => page.getByText(text).first().waitFor({ timeout: STEP })
  const press = (name: string) => page.getByRole('button', { name }).first().click({ timeout: STEP })
  const send = async (text: string) => {
    await page.getByRole('button', { name: 'Send' }).waitFor({ timeout: STEP })
    await page.getByLabel('Message').fill(text)
    await press('Send')
  }
  await page.goto(url)
  await send('a first word')
  await says('You said')
  // In the middle of the answer.
  await page.reload()
  await says('You said a first word.')
  await send('ask')
  await press('Approve')
  await says('It is approved.')
  await send('wait')
  await press('Stop')
  await page.getByRole('button', { name: 'Send' }).waitFor({ timeout: STEP })
  await page.reload()
  for (const text of ['You said a first word.', 'It is approved.', 'You said']) await says(text)
  return 'load, resume, send, approve, stop'
}

async function outcomesAt(origin: string, token: string, threadId: string): Promise<string> {
  const response = await fetch(`${origin}/api/threads/${threadId}`, { headers: { authorization: `Bearer ${token}` } })
  const { runs } = (await response.json()) as { runs: { outcome?: string }[] }
  return runs.map(({ outcome = 'open' }) => outcome).join(', ')
}

async function tried(consumer: Consumer, { title, packages, main }: CopiedPage, address: URL): Promise<string> {
  await consumer.run('npm', 'install', '--no-audit', '--no-fund', ...packages)
  consumer.write({ ...files, 'main.tsx': main })
  const token = address.searchParams.get('token') ?? ''
  const vite = await consumer.start(
    'env',
    `MILLRACE_URL=${address.origin}`,
    `MILLRACE_TOKEN=${token}`,
    'node',
    'vite.mjs',
  )
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', ({ message }) => void faults.push(message))
    const threadId = title.replaceAll(/\W/g, '')
    try {
      const seen = await use(page, `${vite.firstLine}?agent=pilot&thread=${threadId}`)
      const outcomes = await outcomesAt(address.origin, token, threadId)
      if (outcomes !== 'success, success, cancelled') throw new Error(`the runs ended as ${outcomes}`)
      return `${title}: ${seen}`
    } catch (error) {
      const shown = await page.locator('body').textContent()
      throw new Error(`${title}: ${(error as Error).message}\n${faults.join('\n')}\n${shown?.slice(0, 500)}`)
    }
  } finally {
    await browser.close()
    await vite.stop()
  }
}

/** Vite's own server, which prints its address first. */
const VITE = `import { createServer } from 'vite'
const server = await createServer({ server: { host: '127.0.0.1' }, logLevel: 'error' })
await server.listen()
console.log(server.resolvedUrls.local[0])
`

export const copiedPages: Check = {
  title: 'the pages of `docs/wires/pages.md`, copied into an empty folder as they stand, and used in a browser',
  async run(bench) {
    const seen: string[] = []
    const consumer = await bench.install(
      'copied',
      ['millrace', '@millrace/server', '@millrace/agent', '@millrace/core'],
      ['vite', 'react', 'react-dom'],
    )
    consumer.write({ ...agents, 'vite.mjs': VITE })
    const { firstLine, stop } = await consumer.start('node', 'node_modules/.bin/millrace', 'serve', '--port', '0')
    try {
      for (const page of pages) seen.push(await tried(consumer, page, new URL(firstLine)))
    } finally {
      await stop()
    }
    return seen.join('; ')
  },
}
