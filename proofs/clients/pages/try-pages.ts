import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ThreadDetail } from '@millrace/core/api'
import { memory } from '@millrace/server/log/memory'
import { createServer } from '@millrace/server/server'
import { openBrowser } from '../../open-browser.ts'
import { createAgents } from './agents.ts'
import { startProgram } from './program.ts'
import { pageClients } from './registry.ts'
import { scenes } from './scenes.ts'
import { openSite } from './site.ts'
import { type PageClientEntry, type Trying, tryScene } from './try-page.ts'

const APP = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))

/** The result of one client in one scene. */
export interface Played {
  readonly client: PageClientEntry
  readonly scene: string
  /** Why it was not played. */
  readonly exception?: string
  readonly problems: readonly string[]
}

/** Plays the scenes whose titles contain a part in the pages whose names contain a part, and prints a line per client. */
export async function tryPages(namePart: string, titlePart: string): Promise<readonly Played[]> {
  const clients = pageClients.filter(({ page }) => page.includes(namePart))
  return withTrying(clients, async (trying) => {
    const played: Played[] = []
    for (const client of clients) {
      const began = performance.now()
      const found = await playedBy(trying, client, titlePart)
      played.push(...found)
      const problems = found.flatMap((one) => one.problems.map((problem) => `${one.scene}: ${problem}`))
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      console.log(`${client.page}: ${found.length} scenes, ${problems.length} problems, ${seconds} s`)
      for (const problem of problems) console.log(`  ${problem}`)
    }
    return played
  })
}

async function playedBy(trying: Trying, client: PageClientEntry, titlePart: string): Promise<readonly Played[]> {
  const played: Played[] = []
  for (const scene of scenes.filter(({ title }) => title.includes(titlePart))) {
    const exception = client.exceptions?.[scene.title]
    const problems = exception === undefined ? await tryScene(trying, client, scene) : []
    played.push({ client, scene: scene.title, ...(exception !== undefined && { exception }), problems })
  }
  return played
}

/** Calls `work` with a server of the scripted agents, the pages before it, and a browser; closes all of them afterwards. */
export async function withTrying<Result>(
  clients: readonly PageClientEntry[],
  work: (trying: Trying) => Promise<Result>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-pages-data-'))
  stack.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const log = await memory.open({ folder: dataFolder })
  stack.defer(() => log.close())
  const { agents, script } = createAgents()
  const server = await createServer({
    log,
    agents,
    dataFolder,
    token: 'for-clients-in-pages',
    port: 0,
    stopWithin: 500,
    appFolder: APP,
  })
  stack.defer(() => server.close())
  const headers = { authorization: `Bearer ${server.token}` }
  const names = agents.map(({ name }) => name)
  const runtime = await startProgram('copilot-runtime.ts', server.url, server.token, ...names)
  stack.defer(runtime.stop)
  const site = await openSite(
    clients.map(({ page }) => page),
    {
      '/api': { url: server.url, headers },
      '/runtime': { url: `http://127.0.0.1:${runtime.firstLine}` },
    },
  )
  stack.defer(() => site.close())
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1_000, height: 900 } })
  return await work({
    url: site.url,
    app: `${server.url}/?token=${server.token}`,
    log,
    script,
    context,
    async thread(threadId) {
      const response = await fetch(`${server.url}/api/threads/${threadId}`, { headers })
      return (await response.json()) as ThreadDetail
    },
  })
}
