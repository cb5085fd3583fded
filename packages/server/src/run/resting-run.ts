import type { Log } from '../log/log.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner } from './owner.ts'
import { remoteProducer } from './remote-producer.ts'
import { endEvent, stopEvent } from './server-events.ts'

export interface Resting {
  readonly log: Log
  readonly owner: Owner
  /** Whether its producer may go on with it. If not, an answer is its end: nobody is left to hear it. */
  readonly canContinue: boolean
}

/** A run that a node owns only for as long as it does what is asked: nothing feeds it. */
export function restingRun({ log, owner, canContinue }: Resting): LiveRun {
  return {
    owner,
    ...remoteProducer(log, owner),
    feed: async () => undefined,
    stop: ({ by, number }) => owner.close(endEvent('cancelled'), [stopEvent(by)], number),
    answer: ({ event }, { number }) =>
      canContinue ? owner.add([event], number) : owner.close(endEvent('interrupted'), [event], number),
    takeOver: (_attempt, { number }) => owner.add([], number),
    leave: () => undefined,
    lose: () => undefined,
  }
}
