import { setTimeout } from 'node:timers/promises'
import type { createChildServer } from './child-server.ts'
import type { Playhead } from './playhead.ts'
import type { Recording } from './scenario.ts'

interface FeedOptions extends Recording {
  readonly runId: string
  readonly child: Awaited<ReturnType<typeof createChildServer>>
  readonly playhead: Playhead
  readonly signal: AbortSignal
}

/** A program that sends its stream, and comes back to a server that was lost. */
export interface Feeding {
  /** `resumedAt`: the first record that the log of a restarted server did not have. */
  counts(): { readonly isAcknowledged: boolean; readonly resumedAt?: number }
}

const PAUSE_MS = 120
/** The first record comes at once, the last one when the scenario is over. */
const dueAt = (index: number, count: number, duration: number) => (index / count) * duration

/** Feeds a run as any producer does: by `POST /api/ingest`, from the record that the log does not have yet. */
export function feed({ format, records, runId, child, playhead, signal }: FeedOptions): Feeding {
  let isAcknowledged = false
  let resumedAt: number | undefined
  let losses = 0

  async function* bytes(from: number): AsyncGenerator<Uint8Array> {
    for (let index = from; index < records.length; index++) {
      await playhead.reaches(dueAt(index, records.length, playhead.duration), signal)
      yield encoder.encode(`${records[index]}\n`)
    }
  }

  /** The number of records that the log has; undefined while the server is down. */
  async function durable(): Promise<number | undefined> {
    const address = child.address()
    if (address === undefined) return undefined
    const headers = { authorization: `Bearer ${address.token}` }
    const answer = await fetch(`${address.url}/api/runs/${runId}`, { headers, signal })
    if (answer.status === 404) return 0
    return answer.ok ? ((await answer.json()) as { readonly rawRecords: number }).rawRecords : undefined
  }

  /** True once the server has acknowledged the whole stream. */
  async function attempt(): Promise<boolean> {
    const from = await durable()
    const address = child.address()
    if (from === undefined || address === undefined) return false
    if (losses > 0) resumedAt = from
    const query = new URLSearchParams({ format, runId, threadId: `thread_${runId}`, line: String(from) })
    const answer = await fetch(`${address.url}/api/ingest?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${address.token}` },
      body: ReadableStream.from(bytes(from)) as ReadableStream<Uint8Array<ArrayBuffer>>,
      duplex: 'half',
      signal,
    })
    isAcknowledged = answer.ok
    return answer.ok
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // A server that was killed breaks the request; one that starts refuses it.
      if (await attempt().catch(() => false)) return
      losses++
      await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  void run()
  return { counts: () => ({ isAcknowledged, ...(resumedAt !== undefined && { resumedAt }) }) }
}

const encoder = new TextEncoder()
