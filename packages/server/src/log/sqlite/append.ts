import type { DatabaseSync } from 'node:sqlite'
import type { Entry, EntryMaker } from '@millrace/core/events'
import { type AppendRequest, checkMessage, checkRepeated, isNext, stampOf } from '../append-rules.ts'
import { LogError } from '../errors.ts'
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
  readonly now: number
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
  | { readonly at: number; readonly rawRecords: number; readonly repeated?: undefined }
  | { readonly repeated: readonly Entry[] }

export function createAppend(
  database: DatabaseSync,
  touchThread: (threadId: string, now: number) => void,
): (handover: Handover) => Appended {
  const selectHead = database.prepare(`
    SELECT number, thread_id, attempt, state, seq, raw_records, inputs, last_at FROM runs WHERE id = ?`)
  const addEntries = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, CAST(? AS TEXT))')
  const addInput = database.prepare('INSERT INTO inputs VALUES (?, ?, ?, ?, ?)')
  const addMessage = database.prepare(`
    INSERT INTO messages VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?) ON CONFLICT (id) DO UPDATE
    SET content = excluded.content, message_metadata = excluded.message_metadata WHERE chat_id = excluded.chat_id`)
  const advance = database.prepare(`
    UPDATE runs SET attempt = ?, seq = ?, raw_records = ?, inputs = ?, last_at = ? WHERE number = ?`)
  const addFile = database.prepare('INSERT INTO files VALUES (?, ?) ON CONFLICT DO NOTHING')
  const useFile = database.prepare('DELETE FROM unused_files WHERE id = ?')
  const setFraming = database.prepare('UPDATE runs SET framing = ? WHERE number = ?')
  const end = database.prepare("UPDATE runs SET state = 'ended', outcome = ?, ended_at = ? WHERE number = ?")
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
    const { request, inputs, message, framing, files, now } = handover
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
    advance.run(request.attempt, seq, rawRecords, position, request.events > 0 ? at : run.last_at, run.number)
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
      touchThread(run.thread_id, now)
    }
    return { at, rawRecords: run.raw_records }
  }
}
