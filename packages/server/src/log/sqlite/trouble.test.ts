import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LogError } from '../errors.ts'
import type { Channel } from './channel.ts'
import { openForWriting } from './database.ts'
import { troubleOf } from './failures.ts'
import { watchedWriter } from './watched-writer.ts'
import type { Writes } from './writes.ts'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('It did not throw.')
}

/** A writing thread that fails while an error is set, and counts its requests. */
function writerOf() {
  let error: LogError | undefined
  const asked: string[] = []
  const call = async (name: string) => {
    asked.push(name)
    if (error !== undefined) throw error
  }
  const channel = { call, ship: (_cargo: unknown, name: string) => call(name) } as unknown as Channel<Writes>
  const fail = (reason: LogError | undefined) => {
    error = reason
  }
  return { writer: watchedWriter(channel), asked, fail }
}

describe('the trouble of a log', () => {
  it('is derived from the errors of SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-trouble-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = openForWriting(folder)
    database.exec('PRAGMA max_page_count = 1')
    const full = thrownBy(() => database.exec("INSERT INTO meta VALUES ('large', hex(zeroblob(100000)))"))
    expect(troubleOf(full)).toMatchObject({ code: 'log-full', cause: full })
    database.close()
    const other = new DatabaseSync(':memory:')
    expect(troubleOf(thrownBy(() => other.exec('SELECT nonsense')))).toMatchObject({ code: 'log-failed' })
    expect(troubleOf('its thread ended')).toMatchObject({ code: 'log-failed', detail: 'its thread ended' })
    const refusal = new LogError('run-closed', 'r')
    expect(troubleOf(refusal)).toBe(refusal)
    other.close()
  })

  it('is probed only after a failed write, once for all concurrent calls', async () => {
    const { writer, asked, fail } = writerOf()
    expect(await writer.trouble()).toBeUndefined()
    expect(asked).toEqual([])
    const full = new LogError('log-full', 'no room')
    fail(full)
    await expect(writer.call('acquire', 'r', 'node')).rejects.toBe(full)
    expect(await Promise.all([writer.trouble(), writer.trouble(), writer.trouble()])).toEqual([full, full, full])
    expect(asked).toEqual(['acquire', 'probe'])
    fail(undefined)
    expect(await writer.trouble()).toBeUndefined()
    expect(await writer.trouble()).toBeUndefined()
    expect(asked).toEqual(['acquire', 'probe', 'probe'])
  })

  it('is found in every outage, and its end after every one', async () => {
    const { writer, fail } = writerOf()
    for (const outage of [1, 2, 3]) {
      const full = new LogError('log-full', `outage ${outage}`)
      fail(full)
      await expect(writer.call('acquire', 'r', 'node')).rejects.toBe(full)
      expect([await writer.trouble(), await writer.trouble()]).toEqual([full, full])
      fail(undefined)
      expect([await writer.trouble(), await writer.trouble()]).toEqual([undefined, undefined])
    }
  })

  it('is not a refusal, and is over after the next successful write', async () => {
    const { writer, asked, fail } = writerOf()
    fail(new LogError('run-owned', 'r'))
    await expect(writer.call('acquire', 'r', 'node')).rejects.toMatchObject({ code: 'run-owned' })
    expect(await writer.trouble()).toBeUndefined()
    fail(new LogError('log-failed', 'r'))
    await expect(writer.ship({ characters: 0, buffers: [] }, 'append', {} as never)).rejects.toThrow()
    fail(undefined)
    await writer.call('acquire', 'r', 'node')
    expect(await writer.trouble()).toBeUndefined()
    expect(asked).toEqual(['acquire', 'append', 'acquire'])
  })
})
