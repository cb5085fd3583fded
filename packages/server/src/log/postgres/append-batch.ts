import { type AppendRequest, expectedStamp, filesIn, stampOf, wellFormed } from '../append-rules.ts'
import { linesOf, type Stamp } from '../entry-lines.ts'
import { changesThread } from '../lease-rules.ts'
import type { Append, MessageRow, NewRun, Settlement } from '../log.ts'
import { slicesOf } from '../sqlite/entry-rows.ts'
import { type InputPage, inputPagesOf } from './input-pages.ts'
import { type HeadColumns, headOf, newRunText } from './rows.ts'
import { searchable, storable, storableOr } from './text.ts'

/** An append on its way to the database: everything that is stored is text or bytes already. */
export interface PreparedAppend {
  readonly request: AppendRequest
  readonly append: Append
  readonly stamp: Stamp
  readonly lines: readonly string[]
  readonly pages: readonly LinePage[]
  readonly inputs: readonly InputPage[]
  readonly extras: Extras | undefined
  readonly bytes: number
}

interface LinePage {
  readonly count: number
  readonly bytes: Buffer
}

/** What most appends do not have. */
interface Extras {
  readonly rings: boolean
  readonly bumps: boolean
  readonly framing: string | undefined
  readonly settle: readonly Settlement[]
  readonly message: HandedMessage | undefined
  readonly files: readonly string[]
  readonly followUp: NewRun | undefined
  readonly now: number
}

interface HandedMessage {
  readonly id: string
  readonly chat: string
  readonly content: Buffer
  readonly metadata: Buffer
  readonly searched: Buffer
}

export function preparedAppend(request: AppendRequest, append: Append, now: number): PreparedAppend {
  const inputs = inputPagesOf(append.inputs)
  const extras = extrasOf(append, request, now)
  return encoded({ request, append, inputs, extras }, expectedStamp(request))
}

/** The same with the stamp that the run's head gives it. */
export const restampedAppend = (prepared: PreparedAppend, head: HeadColumns): PreparedAppend =>
  encoded(prepared, stampOf(headOf(head), prepared.request))

type Unstamped = Pick<PreparedAppend, 'request' | 'append' | 'inputs' | 'extras'>

function encoded({ request, append, inputs, extras }: Unstamped, stamp: Stamp): PreparedAppend {
  const lines = linesOf(append, request.afterSeq, stamp)
  const pages = slicesOf(lines).map((slice) => ({ count: slice.count, bytes: Buffer.from(slice.lines) }))
  const sizes = [
    ...pages.map((page) => page.bytes.length),
    ...inputs.map(({ bodies, heads }) => bodies.length + heads.length),
  ]
  const message = extras?.message
  const own = message === undefined ? 0 : message.content.length + message.metadata.length + message.searched.length
  const bytes = sizes.reduce((sum, size) => sum + size, own)
  return { request, append, stamp, lines, pages, inputs, extras, bytes }
}

function extrasOf(append: Append, { end }: AppendRequest, now: number): Extras | undefined {
  const { framing, settle = [], message, followUp, events } = append
  const bumps = changesThread(append)
  const files = filesIn(events)
  const hasMore = end !== undefined || bumps || settle.length > 0 || files.length > 0
  if (!hasMore && framing === undefined && message === undefined) return undefined
  const rings = bumps || settle.length > 0
  const numbers = settle.map(({ number }) => number)
  return {
    rings,
    bumps,
    framing,
    // Of two results of one command the first counts.
    settle: settle.filter(({ number }, index) => numbers.indexOf(number) === index),
    message: message && handed(wellFormed(message)),
    files,
    followUp,
    now,
  }
}

const handed = ({ id, chatId, content, metadata }: MessageRow): HandedMessage => ({
  id: storable(id),
  chat: storable(chatId),
  content: Buffer.from(storable(content)),
  metadata: Buffer.from(JSON.stringify(metadata)),
  searched: Buffer.from(searchable(content)),
})

/** Texts in one buffer; offsets begin with 1, as in SQL. */
function createBytes() {
  const parts: Buffer[] = []
  let size = 0
  return {
    add(...buffers: readonly Buffer[]): number {
      const start = size + 1
      for (const buffer of buffers) {
        parts.push(buffer)
        size += buffer.length
      }
      return start
    },
    whole: () => Buffer.concat(parts, size),
  }
}

type Column = unknown[]
const columns = (count: number): Column[] => Array.from({ length: count }, () => [])
const put = (into: readonly Column[], ...values: readonly unknown[]) => {
  for (const [at, column] of into.entries()) column.push(values[at])
}

/** The parameters of the append statement, and whether it must be the full one. */
export function parametersOf(batch: readonly PreparedAppend[]): {
  readonly values: unknown[]
  readonly isFull: boolean
} {
  const bytes = createBytes()
  const [asked, lines, inputs] = [columns(10), columns(5), columns(5)]
  for (const [index, { request, pages, stamp, append, extras, inputs: read }] of batch.entries()) {
    const nth = index + 1
    const { runId, epoch, afterSeq, afterRaw = null, events, rawRecords } = request
    const position = [storable(runId), epoch, afterSeq, afterRaw, events, rawRecords, append.inputs.length]
    put(asked, ...position, stamp.rawRecords, stamp.at, extras?.message?.chat ?? null)
    let last = 0
    for (const page of pages) {
      put(lines, nth, last + 1, last + page.count, bytes.add(page.bytes), page.bytes.length)
      last += page.count
    }
    let lastInput = 0
    for (const { count, heads, bodies } of read) {
      lastInput += count
      const headBytes = Buffer.from(heads)
      put(inputs, nth, lastInput, bytes.add(headBytes, bodies), headBytes.length, bodies.length)
    }
  }
  const isFull = batch.some(({ extras }) => extras !== undefined)
  const more = isFull ? extraParameters(batch, bytes.add) : []
  return { values: [...asked, bytes.whole(), ...lines, ...inputs, ...more], isFull }
}

function extraParameters(batch: readonly PreparedAppend[], add: (...buffers: Buffer[]) => number): unknown[] {
  const [more, followUps, settlements, messages, files] = [columns(5), columns(2), columns(3), columns(6), columns(2)]
  for (const [index, { request, extras }] of batch.entries()) {
    const nth = index + 1
    put(
      more,
      extras?.rings ?? false,
      request.end ?? null,
      storableOr(extras?.framing),
      extras?.bumps ?? false,
      extras?.now ?? 0,
    )
    if (extras === undefined) continue
    if (extras.followUp !== undefined) put(followUps, nth, newRunText(extras.followUp))
    for (const { number, result } of extras.settle) put(settlements, nth, number, JSON.stringify(result))
    if (extras.message !== undefined) {
      const { id, content, metadata, searched } = extras.message
      put(messages, nth, id, add(content, metadata, searched), content.length, metadata.length, searched.length)
    }
    for (const file of extras.files) put(files, nth, storable(file))
  }
  return [...more, ...followUps, ...settlements, ...messages, ...files]
}
