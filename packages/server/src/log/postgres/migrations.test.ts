import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it } from 'vitest'
import { only } from '../../files/files.ts'
import { openDatabaseFiles } from '../../files/postgres.ts'
import { postgres } from '../postgres.ts'
import { migrate, sessionAt } from './connections.ts'
import { migrations } from './migrations.ts'

const newDatabase = async () => {
  const server = await sharedPostgres({ fsync: false })
  return { server, url: await server.createDatabase() }
}

const open = (url: string) => postgres.open({ folder: '', url })

describe.skipIf(postgresAbsence)('the tables of a database', () => {
  it('of version 1 become those of today, with what they hold', async () => {
    const { server, url } = await newDatabase()
    await migrate(await sessionAt(url, 'test'), migrations.slice(0, 1))
    await server.query(
      `SET search_path = millrace; INSERT INTO threads VALUES ('t', 'Kept', 'kept', NULL, 5, 6, 3);
       INSERT INTO runs (id, thread, format, parser_version, attempt, state, epoch, seq, last_at, created_at)
         VALUES ('r', 't', 'agent-lines', 1, 1, 'live', 0, 1, 7, 7);
       INSERT INTO entries VALUES (1, 1, 1, '{"seq":1,"at":7,"event":{"type":"run-start"},"rawThrough":0}')`,
      url,
    )
    const log = await open(url)
    expect(await log.thread('t')).toEqual({ id: 't', title: 'Kept', createdAt: 5, updatedAt: 6, version: 3 })
    const events = [{ type: 'run-end', outcome: 'success' } as const]
    await log.append('r', { epoch: 0, afterSeq: 1 }, { inputs: [], events })
    const seqs: number[] = []
    for await (const batch of log.read('r', { after: 0, live: true })) seqs.push(...batch.map(({ seq }) => seq))
    expect(seqs).toEqual([1, 2])
    const files = await openDatabaseFiles(url)
    await files.store({ mediaType: 'text/plain' }, only(Buffer.from('new')))
    await Promise.all([log.close(), files.close()])
  })

  it('are made once by processes that start at the same time', async () => {
    const { server, url } = await newDatabase()
    const logs = await Promise.all([1, 2, 3, 4].map(() => open(url)))
    await Promise.all(logs.map((log) => log.close()))
    const versions = await server.query('SELECT version FROM millrace.schema_version ORDER BY 1', url)
    expect(versions.split('\n')).toEqual(migrations.map((_, index) => `${index + 1}`))
  })

  it('hold nothing of a deleted thread', async () => {
    const { server, url } = await newDatabase()
    const log = await open(url)
    await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    const events = [{ type: 'run-start' }, { type: 'run-end', outcome: 'success' }] as const
    const message = { id: 'm', chatId: 't', role: 'assistant', content: 'gone', metadata: {} } as const
    const inputs = [{ by: 'producer', text: '{}', name: undefined }] as const
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs, events, message })
    await log.tell('r', { command: { type: 'stop' } })
    await log.index('r', [{ kind: 'text', seq: 1, text: 'gone' }], 1)
    const tables = ['threads', 'runs', 'entries', 'inputs', 'messages', 'commands', 'searched']
    const counts = `SELECT ${tables.map((table) => `(SELECT count(*) FROM millrace.${table})`).join(" || ' ' || ")}`
    expect(await server.query(counts, url)).toBe('1 1 1 1 1 1 1')
    await log.deleteThread('t')
    expect(await server.query(counts, url)).toBe('0 0 0 0 0 0 0')
    await log.close()
  })

  it('are read as they are: PostgreSQL compiles no statement for it', async () => {
    const { url } = await newDatabase()
    await (await open(url)).close()
    const session = await sessionAt(url, 'test')
    const plan = await session.once({ name: '', text: 'EXPLAIN SELECT id FROM store' })
    await session.close()
    expect(JSON.stringify(plan)).toContain('Seq Scan on store')
    expect(JSON.stringify(plan)).not.toContain('JIT')
  })

  it('of a newer release are refused with a sentence, and left alone', async () => {
    const { server, url } = await newDatabase()
    await (await open(url)).close()
    await server.query('INSERT INTO millrace.schema_version VALUES (99)', url)
    await expect(open(url)).rejects.toMatchObject({
      code: 'newer-log',
      message: `The log was written by a newer Millrace: its tables have version 99, this one writes version ${migrations.length}.`,
    })
  })

  it('are not made by a migration that fails in the middle', async () => {
    const { server, url } = await newDatabase()
    const broken = [...migrations, 'CREATE TABLE half (id text); SELECT 1 / 0;']
    await expect(migrate(await sessionAt(url, 'test'), broken)).rejects.toMatchObject({ code: 'log-unreachable' })
    expect(await server.query("SELECT count(*) FROM pg_tables WHERE schemaname = 'millrace'", url)).toBe('0')
    await (await open(url)).close()
  })

  it('are not looked for at an address that is wrong, and no message holds its password', async () => {
    const wrong = ['postgres://someone:topsecret@127.0.0.1:1/none', 'http://someone:topsecret@host', 'topsecret', '']
    for (const url of wrong) {
      const error = await open(url).catch((caught: Error) => caught)
      expect(error).toMatchObject({ code: 'log-unreachable' })
      expect(String((error as Error).message)).not.toContain('topsecret')
    }
    await expect(postgres.open({ folder: '' })).rejects.toMatchObject({ code: 'log-unreachable' })
  })
})
