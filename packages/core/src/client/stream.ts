import { ApiError, connectionError, errorOfResponse } from '../api/api-error.ts'
import { RUN_STATE_EVENT, runStatusOf } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import type { RawRecord, Source } from '../source/source.ts'
import { sse } from '../source/sse.ts'
import { entryOf } from './entry-of.ts'
import type { Intake, RecordIntake, TakeResult } from './feed.ts'
import { type Credentials, type Fetch, headersOf } from './platform.ts'

export interface StreamRequest extends Credentials {
  readonly fetch: Fetch
  /** The URL of the stream, without a cursor. */
  readonly url: string
  readonly intake: RecordIntake
  readonly signal: AbortSignal
  /** Called when the server has accepted the request: records follow. */
  readonly onOpen?: () => void
  /** Called when bytes arrive, also those of a heartbeat. */
  readonly onBytes?: () => void
}

export type StreamEnd =
  | { readonly kind: 'ended' | 'enough' }
  | { readonly kind: 'cut' | 'refused'; readonly error: ApiError }

/** Statuses that a retry does not change. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** Makes one request for what the intake does not have. Never rejects. */
export async function openStream(request: StreamRequest): Promise<StreamEnd> {
  try {
    const response = await request.fetch(urlWith(request.url, request.intake.query()), {
      headers: headersOf(request, { accept: 'text/event-stream' }),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: request.signal,
    })
    if (isPlainAnswer(response)) {
      return { kind: 'refused', error: new ApiError(response.status, 'no-stream', 'The server does not stream this.') }
    }
    if (response.ok && response.body !== null) {
      request.onOpen?.()
      return await readRecords(response.body.getReader(), request)
    }
    const error = await errorOfResponse(response)
    return { kind: FINAL.has(response.status) ? 'refused' : 'cut', error }
  } catch (cause) {
    return { kind: 'cut', error: connectionError(cause) }
  }
}

/** An older server answers with the list itself. */
const isPlainAnswer = ({ ok, headers }: Response) =>
  ok && headers.get('content-type')?.startsWith('application/json') === true

function urlWith(url: string, query: string): string {
  if (query === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

async function readRecords(reader: Reader, { intake, signal, onBytes }: StreamRequest): Promise<StreamEnd> {
  const source = sse()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) break
      onBytes?.()
      const result = intake.take(recordsOf(source, value))
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

/** The entries of a run's stream, after the last one of the intake. */
export const entryRecords = (intake: Intake): RecordIntake => ({
  query: () => `wire=native&after=${intake.seq()}`,
  position: intake.seq,
  take: (records) => takeEntries(intake, records),
})

/** A record that is not an entry is skipped: if it should have been one, the next entry shows the gap. */
function takeEntries(intake: Intake, records: readonly RawRecord[]): TakeResult {
  const entries: Entry[] = []
  for (const { name, value } of records) {
    const status = name === RUN_STATE_EVENT ? runStatusOf(value) : undefined
    const entry = name === RUN_STATE_EVENT ? undefined : entryOf(value)
    if (status !== undefined) intake.noteStatus(status)
    if (entry !== undefined) entries.push(entry)
  }
  return intake.take(entries)
}
