import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { deflateRawSync } from 'node:zlib'
import type { Entry, StreamEvent } from '@millrace/core/events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Log } from './log.ts'
import { createChannel } from './sqlite/channel.ts'
import { fileOf, migrate, openForWriting } from './sqlite/database.ts'
import { migrations } from './sqlite/migrations.ts'
import { sqlite } from './sqlite.ts'

const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function entriesOf(log: Log): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const batch of log.read('r', { after: 0, live: true })) entries.push(...batch)
  return entries
}

const start: StreamEvent = { type: 'run-start' }
const end: StreamEvent = { type: 'run-end', outcome: 'success' }
const run = { id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 }
const message = { id: 'm', chatId: 't', role: 'assistant', content: 'Hello', metadata: { thinking: 'hm' } } as const

describe('the sqlite log', () => {
  it('S0-99: stores message rows in the columns of the first document, plus the two that its code needs', async () => {
    const folder = newFolder()
    const log = await sqlite.open({ folder, now: () => 77 })
    await log.createRun(run)
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events: [start, end], message })
    await log.close()
    const database = new DatabaseSync(fileOf(folder), { readOnly: true })
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all('messages')
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id TEXT',
      'chat_id TEXT',
      'role TEXT',
      'content TEXT',
      'message_metadata TEXT',
      'created_at INTEGER',
    ])
    expect({ ...database.prepare('SELECT * FROM messages').get() }).toEqual({
      id: 'm',
      chat_id: 't',
      role: 'assistant',
      content: 'Hello',
      message_metadata: '{"thinking":"hm"}',
      created_at: 77,
    })
    database.close()
  })

  it('S0-99: opens a file that has only the first migration', async () => {
    const folder = newFolder()
    const old = new DatabaseSync(fileOf(folder))
    migrate(old, migrations.slice(0, 1))
    old.exec(`
      INSERT INTO threads VALUES ('t', 'Old', 1, 2);
      INSERT INTO runs (number, id, thread_id, format, parser_version, attempt, state, outcome, seq, raw_records, inputs,
        last_at, created_at, ended_at) VALUES (1, 'r', 't', 'agent-lines', 1, 1, 'ended', 'success', 2, 1, 1, 9, 1, 9);
      INSERT INTO entries VALUES (1, 2, 1, '[[5,0,1],[9,1,1]]', '[{"type":"run-start"},{"type":"run-end","outcome":"success"}]');
      INSERT INTO inputs VALUES (1, 1, 'utf-8', NULL, x'6869');
      INSERT INTO messages VALUES ('m', 't', 'assistant', 'Hello', '{"thinking":"hm"}', 9);`)
    old.close()
    const log = await sqlite.open({ folder })
    expect(await entriesOf(log)).toEqual([
      { seq: 1, at: 5, event: start, rawThrough: 0 },
      { seq: 2, at: 9, event: end, rawThrough: 1 },
    ])
    for await (const batch of log.inputs('r')) expect(batch).toEqual([{ by: 'producer', text: 'hi', name: undefined }])
    expect(await log.messages('t')).toEqual([message])
    expect(await log.lastRuns(['t'])).toMatchObject([{ id: 'r', state: 'ended', outcome: 'success' }])
    await log.close()
    const reopened = new DatabaseSync(fileOf(folder), { readOnly: true })
    expect(reopened.prepare("SELECT value FROM meta WHERE key = 'schema'").get()?.value).toBe(String(migrations.length))
    reopened.close()
  })

  it('runs only the migrations that a file has not had, all or none, and refuses a file of a newer version', async () => {
    const folder = newFolder()
    const database = new DatabaseSync(fileOf(folder))
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (a)', 'CREATE TABLE three (a); CREATE TABLE one (a)']
    migrate(database, steps.slice(0, 1))
    migrate(database, steps.slice(0, 2))
    expect(() => migrate(database, steps)).toThrow('already exists')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    expect(tables.map(({ name }) => name)).toEqual(['meta', 'one', 'two'])
    database.exec("UPDATE meta SET value = '1000'")
    database.close()
    await expect(sqlite.open({ folder })).rejects.toMatchObject({ code: 'newer-log' })
  })

  it('creates its folder and files so that only their owner can read them', async () => {
    const folder = join(newFolder(), 'deep', 'data')
    const log = await sqlite.open({ folder })
    await log.createRun(run)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const files = readdirSync(folder)
    expect(files).toContain('millrace.db-wal')
    for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600])
    await log.close()
    expect(readdirSync(folder)).toEqual(['millrace.db', 'millrace.lock'])
  })

  it('waits for the disk at each commit', () => {
    const database = openForWriting(newFolder())
    const settingOf = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]
    expect([settingOf('journal_mode'), settingOf('synchronous'), settingOf('foreign_keys')]).toEqual(['wal', 2, 1])
    expect(settingOf('busy_timeout')).toBeGreaterThan(1000)
    database.close()
  })

  it('allows one writer per folder at a time, and the next once the first has closed', async () => {
    const folder = newFolder()
    const first = await sqlite.open({ folder })
    await expect(sqlite.open({ folder })).rejects.toMatchObject({ code: 'log-taken' })
    await first.createThread({ id: 'still here' })
    await first.close()
    const second = await sqlite.open({ folder })
    expect(await second.thread('still here')).toBeDefined()
    await second.close()
  })

  it('stores a packed run in fewer rows and far fewer bytes, even if a part was packed before', async () => {
    const folder = newFolder()
    const log = await sqlite.open({ folder })
    await log.createRun(run)
    const word = (seq: number): StreamEvent => ({ type: 'block-delta', blockId: 'message-1:0', text: `word ${seq} ` })
    let afterSeq = 0
    for (const count of [200, 200, 200, 700, 700, 700]) {
      const events = Array.from({ length: count }, (_, nth) => word(afterSeq + nth))
      await log.append('r', { epoch: 0, afterSeq }, { inputs: [], events })
      afterSeq += count
    }
    await log.append('r', { epoch: 0, afterSeq }, { inputs: [], events: [end] })
    const database = new DatabaseSync(fileOf(folder))
    // As if an earlier attempt had packed one row among others.
    const second = database.prepare('SELECT lines FROM entries WHERE last_seq = 400').get()?.lines as string
    database.prepare('UPDATE entries SET lines = ? WHERE last_seq = 400').run(deflateRawSync(second))
    const sizes = database.prepare(`
      SELECT count(*) AS rows, sum(length(lines)) AS bytes, count(*) FILTER (WHERE typeof(lines) = 'text') AS unpacked
      FROM entries`)
    const [whole, before] = [await entriesOf(log), sizes.get()]
    await log.pack('r')
    const after = sizes.get()
    expect([before?.rows, after?.rows, after?.unpacked]).toEqual([6, 5, 0])
    expect(Number(after?.bytes)).toBeLessThan(Number(before?.bytes) / 5)
    expect(whole).toHaveLength(2701)
    expect(await entriesOf(log)).toEqual(whole)
    database.close()
    await log.close()
  })

  it('says why it cannot be opened', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await expect(sqlite.open({ folder: file })).rejects.toMatchObject({ code: 'log-failed', cause: expect.any(Error) })
  })
})

