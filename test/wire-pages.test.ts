import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
import { features } from '@millrace/core/losses'
import { wires } from '@millrace/core/wire'
import type { Wire } from '@millrace/core/wire/wire'
import { createServer, type Server } from '@millrace/server'
import { memory } from '@millrace/server/log/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const pages = join(root, 'docs/wires')
const allWires: readonly [string, Wire][] = Object.entries(wires)

const pathOf = (wire: string) => join(pages, `${wire}.md`)
const pageOf = (wire: string) => readFileSync(pathOf(wire), 'utf8')
/** Where lines are broken does not matter. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A run with several texts, thoughts and tools, a todo list and a subagent with text. */
const RECORDING = join(root, 'fixtures/claude-agent-sdk/scenario.jsonl')

interface Serving extends Server {
  readonly runId: string
  readonly threadId: string
}

/** What the clients of the pages print. All are started at once, because a process takes long to start. */
const printed = new Map<string, Promise<readonly string[]>>()
let answer = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-pages-'))
  const log = await memory.open({ folder: dataFolder })
  const server = await createServer({ log, agents: [], dataFolder, token: 'mill-token-for-pages', port: 0 })
  closing.push(
    server.close,
    () => log.close(),
    () => rm(dataFolder, { recursive: true }),
  )
  const response = await fetch(`${server.url}/api/ingest?format=claude-agent-sdk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    body: readFileSync(RECORDING),
  })
  const { runId, threadId } = (await response.json()) as { runId: string; threadId: string }
  const entries: Entry[] = []
  for await (const some of log.read(runId, { after: 0, live: false })) entries.push(...some)
  answer = answerIn(entries)
  for (const [wire] of allWires) {
    const clients = existsSync(pathOf(wire)) ? clientsOn(pageOf(wire)) : []
    printed.set(wire, Promise.all(clients.map((client) => printedBy(client, { ...server, runId, threadId }))))
  }
  await Promise.allSettled(printed.values())
}, 60_000)

afterAll(async () => {
  for (const close of closing) await close()
})

/** `test/wire-patterns.test.ts` runs the program of a conversation, which is the last of a page. */
const PATTERN = '\n## Load, resume, send, stop\n'

const clientsOn = (page: string) =>
  [...(page.split(PATTERN)[0] ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** All text of the main agent, in order. */
function answerIn(entries: readonly Entry[]): string {
  const segments = fold(entries).chatEvents.flatMap((chat) => (chat.role === 'assistant' ? chat.segments : []))
  return segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('')
}

/** What the client of a page prints if it is run with the packages installed. */
async function printedBy(code: string, { url, token, runId, threadId }: Serving): Promise<string> {
  const folder = await mkdtemp(join(root, 'test', '.page-'))
  try {
    const program = join(folder, 'client.ts')
    await writeFile(program, code)
    const env = { ...process.env, MILLRACE_URL: url, MILLRACE_TOKEN: token, RUN_ID: runId, THREAD_ID: threadId }
    const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root, env, timeout: 30_000 })
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.each(allWires)('the page of the wire %s', (wire, { losses, profiles, createHistory }) => {
  it('exists', () => {
    expect(existsSync(pathOf(wire))).toBe(true)
  })

  it('names everything that the wire cannot say, with the reason', () => {
    const text = inOneLine(pageOf(wire))
    const unnamed = Object.entries(losses).filter(
      ([feature, reason]) => !text.includes(`\`${feature}\``) || !text.includes(inOneLine(reason)),
    )
    expect(unnamed).toEqual([])
  })

  it('names nothing as lost that the wire carries', () => {
    const section = /\n## [^\n]*cannot say[^\n]*\n([\s\S]*?)(?=\n## |$)/i.exec(pageOf(wire))?.[1] ?? ''
    const named = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].flatMap(([, feature = '']) =>
      Object.hasOwn(features, feature) ? [feature] : [],
    )
    expect(named.filter((feature) => !(feature in losses))).toEqual([])
  })

  it('names its profiles', () => {
    expect(profiles.filter((profile) => !pageOf(wire).includes(`\`${profile}\``))).toEqual([])
  })

  it('has a client of a run, and one that loads a thread if the wire can, which print the answer and nothing else', async () => {
    expect(answer.length).toBeGreaterThan(50)
    expect(await printed.get(wire)).toEqual(createHistory === undefined ? [answer] : [answer, answer])
  })
})

describe('the index of the wires', () => {
  const path = join(pages, 'README.md')
  const index = readFileSync(path, 'utf8')

  it('links to the page of every wire', () => {
    expect(allWires.filter(([wire]) => !index.includes(`[\`${wire}\`](${wire}.md)`)).map(([wire]) => wire)).toEqual([])
  })

  it('has every page linked from the README, too', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const missing = allWires.filter(([wire]) => !readme.includes(`[\`${wire}\`](docs/wires/${wire}.md)`))
    expect(missing.map(([wire]) => wire)).toEqual([])
  })

  it('has the table of features as the wires declare them', async () => {
    const table = `<!-- features -->\n\n${featureTable()}\n\n<!-- /features -->`
    await expect(index.replace(/<!-- features -->[\s\S]*<!-- \/features -->/, table)).toMatchFileSnapshot(path)
  })
})

/** A row per feature that some wire lacks, a column per wire. */
function featureTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = Object.entries(features).flatMap(([feature, title]) => {
    const cells = allWires.map(([, { losses }]) => (feature in losses ? '–' : 'yes'))
    return cells.includes('–') ? [row([`${title} (\`${feature}\`)`, ...cells])] : []
  })
  const carried = Object.entries(features).filter(([feature]) =>
    allWires.every(([, { losses }]) => !(feature in losses)),
  )
  const onAll = `On all of them: ${carried.map(([, title]) => title).join(', ')}.`
  return [
    row(['', ...allWires.map(([wire]) => `\`${wire}\``)]),
    `|${'---|'.repeat(allWires.length + 1)}`,
    ...rows,
    '',
    onAll,
  ].join('\n')
}
