import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqlite } from '../sqlite.ts'
import { fileOf, migrate } from './database.ts'
import { migrations } from './migrations.ts'
import { sqliteModule } from './sqlite-module.ts'

const { DatabaseSync } = sqliteModule()

/** How many migrations the last release without owners and commands had. */
const WITHOUT_OWNERS = 6

/** A file of that release: two threads, runs that were live, waiting and ended, one entry each. */
function writtenWithoutOwners(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = new DatabaseSync(fileOf(folder))
  migrate(database, migrations.slice(0, WITHOUT_OWNERS))
  for (const id of ['one', 'two']) database.prepare('INSERT INTO threads VALUES (?, ?, 5, 6)').run(id, `Title ${id}`)
  const addRun = database.prepare(`
    INSERT INTO runs (id, thread_id, format, parser_version, attempt, state, outcome, seq, last_at, created_at, ended_at)
    VALUES (?, ?, 'agent-lines', 1, 3, ?, ?, 1, 7, 7, ?) RETURNING number`)
  const addEntry = database.prepare("INSERT INTO entries VALUES (?, 1, 1, '[[7,0,1]]', ?)")
  for (const [threadId, state] of [
    ['one', 'ended'],
    ['one', 'live'],
    ['two', 'waiting'],
    ['two', 'ended'],
  ] as const) {
    const [outcome, endedAt] = state === 'ended' ? ['success', 7] : [null, null]
    const row = addRun.get(`${threadId} ${state}`, threadId, state, outcome, endedAt)
    const event = state === 'ended' ? { type: 'run-end', outcome } : { type: 'run-start' }
    addEntry.run(row?.number ?? null, JSON.stringify([event]))
  }
  database.close()
  return folder
}

describe('a file without owners and commands', () => {
  it('is opened: its open runs need a node, its ended ones do not', async () => {
    const log = await sqlite.open({ folder: writtenWithoutOwners() })
    onTestFinished(() => log.close())
    const expired = await log.expired()
    expect(expired.map(({ id, state, epoch }) => ({ id, state, epoch }))).toEqual([
      { id: 'one live', state: 'live', epoch: 0 },
      { id: 'two waiting', state: 'waiting', epoch: 0 },
    ])
    expect(await log.openRuns()).toEqual(expired)
    expect((await log.threads({})).items.map(({ title, version }) => [title, version])).toEqual([
      ['Title two', 1],
      ['Title one', 1],
    ])
    const nodeId = await log.join()
    for (const { id } of expired) {
      expect(await log.acquire(id, nodeId)).toMatchObject({ owner: nodeId, epoch: 1, attempt: 3, state: 'live' })
      const position = { epoch: 1, afterSeq: 1 }
      const { after, lines } = await log.append(id, position, {
        inputs: [],
        events: [{ type: 'run-end', outcome: 'interrupted' }],
      })
      expect([after, lines.length]).toEqual([1, 1])
      expect(await log.commands(id, { after: 0 })).toEqual([])
    }
    expect(await log.expired()).toEqual([])
    expect(await log.run('one ended')).toMatchObject({ state: 'ended', outcome: 'success', epoch: 0, endedAt: 7 })
  })

  it('has no nodes and no owners that anybody could take for its own', async () => {
    const folder = writtenWithoutOwners()
    for (const _time of [1, 2]) {
      const log = await sqlite.open({ folder })
      const expired = await log.expired()
      expect(expired).toHaveLength(2)
      for (const { id, owner = 'none' } of expired) {
        await expect(log.acquire(id, owner)).rejects.toMatchObject({ code: 'unknown-node' })
      }
      await log.close()
    }
  })
})

async function all<Item>(batches: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const batch of batches) items.push(...batch)
  return items
}

/** How many migrations the last release with one row per input had. */
const WITH_SINGLE_INPUTS = 8

describe('a file with one row per input', () => {
  it('is opened without being rewritten: a run goes on, and its inputs of both forms are read in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-migrations-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = new DatabaseSync(fileOf(folder))
    migrate(database, migrations.slice(0, WITH_SINGLE_INPUTS))
    database.exec(`
      INSERT INTO threads VALUES ('t', '', 5, 6, 1);
      INSERT INTO runs (number, id, thread_id, format, parser_version, attempt, state, seq, raw_records, inputs, last_at, created_at)
      VALUES (1, 'r', 't', 'agent-lines', 1, 1, 'live', 1, 2, 4, 7, 7);
      INSERT INTO entries VALUES (1, 1, 1, '', '{"seq":1,"at":7,"event":{"type":"run-start"},"rawThrough":2}');
      INSERT INTO inputs VALUES (1, 1, 'utf-8', '"named"', x'6869'), (1, 2, 'utf-16', NULL, x'3dd8'),
        (1, 3, 'event', NULL, '{"type":"run-start"}'), (1, 4, 'client-event', NULL, '{"type":"run-start"}');`)
    const stored = () => database.prepare('SELECT * FROM entries JOIN inputs USING (run)').all()
    const before = stored()
    const log = await sqlite.open({ folder, now: () => 8 })
    onTestFinished(() => log.close())
    expect(stored()).toEqual(before)
    database.close()
    const input = { by: 'producer', text: 'new', name: undefined } as const
    const end = { type: 'run-end', outcome: 'success' } as const
    await log.append('r', { epoch: 0, afterSeq: 1, afterRaw: 2 }, { inputs: [input], events: [end] })
    const expected = [
      { by: 'producer', text: 'hi', name: 'named' },
      { by: 'producer', text: '\ud83d', name: undefined },
      { by: 'server', event: { type: 'run-start' } },
      { by: 'client', event: { type: 'run-start' } },
      input,
    ]
    for (const isPacked of [false, true]) {
      if (isPacked) await log.pack('r')
      expect(await all(log.inputs('r'))).toEqual(expected)
      expect(await all(log.read('r', { after: 0, live: false }))).toEqual([
        { seq: 1, at: 7, event: { type: 'run-start' }, rawThrough: 2 },
        { seq: 2, at: 8, event: end, rawThrough: 3 },
      ])
    }
  })
})
