import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Entry } from '@millrace/core/entry'
import type { Chunk } from '@millrace/core/wire/wire'
import { memory } from '@millrace/server/log/memory'
import { createServer } from '@millrace/server/server'
import { type Watch, watch } from '../faults/viewer.ts'

/** How a viewer is connected, and how often its connection is cut. */
export interface Transport {
  readonly by: Watch['by']
  readonly cuts: number
}

/** One viewer of a run. */
export interface Viewer extends Transport {
  readonly wire: string
}

/** What a viewer received. */
export interface Sight extends Viewer {
  readonly connections: number
  readonly chunks: readonly Chunk[]
  /** The size of the chunks, without their framing. */
  readonly bytes: number
}

export interface Watched {
  readonly entries: readonly Entry[]
  readonly sights: readonly Sight[]
}

const RUN = 'watched-by-all'

/** How many characters a viewer gets before it is cut. */
const CUT_AFTER = 1_500

/** Lets a recording arrive line by line while all viewers watch. */
export async function watchAll(format: string, lines: readonly string[], viewers: readonly Viewer[]): Promise<Watched> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-wires-'))
  const log = await memory.open({ folder: dataFolder })
  const server = await createServer({ log, agents: [], dataFolder, port: 0 })
  try {
    const arrived = fetch(`${server.url}/api/ingest?format=${format}&runId=${RUN}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: ReadableStream.from(slowly(lines)),
      duplex: 'half',
    })
    for (let round = 0; round < 5_000 && (await log.run(RUN)) === undefined; round++) await setTimeout(1)
    const sights = viewers.map((viewer) => sightOf(server, viewer))
    const response = await arrived
    if (!response.ok) throw new Error(`The recording was refused: ${await response.text()}`)
    const entries: Entry[] = []
    for await (const batch of log.read(RUN, { after: 0, live: false })) entries.push(...batch)
    return { entries, sights: await Promise.all(sights) }
  } finally {
    await server.close()
    await log.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

async function sightOf(server: { readonly port: number; readonly token: string }, viewer: Viewer): Promise<Sight> {
  const { wire, by } = viewer
  let cutsLeft = viewer.cuts
  const cutAfter = () => (cutsLeft-- > 0 ? CUT_AFTER : Number.POSITIVE_INFINITY)
  const { frames, connections } = await watch({ server, runId: RUN, wire, by, cutAfter })
  const wireFrames = frames.filter(({ id }) => id !== undefined)
  const bytes = wireFrames.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
  return { ...viewer, connections, bytes, chunks: wireFrames.map(({ data }) => JSON.parse(data) as Chunk) }
}

async function* slowly(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) {
    yield Buffer.from(`${line}\n`)
    await setTimeout(2)
  }
}
