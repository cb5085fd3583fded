import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory } from '@millrace/server/log/memory'
import { createServer } from '@millrace/server/server'
import type { Page } from 'playwright-core'
import type { Got, ReadEvents } from '../../../clients/event-readers.ts'
import { openBrowser } from '../../open-browser.ts'
import { runProgram } from '../pages/program.ts'
import { openSite } from '../pages/site.ts'
import { messageOf, unlike } from '../trial.ts'
import { BETWEEN_FRAMES, openCutter } from './cutter.ts'

const WIRES = ['native', 'ai-sdk', 'ag-ui', 'agent-event', 'event-segments'] as const

/** A package that reads event streams. */
interface Library {
  readonly runsIn: 'page' | 'program'
  /** Why its streams are cut between frames only. */
  readonly wholeFrames?: string
}

export const LIBRARIES: { readonly [name: string]: Library } = {
  EventSource: { runsIn: 'page' },
  '@microsoft/fetch-event-source': {
    runsIn: 'page',
    wholeFrames:
      'it comes back behind the cursor of a frame of which it has read that line alone, and so loses its data',
  },
  'sse.js': { runsIn: 'page', wholeFrames: 'it delivers a frame whose end has not come' },
  eventsource: { runsIn: 'program' },
  ws: { runsIn: 'program' },
}

export interface ReadStream {
  readonly library: string
  readonly wire: string
  readonly problems: readonly string[]
}

declare const read: (library: string, ...args: Parameters<ReadEvents>) => ReturnType<ReadEvents>

/** What each package reads of a recording on each wire, from a server that cuts the stream three times. */
export async function tryStreams(): Promise<readonly ReadStream[]> {
  await using stack = new AsyncDisposableStack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-streams-'))
  stack.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const log = await memory.open({ folder: dataFolder })
  stack.defer(() => log.close())
  const token = 'for-event-streams'
  const server = await createServer({ log, agents: [], dataFolder, token, port: 0, stopWithin: 500 })
  stack.defer(() => server.close())
  const headers = { authorization: `Bearer ${token}` }
  const site = await openSite(['event-streams'], {})
  stack.defer(() => site.close())
  const cutter = await openCutter(server.url, headers, site.url)
  stack.defer(() => cutter.close())
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${cutter.url}/event-streams/`)

  const body = readFileSync(new URL('../../../fixtures/agent-lines/scenario.jsonl', import.meta.url))
  await fetch(`${server.url}/api/ingest?format=agent-lines&runId=run-1`, { method: 'POST', headers, body })
  const done: ReadStream[] = []
  for (const [library, { runsIn, wholeFrames }] of Object.entries(LIBRARIES)) {
    const ofLibrary = await Promise.all(
      WIRES.map(async (wire) => {
        const cut = wholeFrames === undefined ? 'cut=anywhere' : BETWEEN_FRAMES
        const path = `/api/runs/run-1/stream?wire=${wire}&by=${encodeURIComponent(library)}&${cut}`
        const expected = chunksIn(await (await fetch(server.url + path, { headers })).text())
        const base = library === 'ws' ? server.url : cutter.url
        const problems = await got(
          library,
          runsIn === 'page' ? page : undefined,
          token,
          base + path,
          expected.length,
        ).then(
          (chunks) => differences(chunks, expected),
          (error: unknown) => [messageOf(error)],
        )
        return { library, wire, problems }
      }),
    )
    console.log(
      `${library}: ${ofLibrary.length} wires, ${ofLibrary.flatMap(({ problems }) => problems).length} problems`,
    )
    for (const { wire, problems } of ofLibrary) for (const problem of problems) console.log(`  ${wire}: ${problem}`)
    done.push(...ofLibrary)
  }
  return done
}

async function got(
  library: string,
  page: Page | undefined,
  token: string,
  url: string,
  count: number,
): Promise<readonly Got[]> {
  if (page === undefined) {
    return JSON.parse(await runProgram('event-streams.ts', token, library, url, String(count))) as readonly Got[]
  }
  return page.evaluate(([name, address, most]) => read(name, address, most), [library, url, count] as const)
}

/** The messages of a stream with their cursors, without the terminator and events of other names. */
function chunksIn(text: string): readonly Got[] {
  return text.split('\n\n').flatMap((frame): readonly Got[] => {
    const fields = new Map(
      frame.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 2)]),
    )
    const data = fields.get('data')
    if (data === undefined || data === '[DONE]' || fields.has('event')) return []
    return [[fields.get('id') ?? '', data]]
  })
}

/** The first difference, and how many there are of each. */
function differences(chunks: readonly Got[], expected: readonly Got[]): readonly string[] {
  const at = expected.findIndex((chunk, index) => unlike(chunks[index], chunk, '').length > 0)
  if (at === -1 && chunks.length === expected.length) return []
  return [
    `${chunks.length} of ${expected.length} chunks, ${unlike(chunks[at] ?? null, expected[at] ?? null, `chunk ${at}`)}`,
  ]
}
