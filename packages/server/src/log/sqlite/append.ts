import type { DatabaseSync } from 'node:sqlite'
import { type AppendRequest, checkMessage, checkRepeated, expectedStamp, isNext, stampOf } from '../append-rules.ts'
import { parseLines, restamped, type Stamp } from '../entry-lines.ts'
import { LogError } from '../errors.ts'
import type { NewRun, Settlement } from '../log.ts'
import type { Cargo } from './batch.ts'
import { type EntryColumns, joined, linesIn, type Slice, textPageOf } from './entry-rows.ts'
import { buffersOf, type HandedText, textIn } from './handed-text.ts'
import type { InputSlice } from './input-pages.ts'
import { isSmall, type RecentAppends } from './recent-appends.ts'
import { type HeadColumns, headOf, type MessageColumns } from './rows.ts'

/** An append on its way to the writing thread: everything that is stored as text is text already. */
export interface Handover {
  readonly request: AppendRequest
  /** Encoded with the stamp that is expected. */
  readonly slices: readonly HandedSlice[]
  readonly inputs: readonly HandedPage[]
  readonly message: HandedMessage | undefined
  readonly framing: string | undefined
  /** The stored files that its events name. */
  readonly files: readonly string[]
  readonly settle: readonly Settlement[]
  readonly followUp: NewRun | undefined
  /** Whether viewers of the thread see a difference, beyond the run's entries. */
  readonly changesThread: boolean
  readonly now: number
}

/** What an append changes beside the run. */
export interface AppendEffects {
  touchThread(threadId: string, now: number): void
  noteThread(threadId: string): void
  settle(run: number, settlements: readonly Settlement[]): void
  createFollowUp(run: NewRun, now: number): void
}

export interface HandedSlice extends Omit<Slice, 'lines'> {
  readonly lines: HandedText
}

export interface HandedPage extends Omit<InputSlice, 'page'> {
  readonly page: HandedText
}

export interface HandedMessage extends Omit<MessageColumns, 'content' | 'message_metadata'> {
  readonly content: HandedText
  readonly message_metadata: HandedText
}

/** The size of an append, and the memory that is transferred with it. */
export function cargoOf(handover: Handover): Cargo {
  const { message } = handover
  const texts = [...contentsOf(handover), ...(message ? [message.content, message.message_metadata] : [])]
  return { characters: texts.reduce((sum, { length }) => sum + length, 0), buffers: buffersOf(texts) }
}

const contentsOf = ({ slices, inputs }: Handover): readonly HandedText[] => [
  ...slices.map(({ lines }) => lines),
  ...inputs.map(({ page }) => page),
]

export interface Appended {
  readonly threadId: string
  /** The stamp of its entries, if it is another one than was expected. */
  readonly stamp?: Stamp
  /** Its lines, if they were already stored. */
  readonly repeated?: readonly string[]
}

export interface Appends {
  append(handover: Handover): Appended
  /** MUST be called when anything else has changed a run, and when an append was rolled back. */
  forgetHeads(): void
}

/** The most heads that are kept. */
const MOST_HEADS = 4_096

