import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const page = readFileSync(join(root, 'docs/mounting.md'), 'utf8')

/** The blocks of code below a heading, in order, with their language. */
function blocksOf(heading: string) {
  const [, section = ''] = page.split(new RegExp(`^#+ ${heading}\\n`, 'm'))
  const [own = ''] = section.split(/^#+ /m)
  return [...own.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({ language, code }))
}

const programOf = (heading: string) => blocksOf(heading).find(({ language }) => language === 'ts')?.code ?? ''

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return String(port)
}

async function healthy(port: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/agents/api/health`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error('The program of the page has ended.')
}

it.each(['node:http', 'Express', 'Hono'])('%s: the program of the page answers as the page says', async (host) => {
  const port = await freePort()
  const atPort = (text: string) => text.replaceAll('4880', port)
  // Inside the checkout, so that the packages are found as if they were installed.
  const folder = mkdtempSync(join(root, 'test', '.mounting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'agent.ts'), programOf('A first run'))
  writeFileSync(join(folder, 'server.ts'), atPort(programOf(host)) + programOf('The handler'))
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, stdio: 'inherit' })
  const ended = once(server, 'exit')
  try {
    await healthy(port, server)
    const [commands, printed] = blocksOf('What it answers')
    const script = atPort(commands?.code ?? '').replaceAll('curl ', "curl -s -w '\\n' ")
    const out = execFileSync('bash', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' })
    expect(out.trim()).toBe(printed?.code.trim())
  } finally {
    server.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})
