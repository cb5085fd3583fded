import { setTimeout } from 'node:timers/promises'
import { postgresAbsence, startPostgres } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Log } from '../log.ts'
import { postgres } from '../postgres.ts'

const RUNS = Array.from({ length: 16 }, (_, index) => `run-${index}`)
const newRun = (id: string) => ({ id, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
const delta = (text: string) => ({ type: 'block-delta', blockId: 'b', text }) as const

async function open(url: string, leaseTtl?: number): Promise<Log> {
  const log = await postgres.open({ folder: '', url, report: () => undefined, ...(leaseTtl && { leaseTtl }) })
  onTestFinished(() => log.close())
  return log
}

async function openShared() {
  const server = await sharedPostgres({ fsync: false })
  const url = await server.createDatabase()
  return { server, url, log: await open(url) }
}

/** Appends to all runs until told to stop. Resolves with how many appends of each run were acknowledged. */
async function writeAll(log: Log, stop: AbortSignal): Promise<readonly number[]> {
  return Promise.all(
    RUNS.map(async (id) => {
      let nth = 0
      for (; !stop.aborted; nth++) {
        const inputs = [{ by: 'producer', text: `${id} ${nth + 1}`, name: undefined } as const]
        await log.append(
          id,
          { epoch: 0, afterSeq: nth, afterRaw: nth },
          { inputs, events: [delta(`${id} ${nth + 1}`)] },
        )
      }
      return nth
    }),
  )
}

/** Everything is there once and in order: each entry and each record holds its own position. */
async function expectAll(log: Log, counts: readonly number[]): Promise<void> {
  for (const [index, id] of RUNS.entries()) {
    const texts: unknown[] = []
    for await (const batch of log.read(id, { after: 0, live: false })) texts.push(...batch.map(({ event }) => event))
    const records: string[] = []
    for await (const batch of log.inputs(id)) records.push(...batch.map((input) => ('text' in input ? input.text : '')))
    const expected = Array.from({ length: counts[index] as number }, (_, nth) => `${id} ${nth + 1}`)
    expect(texts).toEqual(expected.map(delta))
    expect(records).toEqual(expected)
  }
}

describe.skipIf(postgresAbsence)('a database that fails', () => {
  it('loses and doubles nothing while its connections are cut again and again', async () => {
    const { server, url, log } = await openShared()
    await Promise.all(RUNS.map((id) => log.createRun(newRun(id))))
    const stop = new AbortController()
    const writing = writeAll(log, stop.signal)
    for (let round = 0; round < 8; round++) {
      await setTimeout(60)
      await server.cut(url)
    }
    stop.abort()
    const counts = await writing
    expect(Math.min(...counts)).toBeGreaterThan(3)
    await expectAll(log, counts)
  }, 60_000)

  it('loses and doubles nothing when it crashes and starts again', async () => {
    await using server = await startPostgres()
    const log = await open(await server.createDatabase())
    await Promise.all(RUNS.map((id) => log.createRun(newRun(id))))
    const stop = new AbortController()
    const writing = writeAll(log, stop.signal)
    await setTimeout(200)
    await server.stop()
    await server.start()
    await setTimeout(300)
    stop.abort()
    const counts = await writing
    await expectAll(log, counts)
    await log.close()
  }, 60_000)

  it('creates a run and gives it an owner once, although the answers are lost', async () => {
    const { server, url, log } = await openShared()
    const nodeId = await log.join()
    for (let round = 0; round < 12; round++) {
      const cut = round % 2 === 0 ? server.cut(url) : setTimeout(3).then(() => server.cut(url))
      const [created] = await Promise.all([log.createRun(newRun(`r${round}`)), cut])
      expect(created.isNew).toBe(true)
      const again = server.cut(url)
      const [acquired] = await Promise.all([log.acquire(`r${round}`, nodeId), again])
      expect(acquired).toMatchObject({ epoch: 1, owner: nodeId })
      const [command] = await Promise.all([log.tell(`r${round}`, { command: { type: 'stop' } }), server.cut(url)])
      expect(command.number).toBe(1)
      expect(await log.commands(`r${round}`, { after: 0 })).toHaveLength(1)
    }
  }, 60_000)

  it('reports its trouble after a while, and none once it is back', async () => {
    await using server = await startPostgres({ fsync: false })
    const log = await open(await server.createDatabase())
    await log.createRun(newRun('r'))
    expect(await log.trouble()).toBeUndefined()
    await server.stop()
    const append = log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events: [delta('a')] })
    await expect(append).rejects.toMatchObject({ code: 'log-failed' })
    expect(await log.trouble()).toMatchObject({ code: 'log-failed' })
    await server.start()
    expect(await log.trouble()).toBeUndefined()
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events: [delta('a')] })
    await log.close()
  }, 60_000)

  it('lets a run that another transaction has locked delay no other', async () => {
    const { url, log } = await openShared()
    await Promise.all(RUNS.map((id) => log.createRun(newRun(id))))
    const locker = new Client({ connectionString: url })
    await locker.connect()
    await locker.query("BEGIN; SELECT 1 FROM millrace.runs WHERE id = 'run-3' FOR UPDATE")
    const append = (id: string) => log.append(id, { epoch: 0, afterSeq: 0 }, { inputs: [], events: [delta(id)] })
    let isStored = false
    const locked = append('run-3').then(() => {
      isStored = true
    })
    await Promise.all(RUNS.filter((id) => id !== 'run-3').map(append))
    await Promise.all(RUNS.filter((id) => id !== 'run-3').map((id) => log.run(id)))
    expect(isStored).toBe(false)
    await locker.query('COMMIT')
    await locked
    await locker.end()
    expect((await log.run('run-3'))?.seq).toBe(1)
  }, 60_000)

  it('refuses one append that it cannot store, and takes those that were sent with it', async () => {
    const { server, url, log } = await openShared()
    await Promise.all(RUNS.map((id) => log.createRun(newRun(id))))
    const trigger = `CREATE FUNCTION millrace.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN IF NEW.lines LIKE '%poison%' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END$$;
      CREATE TRIGGER refuse BEFORE INSERT ON millrace.entries FOR EACH ROW EXECUTE FUNCTION millrace.refuse()`
    await server.query(trigger, url)
    const outcomes = await Promise.allSettled(
      RUNS.map((id, index) => {
        const events = [delta(index === 5 ? 'poison' : id)]
        return log.append(id, { epoch: 0, afterSeq: 0 }, { inputs: [], events })
      }),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      RUNS.map((_, index) => (index === 5 ? 'rejected' : 'fulfilled')),
    )
    expect((await log.run('run-5'))?.seq).toBe(0)
  })
})