export function createAppends(database: DatabaseSync, recent: RecentAppends, effects: AppendEffects): Appends {
  /** The heads of runs to which this thread has appended: it is the only one that writes. */
  const heads = new Map<string, HeadColumns>()
  const selectHead = database.prepare(`
    SELECT number, thread_id, epoch, state, seq, raw_records, inputs, last_at FROM runs WHERE id = ?`)
  const addEntries = database.prepare("INSERT INTO entries VALUES (?, ?, ?, '', CAST(? AS TEXT))")
  const addInputs = database.prepare("INSERT INTO inputs VALUES (?, ?, 'page', NULL, CAST(? AS TEXT))")
  const addMessage = database.prepare(`
    INSERT INTO messages VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?) ON CONFLICT (id) DO UPDATE
    SET content = excluded.content, message_metadata = excluded.message_metadata WHERE chat_id = excluded.chat_id`)
  const advance = database.prepare(`
    UPDATE runs SET seq = ?, raw_records = ?, inputs = ?, last_at = ? WHERE number = ?`)
  const addFile = database.prepare('INSERT INTO files VALUES (?, ?) ON CONFLICT DO NOTHING')
  const useFile = database.prepare('DELETE FROM unused_files WHERE id = ?')
  const setFraming = database.prepare('UPDATE runs SET framing = ? WHERE number = ?')
  const end = database.prepare(`
    UPDATE runs SET state = 'ended', outcome = ?, ended_at = ?, owner = NULL, wait_until = NULL WHERE number = ?`)
  const between = database.prepare(`
    SELECT first_seq, last_seq, stamps, lines FROM entries WHERE run = ?1 AND last_seq > ?2 AND first_seq <= ?3
    UNION ALL
    SELECT first_seq, last_seq, '', lines FROM appends
    WHERE run = ?1 AND last_seq > ?2 AND first_seq <= ?3 AND first_seq <= last_seq
    ORDER BY last_seq`)

  function repeated(run: HeadColumns, { request, slices }: Handover): Appended {
    const { afterSeq, events } = request
    const rows = between.all(run.number, afterSeq, afterSeq + events) as unknown as EntryColumns[]
    const stored = linesIn(textPageOf(rows, afterSeq)).slice(0, events)
    const handed = slices.flatMap(({ lines }) => linesIn(textIn(lines)))
    checkRepeated(headOf(run), request, parseLines(stored), parseLines(handed))
    return { threadId: run.thread_id, repeated: stored }
  }

  /** Returns the stamp if it is not the expected one: then the lines are encoded again. */
  function store(run: HeadColumns, handover: Handover): Stamp | undefined {
    const { request, slices, inputs } = handover
    const [stamp, expected] = [stampOf(headOf(run), request), expectedStamp(request)]
    const isExpected = stamp.at === expected.at && stamp.rawRecords === expected.rawRecords
    const stamped = isExpected ? slices : slices.map((slice) => restampedSlice(slice, expected, stamp))
    if (slices.length <= 1 && inputs.length <= 1 && isSmall(contentsOf(handover)))
      storeSmall(run, stamped[0], inputs[0])
    else storeLarge(run, stamped, inputs)
    return isExpected ? undefined : stamp
  }

  function storeSmall(run: HeadColumns, slice: HandedSlice | undefined, page: HandedPage | undefined): void {
    if (slice === undefined && page === undefined) return
    recent.add({
      run: run.number,
      last_seq: run.seq + (slice?.count ?? 0),
      first_seq: run.seq + 1,
      position: run.inputs + (page?.count ?? 0),
      lines: textIn(slice?.lines ?? ''),
      inputs: textIn(page?.page ?? ''),
    })
  }

  function storeLarge(run: HeadColumns, slices: readonly HandedSlice[], pages: readonly HandedPage[]): void {
    recent.mergeRun(run.number)
    let [seq, position] = [run.seq, run.inputs]
    for (const { count, lines } of slices) {
      const first = seq + 1
      seq += count
      addEntries.run(run.number, seq, first, lines)
    }
    for (const { count, page } of pages) {
      position += count
      addInputs.run(run.number, position, page)
    }
  }

  function findHead(runId: string): HeadColumns {
    const run = heads.get(runId) ?? (selectHead.get(runId) as unknown as HeadColumns | undefined)
    if (run === undefined) throw new LogError('unknown-run', runId)
    return run
  }

  function keepHead(runId: string, head: HeadColumns): void {
    if (heads.size >= MOST_HEADS) heads.clear()
    heads.set(runId, head)
  }

  function append(handover: Handover): Appended {
    const { request, inputs, message, framing, files, settle, followUp, now } = handover
    const run = findHead(request.runId)
    const head = headOf(run)
    checkMessage(head, message && { id: message.id, chatId: message.chat_id })
    if (!isNext(head, request)) return repeated(run, handover)
    const { at } = stampOf(head, request)
    const stamp = store(run, handover)
    const position = inputs.reduce((sum, { count }) => sum + count, run.inputs)
    const [seq, rawRecords] = [run.seq + request.events, run.raw_records + request.rawRecords]
    const lastAt = request.events > 0 ? at : run.last_at
    advance.run(seq, rawRecords, position, lastAt, run.number)
    keepHead(request.runId, { ...run, seq, raw_records: rawRecords, inputs: position, last_at: lastAt })
    if (framing !== undefined) setFraming.run(framing, run.number)
    if (message !== undefined) {
      addMessage.run(message.id, message.chat_id, message.role, message.content, message.message_metadata, at)
    }
    for (const file of files) {
      addFile.run(file, run.thread_id)
      useFile.run(file)
    }
    if (request.end !== undefined) {
      end.run(request.end, at, run.number)
      heads.delete(request.runId)
      effects.touchThread(run.thread_id, now)
    } else if (handover.changesThread) effects.noteThread(run.thread_id)
    effects.settle(run.number, settle)
    if (followUp !== undefined) effects.createFollowUp(followUp, now)
    return { threadId: run.thread_id, ...(stamp !== undefined && { stamp }) }
  }

  return { append, forgetHeads: () => heads.clear() }
}

const restampedSlice = ({ count, lines }: HandedSlice, expected: Stamp, stamp: Stamp): HandedSlice => ({
  count,
  lines: joined(restamped(linesIn(textIn(lines)), expected, stamp)),
})
