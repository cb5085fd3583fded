import { allParsers, detectFormat, sampleSize } from '@millrace/core/parse'
import { type Framing, getSource, type RawRecord } from '@millrace/core/source'
import { RunRefusal } from './errors.ts'
import type { Sleep } from './runs.ts'

export interface DetectedBody {
  readonly format: string
  /** The whole body, its beginning included. */
  readonly body: AsyncIterable<Uint8Array>
}

/** After so much silence, in ms, a producer's format is that of what it has sent, unless there is doubt. */
const SILENCE = 400

/** The largest beginning that is kept until the format is known, in bytes. A whole record has room in it. */
const LARGEST_BEGINNING = 32 * 1024 * 1024

type Step = IteratorResult<Uint8Array, unknown>

/**
 * Reads the beginning of a body until its format is known: enough records, the end, or a silence. Throws
 * `format-not-recognised`, and closes the body, if the format is in doubt.
 */
export async function detectBody(
  body: AsyncIterable<Uint8Array>,
  framing: Framing,
  sleep: Sleep,
): Promise<DetectedBody> {
  const iterator = body[Symbol.asyncIterator]()
  try {
    return await detect(iterator, framing, sleep)
  } catch (error) {
    void iterator.return?.().catch(() => undefined)
    throw error instanceof RunRefusal ? error : notRecognised('its body broke off.', error)
  }
}

async function detect(iterator: AsyncIterator<Uint8Array>, framing: Framing, sleep: Sleep): Promise<DetectedBody> {
  const source = getSource(framing)()
  const chunks: Uint8Array[] = []
  const records: RawRecord[] = []
  let size = 0
  while (true) {
    const next = stepOf(iterator)
    const inSilence = records.length > 0 && (await isSilent(next, sleep)) ? formatOf(records) : undefined
    if (inSilence?.format !== undefined) return { format: inSilence.format, body: resumed(chunks, next, iterator) }
    const { done, value } = await next
    for (const record of done === true ? source.end() : source.feed(value)) records.push(record)
    if (done !== true) size += chunks[chunks.push(value) - 1]?.byteLength ?? 0
    if (size > LARGEST_BEGINNING) throw notRecognised('its first records are too large.')
    const enough = done === true ? records.length : sampleSize(records)
    if (enough === undefined) continue
    const { format, reason } = formatOf(records.slice(0, enough))
    if (format === undefined) throw notRecognised(reason)
    return { format, body: resumed(chunks, done === true ? next : stepOf(iterator), iterator) }
  }
}

const formatOf = (records: readonly RawRecord[]) => detectFormat(allParsers(), records)

const notRecognised = (reason: string, cause?: unknown) => new RunRefusal('format-not-recognised', reason, { cause })

/** The next chunk. Its failure is left to the reader, which may come later. */
function stepOf(iterator: AsyncIterator<Uint8Array>): Promise<Step> {
  const next = iterator.next()
  next.catch(() => undefined)
  return next
}

async function isSilent(next: Promise<unknown>, sleep: Sleep): Promise<boolean> {
  const wait = new AbortController()
  const silence = sleep(SILENCE, wait.signal).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([silence, next.then(() => false)])
  } finally {
    wait.abort()
  }
}

async function* resumed(
  chunks: readonly Uint8Array[],
  next: Promise<Step>,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* chunks
    for (let read = await next; read.done !== true; read = await iterator.next()) yield read.value
  } finally {
    await iterator.return?.()
  }
}
