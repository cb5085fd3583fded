import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { LogMember, StoredRun } from '@millrace/server/log'
import { childEvent, childRecord, childRuns } from './log-child-data.ts'

/** A process that appends to four runs at once, prints each acknowledgement, and continues until it is killed. */

const [, , module = '', name = '', folder = ''] = process.argv
const member = ((await import(module)) as { readonly [name: string]: LogMember })[name]
if (member === undefined) throw new Error(`${module} has no ${name}.`)

/** Far more than a test waits for: the process ends even if it is not killed. */
const MOST_APPENDS = 5_000

/** The lease of a killed process ends by time in a shared store. */
const LEASE_TTL = 1_500
const MOST_TRIES = 200
const PAUSE = 50

const log = await member.open({ folder, leaseTtl: LEASE_TTL })
const nodeId = await log.join()
await Promise.all(childRuns.map(write))
await log.close()

async function write(runId: (typeof childRuns)[number]): Promise<void> {
  const { run } = await log.createRun({ id: runId, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  const { epoch, seq, rawRecords } = await acquire(runId, run.attempt + 1)
  for (let nth = 0; nth < MOST_APPENDS; nth++) {
    const afterSeq = seq + nth * 2
    const events = [childEvent(runId, afterSeq + 1), childEvent(runId, afterSeq + 2)]
    await log.append(runId, { epoch, afterSeq }, { inputs: [childRecord(runId, rawRecords + nth + 1)], events })
    await print(`${runId} ${afterSeq + 2}\n`)
  }
}

/** A pipe is full if its reader is slower than the log. */
async function print(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'EAGAIN') throw error
      await setTimeout(1)
    }
  }
}

async function acquire(runId: string, attempt: number): Promise<StoredRun> {
  for (let tries = 0; ; tries++) {
    try {
      return await log.acquire(runId, nodeId, attempt)
    } catch (error) {
      if (tries === MOST_TRIES || (error as { readonly code?: string }).code !== 'run-owned') throw error
      await setTimeout(PAUSE)
    }
  }
}
