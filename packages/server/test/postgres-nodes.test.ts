import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { postgres } from '../src/log/postgres.ts'

const PROGRAM = fileURLToPath(new URL('./programs/log-node.ts', import.meta.url))
const TTL = 3_000
/** What a sweep may take beside the ttl on a busy machine, in ms. `npm run faults` has the real bound. */
const SWEPT_WITHIN = 10_000

interface Other {
  readonly child: ChildProcess
  readonly lines: string[]
  until(isEnough: () => boolean): Promise<void>
}

/** Another process, which owns the run "r" and appends to it. */
function startOther(url: string): Other {
  const child = spawn(process.execPath, [PROGRAM, url, String(TTL)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const until = async (isEnough: () => boolean) => {
    for (let round = 0; round < 1_000 && !isEnough(); round++) await setTimeout(20)
    expect(isEnough(), lines.slice(-3).join()).toBe(true)
  }
  return { child, lines, until }
}

async function openHere(url: string): Promise<Log> {
  const log = await postgres.open({ folder: '', url, leaseTtl: TTL })
  onTestFinished(() => log.close())
  return log
}

/** Resolves when the log has said, by itself, that runs have expired, with how long that took. */
async function expiry(log: Log): Promise<number> {
  const begun = performance.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = log.watch('expired', resolve)
  await promise
  stop()
  return performance.now() - begun
}

const storedBy = ({ lines }: Other) => lines.filter((line) => line.startsWith('stored')).length

describe.skipIf(postgresAbsence)('two processes over one database', () => {
  it('a killed owner is noticed by the other soon after its ttl, and nothing is lost', async () => {
    const url = await (await sharedPostgres({ fsync: false })).createDatabase()
    const other = startOther(url)
    await other.until(() => storedBy(other) > 20)
    const log = await openHere(url)
    const nodeId = await log.join()
    await expect(log.acquire('r', nodeId)).rejects.toMatchObject({ code: 'run-owned' })
    other.child.kill('SIGKILL')
    expect(await expiry(log)).toBeLessThan(TTL + SWEPT_WITHIN)
    expect((await log.expired()).map(({ id }) => id)).toEqual(['r'])
    const run = await log.acquire('r', nodeId)
    expect(run).toMatchObject({ epoch: 2, owner: nodeId })
    expect(run.seq).toBeGreaterThanOrEqual(storedBy(other))
    expect(await log.expired()).toEqual([])
  }, 60_000)

  it('an owner that was stopped past its ttl writes nothing when it continues', async () => {
    const url = await (await sharedPostgres({ fsync: false })).createDatabase()
    const other = startOther(url)
    await other.until(() => storedBy(other) > 20)
    const log = await openHere(url)
    const nodeId = await log.join()
    other.child.kill('SIGSTOP')
    await expiry(log)
    const { seq } = await log.acquire('r', nodeId)
    other.child.kill('SIGCONT')
    await other.until(() => other.lines.includes('lost') && other.lines.includes('refused stale-owner'))
    await setTimeout(200)
    expect((await log.run('r'))?.seq).toBe(seq)
    expect(storedBy(other)).toBeLessThanOrEqual(seq)
    const events = [{ type: 'run-end', outcome: 'interrupted' } as const]
    await log.append('r', { epoch: 2, afterSeq: seq }, { inputs: [], events })
  }, 60_000)

  it('an owner that is stopped inside a statement keeps no lock once it is buried', async () => {
    const server = await sharedPostgres({ fsync: false })
    const url = await server.createDatabase()
    const log = await openHere(url)
    const nodeId = await log.join()
    const other = startOther(url)
    for (let round = 0; round < 5; round++) {
      await other.until(() => storedBy(other) > 5 * (round + 1))
      other.child.kill('SIGSTOP')
      await setTimeout(30)
      if (round < 4) other.child.kill('SIGCONT')
    }
    await expiry(log)
    const { epoch, seq } = await log.acquire('r', nodeId)
    const events = [{ type: 'run-end', outcome: 'interrupted' } as const]
    await log.append('r', { epoch, afterSeq: seq }, { inputs: [], events })
    const held = `SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'millrace %' AND state <> 'idle'
      AND pid <> pg_backend_pid() AND datname = current_database() AND xact_start < now() - interval '1 second'`
    expect(await server.query(held, url)).toBe('0')
  }, 60_000)

  it('a process that has joined again keeps its connections when its last node is buried', async () => {
    const server = await sharedPostgres({ fsync: false })
    const url = await server.createDatabase()
    const [one, other] = [await openHere(url), await openHere(url)]
    const nodeId = await one.join()
    await one.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1, owner: nodeId })
    const lastNode = `INSERT INTO millrace.nodes (id, session, until) SELECT 'last', session, now() - interval '1 second'
      FROM millrace.nodes`
    const connections = `SELECT pid FROM pg_stat_activity WHERE application_name IN (SELECT session FROM millrace.nodes)
      ORDER BY pid`
    await server.query(lastNode, url)
    const before = await server.query(connections, url)
    await other.expired()
    expect(await server.query("SELECT ended FROM millrace.nodes WHERE id = 'last'", url)).toBe('t')
    expect(before.split('\n').length).toBeGreaterThan(1)
    expect(await server.query(connections, url)).toBe(before)
  })

  it('the runs of a process that has left are free at once', async () => {
    const url = await (await sharedPostgres({ fsync: false })).createDatabase()
    const [one, other] = [await openHere(url), await openHere(url)]
    const owner = await one.join()
    await one.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1, owner })
    await one.close()
    expect(await other.acquire('r', await other.join())).toMatchObject({ epoch: 2 })
  })
})
