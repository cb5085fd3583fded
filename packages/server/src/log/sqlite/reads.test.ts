import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openForReading, openForWriting } from './database.ts'
import { createReads } from './reads.ts'
import { createWrites } from './writes.ts'

const run = { id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 }

/** The writer, and a reader between whose statements `meanwhile` happens. */
function openBoth(meanwhile: () => void) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-reads-'))
  const writer = openForWriting(folder)
  const reader = openForReading(folder)
  onTestFinished(() => {
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const interrupted = {
    exec: (sql: string) => reader.exec(sql),
    prepare(sql: string) {
      const statement = reader.prepare(sql)
      return {
        all(...values: SQLInputValue[]) {
          const rows = statement.all(...values)
          meanwhile()
          return rows
        },
        get: (...values: SQLInputValue[]) => statement.get(...values),
      }
    },
  }
  return { writer, writes: createWrites(writer), reads: createReads(interrupted as unknown as DatabaseSync) }
}

describe('a read of several statements', () => {
  it('lists no run whose owner has joined meanwhile as expired', () => {
    const { writes, reads } = openBoth(() => {
      writes.createRun({ ...run, owner: writes.join() }, 1)
    })
    expect(reads.expired(1)).toEqual([])
    expect(reads.expired(1)).toEqual([])
  })

  it('returns no command of an ended run as open, although both come meanwhile', () => {
    let isOver = true
    const { writer, writes, reads } = openBoth(() => {
      if (isOver) return
      isOver = true
      writer.exec("UPDATE runs SET state = 'ended'")
      writes.tell('r', { command: { type: 'stop' } }, 1)
    })
    writes.createRun(run, 1)
    isOver = false
    expect(reads.commands('r', 0, -1, false)).toEqual([])
    const [command] = reads.commands('r', 0, -1, false)
    expect(command?.result).toEqual({ state: 'refused', code: 'run-closed' })
  })
})
