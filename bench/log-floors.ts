import type { DatabaseSync } from 'node:sqlite'
import type { StreamEvent } from '@millrace/core/events'
import { openForWriting } from '@millrace/server/log/sqlite/database'
import { createRecentAppends } from '@millrace/server/log/sqlite/recent-appends'

export interface Item {
  readonly raw: string
  readonly event: StreamEvent
}

/** How a floor stores one record and its entry. */
interface Layout {
  add(run: number | bigint, nth: number): void
  /** Called after each commit. */
  committed(): void
}

type LayoutOf = (database: DatabaseSync, items: readonly Item[]) => Layout

/** A row for the record and a row for the entry, each in the place of its run. */
export const byRun: LayoutOf = (database, items) => {
  const rows = items.map(({ raw, event }) => ({ raw: Buffer.from(raw), events: JSON.stringify([event]) }))
  const addEntry = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)')
  const addInput = database.prepare("INSERT INTO inputs VALUES (?, ?, 'utf-8', NULL, ?)")
  return {
    add(run, nth) {
      const { raw, events } = rows[nth % rows.length] as (typeof rows)[number]
      addEntry.run(run, nth + 1, nth + 1, '[[1700000000000,1,1]]', events)
      addInput.run(run, nth + 1, raw)
    },
    committed: () => {},
  }
}

/** The rows that the log itself writes. */
export const asOurs: LayoutOf = (database, items) => {
  const recent = createRecentAppends(database)
  return {
    add(run, nth) {
      const { raw, event } = items[nth % items.length] as Item
      const [seq, number] = [nth + 1, Number(run)]
      const lines = `{"seq":${seq},"at":1700000000000,"event":${JSON.stringify(event)},"rawThrough":${seq}}`
      const inputs = `[[0,${raw.length}]]\n${raw}`
      recent.add({ run: number, last_seq: seq, first_seq: seq, position: seq, lines, inputs })
    },
    committed() {
      if (!recent.isFull()) return
      database.exec('BEGIN IMMEDIATE')
      recent.mergeAll()
      database.exec('COMMIT')
    },
  }
}

/** The floor: one connection, the same tables, only the records and the entries. */
export function createBare(folder: string, layoutOf: LayoutOf, items: readonly Item[]) {
  const database = openForWriting(folder)
  database.exec("INSERT INTO threads VALUES ('t', '', 0, 0, 1)")
  const addRun = database.prepare(
    `INSERT INTO runs (number, id, thread_id, format, parser_version, attempt, state, last_at, created_at)
     VALUES (?, ?, 't', 'f', 1, 1, 'live', 0, 0)`,
  )
  const layout = layoutOf(database, items)
  let runs = 0
  return {
    newRun: () => addRun.run(++runs, String(runs)).lastInsertRowid,
    commit(places: readonly { readonly run: number | bigint; readonly nth: number }[]) {
      database.exec('BEGIN IMMEDIATE')
      for (const { run, nth } of places) layout.add(run, nth)
      database.exec('COMMIT')
      layout.committed()
    },
    close: () => database.close(),
  }
}
export type Bare = ReturnType<typeof createBare>
