import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { startProvider } from '../../recorders/provider/server.ts'
import { openBrowser } from '../open-browser.ts'
import { createConsumer } from '../packed/consumer.ts'
import { packInto } from '../packed/try-all.ts'
import { type Cli, clis } from './clis.ts'
import { BIN } from './install.ts'

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const OWN_PACKAGES = ['millrace', '@millrace/server', '@millrace/core']
const SIZE = { width: 1120, height: 720 }
const WITHIN = 120_000

const PROMPT = 'Write the height of the tide into tide.txt.'
const FILE = 'tide.txt'
const WORDS = 'High water is at 06:12, and tide.txt says so.'
const usage = { input: 10, output: 5 }

/** One step of the first minute: what a person does, how long the machine then takes, in ms, and the picture of the result. */
export interface Step {
  readonly done: string
  readonly seen: string
  readonly took: number
  readonly image?: string
}

/**
 * The first minute of a new user: packed packages in an empty folder, Claude Code of npm on the PATH, and nothing else. A scripted
 * provider answers it.
 */
export async function playMinute(): Promise<readonly Step[]> {
  const claude = clis.find(({ name }) => name === 'claude-code')
  if (claude === undefined) throw new Error('There is no row for claude-code.')
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-minute-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const provider = await startProvider([
    {
      prompt: PROMPT,
      steps: [
        { text: 'I write it down.', calls: [claude.run(`echo 06:12 > ${FILE}`)], usage },
        { text: WORDS, usage },
      ],
    },
  ])
  stack.defer(() => provider.close())
  const consumer = createConsumer('first-minute', environmentOf(claude, folder, provider.url))
  stack.defer(() => consumer.remove())
  const steps: Step[] = []
  const step = async (done: string, seen: string, act: () => Promise<unknown>, page?: Page) => {
    const began = performance.now()
    await act()
    const took = Math.round(performance.now() - began)
    const image = page === undefined ? undefined : `minute-${steps.length + 1}.png`
    if (page !== undefined && image !== undefined)
      await page.screenshot({ path: join(IMAGES, image), animations: 'disabled' })
    steps.push({ done, seen, took, ...(image !== undefined && { image }) })
    console.error(`${took} ms: ${seen}`)
  }

  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const tarballs = packInto(packed)
  const files = OWN_PACKAGES.flatMap((name) => tarballs[name] ?? [])
  await step('`npm install` of the packed packages', 'the command is there', () =>
    consumer.run('npm', 'install', '--no-audit', '--no-fund', ...files),
  )
  let address = ''
  await step('`npx millrace serve`', 'an address is printed', async () => {
    const { firstLine, stop } = await consumer.start('npx', 'millrace', 'serve', '--port', '0')
    stack.defer(stop)
    address = firstLine
  })
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const page = await browser.newPage({ viewport: SIZE })
  const asked = () => page.getByRole('button', { name: /^Approve/ })
  await step(
    'opens it',
    'Claude Code is in the list',
    async () => {
      await page.goto(address)
      await page.getByRole('radio', { name: /Claude Code/ }).waitFor()
    },
    page,
  )
  await step(
    'picks Claude Code and types',
    'the message can be sent',
    async () => {
      await page.getByRole('radio', { name: /Claude Code/ }).check()
      await page.getByRole('textbox', { name: 'Message' }).fill(PROMPT)
    },
    page,
  )
  await step(
    'sends it',
    'Claude Code asks before it runs a command',
    async () => {
      await page.keyboard.press('Enter')
      await asked().waitFor({ timeout: WITHIN })
    },
    page,
  )
  await step(
    'approves',
    'the command has run, and the answer is there',
    async () => {
      await asked().click()
      await page.getByText(WORDS).waitFor({ timeout: WITHIN })
      await page.getByText('Finished').first().waitFor({ timeout: WITHIN })
    },
    page,
  )
  if (!existsSync(join(consumer.folder, FILE))) throw new Error(`There is no ${FILE} in the folder.`)
  return steps
}

/** The home of a new user, and a PATH on which Claude Code is the only agent. */
function environmentOf(cli: Cli, folder: string, provider: string): { readonly [name: string]: string } {
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')]
  for (const each of [home, bin]) mkdirSync(each)
  symlinkSync(join(BIN, 'claude'), join(bin, 'claude'))
  return {
    HOME: home,
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    ...cli.variables(provider),
  }
}

const PAGE = fileURLToPath(new URL('../../docs/first-minute.md', import.meta.url))

/** Writes the page; what stands below its last heading is by hand, and stays. */
export function writeMinute(steps: readonly Step[]): void {
  const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const rest = before.includes(NOTES) ? before.slice(before.indexOf(NOTES)) : `${NOTES}\n`
  const total = steps.reduce((sum, { took }) => sum + took, 0)
  const lines = [
    '# The first minute',
    '',
    'Written by `npm run agents -- minute`: the packed packages in an empty folder, the published Claude Code on the PATH, and a scripted',
    'provider behind it. A program drives the app in Chromium; the times are those of the machine, two cores that did other work,',
    `without the reading and typing of a person: ${secondsOf(total)} in all.`,
    '',
    '| what a person does | what is then seen | after |',
    '|---|---|---:|',
    ...steps.map(({ done, seen, took }) => `| ${done} | ${seen} | ${secondsOf(took)} |`),
    '',
    ...steps.flatMap(({ done, seen, image }) =>
      image === undefined ? [] : [`![${done}: ${seen}](images/${image})`, ''],
    ),
  ]
  writeFileSync(PAGE, `${lines.join('\n')}\n${rest}`)
}

const NOTES = '## Where a newcomer hesitates'
const secondsOf = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
