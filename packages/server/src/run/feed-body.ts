import { type Framing, getSource, type RawRecord } from '@millrace/core/source'
import type { Log } from '../log/log.ts'
import { chunksUntil } from './chunks-until.ts'
import { RunRefusal } from './errors.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner, OwnerOptions } from './owner.ts'
import { remoteProducer } from './remote-producer.ts'
import { endEvent, stopEvent } from './server-events.ts'
import type { StoredRecords } from './stored-records.ts'

export interface BodyFeed {
  readonly log: Log
  readonly body: AsyncIterable<Uint8Array>
  /** The number of the body's first record. */
  readonly line: number
  readonly framing: Framing
  /** How many records are already durable: those are compared and skipped. */
  readonly rawRecords: number
  /** The durable records, starting with the number of the body's first. */
  readonly stored: StoredRecords
  readonly createOwner: (options: Pick<OwnerOptions, 'framing' | 'onFailure'>) => Owner
}

/** Feeds a producer's body. Only a body that ends cleanly ends the run; a partial record of any other is dropped. */
export function feedBody({ log, body, line, framing, rawRecords, stored, createOwner }: BodyFeed): LiveRun {
  const readController = new AbortController()
  const source = getSource(framing)()
  const owner = createOwner({
    framing: () => source.framing?.() ?? framing,
    onFailure: (error) => readController.abort(error),
  })
  const runId = owner.run.id

  async function readBody(): Promise<void> {
    let number = line
    const take = async (records: readonly RawRecord[]) => {
      const durable = Math.max(0, rawRecords - number)
      if (durable > 0) await compare(records.slice(0, durable))
      owner.push(records.slice(durable))
      number += records.length
    }
    for await (const chunk of chunksUntil(readController.signal, body)) {
      await take(source.feed(chunk))
      await owner.room()
    }
    await take(source.end())
    await owner.end()
  }

  async function compare(records: readonly RawRecord[]): Promise<void> {
    const other = await stored.firstDifferent(records)
    if (other !== undefined) throw new RunRefusal('other-record', String(other), { rawRecords })
  }

  return {
    owner,
    ...remoteProducer(log, owner),
    async feed() {
      try {
        await readBody()
      } catch (error) {
        if (error instanceof RunRefusal && error.code === 'other-record') throw error
        throw readController.signal.aborted ? readController.signal.reason : brokenOff(error, runId)
      }
    },
    async stop({ by, number }) {
      const closed = owner.close(endEvent('cancelled'), [stopEvent(by)], number)
      readController.abort(new RunRefusal('run-closed', runId))
      await closed
    },
    async takeOver(attempt, { number }) {
      if (attempt <= owner.run.attempt) return owner.refuse(number, 'run-busy')
      const settled = owner.add([], number)
      readController.abort(new RunRefusal('stale-attempt', runId))
      await settled
    },
    leave: () => readController.abort(new RunRefusal('closing', runId)),
    lose: () => readController.abort(new RunRefusal('lease-lost', runId)),
  }
}

function brokenOff(cause: unknown, runId: string): RunRefusal {
  return new RunRefusal('broken-off', runId, { cause })
}
