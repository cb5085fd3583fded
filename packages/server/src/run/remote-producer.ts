import type { Log } from '../log/log.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner } from './owner.ts'
import { steerEvent } from './server-events.ts'
import { steeringMessage } from './user-message.ts'

/** What is asked of a producer elsewhere. It hears of a command when the command is applied, if it follows them. */
export function remoteProducer(log: Log, owner: Owner): Pick<LiveRun, 'answer' | 'steer' | 'takeBack' | 'output'> {
  const { id: runId } = owner.run

  /** Nothing else says that the producer has heard it. */
  async function ifFollowed(number: number, act: () => Promise<void>): Promise<void> {
    await ((await log.isFollowed(runId)) ? act() : owner.refuse(number, 'nobody-listens'))
  }

  return {
    answer: ({ event }, { number }) => owner.add([event], number),
    steer: (command, { number, by }) =>
      ifFollowed(number, () => owner.add([steerEvent(command.messageId, by), ...steeringMessage(command)], number)),
    takeBack: async () => false,
    output: (event, { number }) => ifFollowed(number, () => owner.addInputs([{ by: 'client', event }], number)),
  }
}
