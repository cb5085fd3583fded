import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { answerEvents, ending } from '../../test/client/platform.ts'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from '../fold/fold.ts'
import { createRunStore, type RunStore } from './run-store.ts'

const CUTS = 300

/** Retries do not wait here; only the watch for silence uses real time. */
function setTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds > 20_000 ? milliseconds : 0)
  return () => clearTimeout(timer)
}

/** The same numbers in every run of the test. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function longRun(): Entry[] {
  const words = Array.from({ length: 1_500 }, (_, index) => `wörd ${index} 🌊\u2028 `)
  const events: StreamEvent[] = [...answerEvents(...words), ...ending]
  return events.map((event, index) => ({ seq: index + 1, at: index, event, rawThrough: index }))
}

interface Cutting {
  readonly url: string
  readonly server: Server
  cuts: number
  /** Entries whose whole frame was sent more than once. */
  repeats: number
}

/** Serves entries as server-sent events, and cuts the socket after some bytes, wherever in a frame that is. */
async function serve(entries: readonly Entry[], random: () => number): Promise<Cutting> {
  let sentThrough = 0
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url ?? '', 'http://host').searchParams.get('after'))
    if (after < sentThrough - 3) cutting.repeats++
    sentThrough = Math.max(sentThrough, after)
    const frames = entries.slice(after).map((entry) => `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (cutting.cuts >= CUTS) response.end(frames.join(''))
    else cutAfter(response, Buffer.from(`: hello\n\n${frames.slice(0, 8).join('')}`), random())
    cutting.cuts++
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const cutting: Cutting = { url: `http://127.0.0.1:${port}/api/runs/r/stream`, server, cuts: 0, repeats: 0 }
  return cutting
}

function cutAfter(response: ServerResponse, bytes: Buffer, share: number): void {
  response.write(bytes.subarray(0, Math.floor(share * bytes.length)), () => {
    if (share < 0.3) response.socket?.resetAndDestroy()
    else response.socket?.destroy()
  })
}

function ended(store: RunStore): Promise<void> {
  return new Promise((resolve) => {
    store.subscribe(() => {
      if (store.snapshot().connection === 'ended') resolve()
    })
  })
}

describe('a run store over a network that keeps breaking', () => {
  let server: Server | undefined
  let store: RunStore | undefined

  afterEach(() => {
    store?.stop()
    server?.closeAllConnections()
    server?.close()
  })

  it(`law 5: has every entry once after ${CUTS} cuts at any byte`, async () => {
    const entries = longRun()
    const cutting = await serve(entries, createRandom(7))
    server = cutting.server
    store = createRunStore({ url: cutting.url, setTimer, random: createRandom(1) })
    const end = ended(store)
    store.start()
    await end
    expect(cutting.cuts).toBeGreaterThan(CUTS)
    expect(store.snapshot()).toEqual({
      connection: 'ended',
      receivedAt: expect.any(Number),
      seq: entries.length,
      seen: new Map([['messages', 1]]),
      run: fold(entries, { runId: 'r' }),
    })
    expect(cutting.repeats).toBe(0)
  })
})
