import type { DatabaseSync } from 'node:sqlite'
import type { Entry, EntryMaker } from '@millrace/core/events'
import { type AppendRequest, checkMessage, checkRepeated, isNext, stampOf } from '../append-rules.ts'
import { LogError } from '../errors.ts'
import type { NewRun, Settlement } from '../log.ts'
import type { Cargo } from './batch.ts'
import { type EntryColumns, entriesOf, type Slice, stampsOf } from './entry-rows.ts'
import { buffersOf, type HandedText, textIn } from './handed-text.ts'
import { type HandedInput, type HeadColumns, headOf, inputColumns, type MessageColumns, sizeOfInput } from './rows.ts'

/** An append on its way to the writing thread: everything that is stored as text is text already. */
export interface Handover {
  readonly request: AppendRequest
  /** For each event, how many raw records of the append had been read. */
  readonly rawThrough: readonly number[]
  /** The maker of each event; undefined if the producer made all of them. */
  readonly makers: readonly (EntryMaker | undefined | null)[] | undefined
  readonly slices: readonly HandedSlice[]
  readonly inputs: readonly HandedInput[]
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

export interface HandedSlice extends Omit<Slice, 'events'> {
  readonly events: HandedText
}

export interface HandedMessage extends Omit<MessageColumns, 'content' | 'message_metadata'> {
  readonly content: HandedText
  readonly message_metadata: HandedText
}

/** The size of an append, and the memory that is transferred with it. */
export function cargoOf({ slices, inputs, message }: Handover): Cargo {
  const texts = [...slices.map(({ events }) => events), ...(message ? [message.content, message.message_metadata] : [])]
  const characters = [...texts.map(({ length }) => length), ...inputs.map(sizeOfInput)]
  return {
    characters: characters.reduce((sum, each) => sum + each, 0),
    buffers: buffersOf([...texts, ...inputs.map((input) => 'kind' in input && input.body)]),
  }
}

/** What the sender needs to build the entries itself; or the entries, if they were already stored. */
export type Appended =
  | { readonly at: number; readonly rawRecords: number; readonly threadId: string; readonly repeated?: undefined }
  | { readonly repeated: readonly Entry[] }

export function createAppend(database: DatabaseSync, effects: AppendEffects): (handover: Handover) => Appended {
  const selectHead = database.prepare(`
    SELECT number, thread_id, epoch, state, seq, raw_records, inputs, last_at FROM runs WHERE id = ?`)
  const addEntries = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, CAST(? AS TEXT))')
  const addInput = database.prepare('INSERT INTO inputs VALUES (?, ?, ?, ?, ?)')
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
    SELECT first_seq, last_seq, stamps, events FROM entries
    WHERE run = ? AND last_seq > ? AND first_seq <= ? ORDER BY last_seq`)

  function repeated(run: HeadColumns, { request, slices }: Handover): Appended {
    const { afterSeq, events } = request
    const rows = between.all(run.number, afterSeq, afterSeq + events) as unknown as EntryColumns[]
    const stored = rows.flatMap(entriesOf).filter(({ seq }) => seq > afterSeq && seq <= afterSeq + events)
    const texts = slices.flatMap((slice) =>
      (JSON.parse(textIn(slice.events)) as unknown[]).map((event) => JSON.stringify(event)),
    )
    checkRepeated(headOf(run), request, stored, texts)
    return { repeated: stored }
  }

  function storeEntries(run: HeadColumns, at: number, { slices, rawThrough, makers }: Handover): void {
    let stored = 0
    for (const { count, events } of slices) {
      const first = run.seq + stored + 1
      const through = rawThrough.slice(stored, stored + count).map((raw) => run.raw_records + raw)
      const stamps = stampsOf(at, through, makers?.slice(stored, stored + count))
      addEntries.run(run.number, first + count - 1, first, stamps, events)
      stored += count
    }
  }

  return (handover) => {
    const { request, inputs, message, framing, files, settle, followUp, now } = handover
    const run = selectHead.get(request.runId) as unknown as HeadColumns | undefined
    if (run === undefined) throw new LogError('unknown-run', request.runId)
    const head = headOf(run)
    checkMessage(head, message && { id: message.id, chatId: message.chat_id })
    if (!isNext(head, request)) return repeated(run, handover)
    const at = stampOf(head, request)
    storeEntries(run, at, handover)
    let position = run.inputs
    for (const input of inputs) {
      const { kind, name, body } = inputColumns(input)
      addInput.run(run.number, ++position, kind, name, body)
    }
    const [seq, rawRecords] = [run.seq + request.events, run.raw_records + request.rawRecords]
    advance.run(seq, rawRecords, position, request.events > 0 ? at : run.last_at, run.number)
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
      effects.touchThread(run.thread_id, now)
    } else if (handover.changesThread) effects.noteThread(run.thread_id)
    effects.settle(run.number, settle)
    if (followUp !== undefined) effects.createFollowUp(followUp, now)
    return { at, rawRecords: run.raw_records, threadId: run.thread_id }
  }
}
