import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../open-browser.ts'
import { addressOf, COMMAND } from './workplace.ts'

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url))

const looks = [
  { file: 'agents-light', width: 1440, height: 900, colorScheme: 'light', pages: ['agents'] },
  { file: 'agents-dark', width: 1440, height: 900, colorScheme: 'dark', pages: ['agents'] },
  { file: 'agents-narrow', width: 390, height: 844, colorScheme: 'light', pages: ['agents', 'agents-detail'] },
] as const

/** A server with agents in every kind of trouble. Nothing of them is started. */
const files = {
  'agents/gemini.yaml': 'preset: gemini-cli\ntitle: Gemini for reviews\nenv: [GEMINI_API_KEY]\n',
  'agents/researcher.yaml': 'run: [./research.py]\ntitle: Researcher\n',
  'agents/survey.yaml': 'run: [node, agent.mjs]\ntitle: Survey\ndescription: Reads the gauges of the brook.\n',
  'agents/triage.yaml': 'run: [node, agent.mjs]\ntitle: Triage\npermisions: ask\n',
}
const programs = ['claude', 'codex', 'gemini', 'opencode']

/**
 * Takes pictures of the page of agents. With a folder of pictures of the design, each stands beside its own. Throws if two kinds of
 * trouble have one shape, or if the page shows a value.
 */
export async function takePictures(design: string | undefined): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-pictures-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text)
  for (const name of programs) {
    write(join(folder, 'bin', name), '#!/bin/sh\nexit 1\n')
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const env = { HOME: folder, PATH: [join(folder, 'bin'), dirname(process.execPath)].join(':') }
  const server = spawn(process.execPath, [COMMAND, 'serve', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  stack.defer(async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  })
  const { url, token } = await addressOf(server)
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${url}/?token=${encodeURIComponent(token)}`)
  for (const { file, width, height, colorScheme, pages } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const shots: Buffer[] = []
    for (const name of pages) {
      const isList = name === 'agents' && width < 720
      await page.goto(`${url}/agents${isList ? '' : '/gemini'}`)
      await page.getByRole('heading', { name: 'Agents' }).waitFor()
      await page.waitForTimeout(500)
      if (!isList) await assertKey(page)
      if (name === 'agents') await assertShapes(page)
      shots.push(await page.screenshot({ animations: 'disabled' }))
      const mock = designOf(design, name, width < 720, colorScheme)
      if (mock !== undefined) shots.push(mock)
    }
    writeFileSync(join(IMAGES, `${file}.png`), await joined(browser, shots, width < 720 ? width : 960))
  }
}

/** The variable, the cause and two ways, and no value. */
async function assertKey(page: Page): Promise<void> {
  const text = (await page.locator('.agent-reason').textContent()) ?? ''
  const commands = await page.locator('.agent-reason .command-line code').allTextContents()
  const isRight = text.includes('GEMINI_API_KEY is not set') && text.includes('is refused') && commands.length === 2
  if (!isRight || commands.some((command) => /=\w/.test(command))) throw new Error(`The page says: ${text}`)
}

async function assertShapes(page: Page): Promise<void> {
  const shapes = await page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as {
      readonly document: { querySelector(selector: string): unknown }
      getComputedStyle(element: unknown): { readonly [property: string]: string }
    }
    return ['ready', 'key', 'program', 'file'].map((health) => {
      const style = getComputedStyle(document.querySelector(`.health-${health} .health-mark`))
      return [style.borderTopStyle, style.borderTopLeftRadius, style.backgroundColor === 'rgba(0, 0, 0, 0)'].join(' ')
    })
  })
  if (new Set(shapes).size !== shapes.length) throw new Error(`Two kinds have one shape: ${shapes.join('; ')}`)
}

function designOf(folder: string | undefined, name: string, isNarrow: boolean, scheme: string): Buffer | undefined {
  const path = folder === undefined ? '' : join(folder, `${name}${isNarrow ? '-narrow' : ''}-${scheme}.png`)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Pictures beside each other, each of this width. */
async function joined(browser: Browser, shots: readonly Buffer[], width: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: shots.length * (width + 12) + 12, height: 200 } })
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`)
  const style = `body{margin:0;padding:12px;display:flex;gap:12px;background:#8a9299}img{width:${width}px;align-self:start}`
  await page.setContent(`<style>${style}</style>${images.join('')}`)
  const picture = await page.screenshot({ fullPage: true })
  await page.close()
  return picture
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
