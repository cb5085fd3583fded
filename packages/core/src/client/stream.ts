import { type ApiError, connectionError, errorOfResponse } from '../api/api-error.ts'
import { RUN_STATE_EVENT, runStatusOf } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import type { RawRecord, Source } from '../source/source.ts'
import { sse } from '../source/sse.ts'
import { entryOf } from './entry-of.ts'
import type { Intake, TakeResult } from './feed.ts'
import { type Credentials, type Fetch, headersOf } from './platform.ts'

export interface StreamRequest extends Credentials {
  readonly fetch: Fetch
  /** The URL of the run's stream, without a cursor. */
  readonly url: string
  readonly intake: Intake
  readonly signal: AbortSignal
  /** Called when the server has accepted the request: entries follow. */
  readonly onOpen?: () => void
  /** Called when bytes arrive, also those of a heartbeat. */
  readonly onBytes?: () => void
}

export type StreamEnd =
  | { readonly kind: 'ended' | 'enough' }
  | { readonly kind: 'cut' | 'refused'; readonly error: ApiError }

/** Statuses that a retry does not change. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** Makes one request for the entries after the last one of the intake. Never rejects. */
export async function openStream(request: StreamRequest): Promise<StreamEnd> {
  try {
    const response = await request.fetch(urlAfter(request.url, request.intake.seq()), {
      headers: headersOf(request, { accept: 'text/event-stream' }),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: request.signal,
    })
    if (response.ok && response.body !== null) {
      request.onOpen?.()
      return await readEntries(response.body.getReader(), request)
    }
    const error = await errorOfResponse(response)
    return { kind: FINAL.has(response.status) ? 'refused' : 'cut', error }
  } catch (cause) {
    return { kind: 'cut', error: connectionError(cause) }
  }
}

function urlAfter(url: string, seq: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}wire=native&after=${seq}`
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

async function readEntries(reader: Reader, { intake, signal, onBytes }: StreamRequest): Promise<StreamEnd> {
  const source = sse()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) break
      onBytes?.()
      const result = takeRecords(intake, recordsOf(source, value))
      if (result === 'ended' || result === 'enough') return { kind: result }
      if (done || result === 'gap') break
    }
  } finally {
    // A body that failed cannot be cancelled, and need not be.
    reader.cancel().catch(() => {})
  }
  return { kind: 'cut', error: connectionError(undefined) }
}

const recordsOf = (source: Source, bytes: Uint8Array | undefined) =>
  bytes === undefined ? source.end() : source.feed(bytes)

/** A record that is not an entry is skipped: if it should have been one, the next entry shows the gap. */
function takeRecords(intake: Intake, records: readonly RawRecord[]): TakeResult {
  const entries: Entry[] = []
  for (const { name, value } of records) {
    const status = name === RUN_STATE_EVENT ? runStatusOf(value) : undefined
    const entry = name === RUN_STATE_EVENT ? undefined : entryOf(value)
    if (status !== undefined) intake.noteStatus(status)
    if (entry !== undefined) entries.push(entry)
  }
  return intake.take(entries)
}