/** A slow thread that answers with its request, and dies when it gets the word `die`. */
const echo = `
  const { parentPort } = require('node:worker_threads')
  parentPort.postMessage({ value: 'ready' })
  parentPort.on('message', (batch) => {
    if (batch === 'close') return parentPort.close()
    if (batch.some(({ values: [word] }) => word === 'die')) throw new Error('it died')
    parentPort.postMessage(batch.map(({ values: [word] }) => ({ value: word + ' of ' + batch.length })))
  })`

interface Echo {
  say(word: string): string
}

describe('the thread of a log', () => {
  it('gets a request at once if it is idle, and then all that arrived meanwhile as one batch', async () => {
    const channel = createChannel<Echo>(new Worker(echo, { eval: true }))
    await channel.ready
    const first = channel.call('say', 'first')
    await Promise.resolve()
    const rest = ['a', 'b', 'c'].map((word) => channel.call('say', word))
    expect(await first).toBe('first of 1')
    expect(await Promise.all(rest)).toEqual(['a of 3', 'b of 3', 'c of 3'])
    const last = channel.call('say', 'last')
    await channel.drain()
    await channel.end()
    expect(await last).toBe('last of 1')
    await expect(channel.call('say', 'late')).rejects.toMatchObject({ code: 'log-closed' })
  })

  it('rejects a request that cannot be sent, and continues', async () => {
    const channel = createChannel<Echo>(new Worker(echo, { eval: true }))
    await channel.ready
    await expect(channel.call('say', (() => {}) as never)).rejects.toMatchObject({ code: 'log-failed' })
    expect(await channel.call('say', 'next')).toBe('next of 1')
    await channel.drain()
    await channel.end()
  })

  it('rejects all pending and later requests with the cause, once it has died', async () => {
    const channel = createChannel<Echo>(new Worker(echo, { eval: true }))
    await channel.ready
    const pending = channel.call('say', 'die')
    await Promise.resolve()
    const outcomes = await Promise.allSettled([pending, channel.call('say', 'waiting')])
    outcomes.push(...(await Promise.allSettled([channel.call('say', 'later')])))
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'log-failed', cause: expect.any(Error) } })
      expect(outcome.status === 'rejected' && outcome.reason.message).toContain('it died')
    }
    await channel.drain()
    await channel.end()
  })
})
