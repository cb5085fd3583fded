import { type Framing, getSource } from '@millrace/core/source'
import type { RawRecord } from '@millrace/core/source/source'
import { LogError } from '../log/errors.ts'
import { chunksUntil } from './chunks-until.ts'
import { RunRefusal } from './errors.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner, OwnerOptions } from './owner.ts'
import { endWord, stopWord } from './words.ts'

export interface BodyFeed {
  readonly body: AsyncIterable<Uint8Array>
  /** The number of the body's first record. */
  readonly line: number
  readonly framing: Framing
  /** How many records are durable already: those are skipped. */
  readonly rawRecords: number
  readonly createOwner: (told: Pick<OwnerOptions, 'framing' | 'onFailure'>) => Owner
}

/** Feeds a producer's body. Only a body that ended cleanly ends the run: of any other, the partial record is dropped. */
export function feedBody({ body, line, framing, rawRecords, createOwner }: BodyFeed): LiveRun {
  const deaf = new AbortController()
  const source = getSource(framing)()
  const owner = createOwner({
    framing: () => source.framing?.() ?? framing,
    onFailure: (error) => deaf.abort(error),
  })
  const runId = owner.run.id

  async function listen(): Promise<void> {
    let number = line
    const take = (records: readonly RawRecord[]) => {
      owner.push(records.slice(Math.max(0, rawRecords - number)))
      number += records.length
    }
    for await (const chunk of chunksUntil(deaf.signal, body)) {
      take(source.feed(chunk))
      await owner.room()
    }
    take(source.end())
    await owner.end()
  }

  return {
    owner,
    async feed() {
      try {
        await listen()
      } catch (error) {
        throw deaf.signal.aborted ? toldAs(deaf.signal.reason, runId) : brokenOff(error, runId)
      }
    },
    async stop(by) {
      const stopped = owner.add([stopWord(by)])
      const closed = owner.close(endWord('cancelled'))
      deaf.abort(new RunRefusal('run-closed', runId))
      await Promise.all([stopped, closed])
    },
    wake: () => undefined,
    leave: () => deaf.abort(new RunRefusal('closing', runId)),
    cut: (reason) => deaf.abort(reason),
  }
}

/** A fenced writer hears it from the log; its producer hears the same word as from us. */
function toldAs(reason: unknown, runId: string): unknown {
  const isFenced = reason instanceof LogError && reason.code === 'stale-attempt'
  return isFenced ? new RunRefusal('stale-attempt', runId, { cause: reason }) : reason
}

function brokenOff(cause: unknown, runId: string): RunRefusal {
  return new RunRefusal('broken-off', runId, { cause })
}
