import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BusMember } from '../src/bus/bus.ts'
import { local } from '../src/bus/local.ts'
import { postgres } from '../src/log/postgres.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs } from '../src/run/runs.ts'
import { bodyOf, brokenBody, createPipe, createReports, lineOf, refusalOf, textLine } from './run-parts.ts'

/** Two nodes whose messages reach each other, until the test makes them silent. */
async function openNodes() {
  const url = await (await sharedPostgres({ fsync: false })).createDatabase()
  const bus = await local.open({ url: '', scope: '', report: () => undefined })
  let isSilent = false
  const member: BusMember = {
    largestMessage: 64_000,
    open: async () => ({
      ...bus,
      publish: (topic, message) => (isSilent ? undefined : bus.publish(topic, message)),
      close: async () => undefined,
    }),
  }
  const open = () => postgres.open({ folder: '', url, bus: { member, url: '' } })
  const logs = await Promise.all([open(), open()])
  const { report, reports } = createReports()
  const [one, other] = logs.map((log) => createRuns({ log, agents: [], report })) as [Runs, Runs]
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()])
    await Promise.all(logs.map((log) => log.close()))
  })
  const silence = () => {
    isSilent = true
  }
  return { one, other, reports, silence }
}

describe.skipIf(postgresAbsence)('two nodes, and a message between them that comes too late', () => {
  it('a producer goes on at the other node, where a viewer has seen less of the run than is stored', async () => {
    const { one, other, reports, silence } = await openNodes()
    const producer = { format: 'agent-lines', runId: 'r', threadId: 't' }
    const pipe = createPipe()
    const first = refusalOf(one.ingest(producer, pipe))
    await expect.poll(() => other.log.run('r')).toBeDefined()
    const viewer = other.log.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    const seen = viewer.next()
    pipe.write(textLine('One.'))
    await seen
    const waiting = viewer.next()
    await expect.poll(async () => (await other.log.run('r'))?.rawRecords).toBe(1)
    silence()
    const second = refusalOf(one.ingest({ ...producer, line: 1, attempt: 2 }, brokenBody(textLine('Two.'))))
    expect([(await first).code, (await second).code]).toEqual(['stale-attempt', 'broken-off'])
    expect(await other.ingest({ ...producer, line: 2, attempt: 3 }, bodyOf(lineOf('done')))).toMatchObject({
      outcome: 'success',
      rawRecords: 3,
    })
    expect((await waiting).done).toBe(false)
    expect(reports).toEqual([])
  }, 30_000)
})
