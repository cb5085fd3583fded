import type { StreamEvent } from '@millrace/core/events'
import type { Command } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import type { Owner } from './owner.ts'
import { answerEvent } from './server-events.ts'
import type { SteerCommand } from './steering.ts'

/** Who asks, and under which number: what is done settles the command. */
export interface Asked {
  readonly number: number
  readonly by: string | undefined
}

export interface LoggedAnswer {
  readonly approvalId: string
  readonly answer: ApprovalAnswer
  /** The answer as it is logged. */
  readonly event: StreamEvent
}

/** A run that this node owns, with whatever feeds it: an agent, a producer's body, or nothing. */
export interface LiveRun {
  readonly owner: Owner
  /** Feeds the run until it has ended or is released. Throws the error that the producer gets. */
  feed(): Promise<void>
  /** Requests a stop. Resolves when the request is durable; the end follows. */
  stop(asked: Asked): Promise<void>
  /** Answers an open approval. */
  answer(given: LoggedAnswer, asked: Asked): Promise<void>
  /** A person's message to the agent. */
  steer(command: SteerCommand, asked: Asked): Promise<void>
  /** Takes a message back that the agent has not taken. Resolves with false if there is none. */
  takeBack(messageId: string, asked: Asked): Promise<boolean>
  /** The output of a tool that a client has run. */
  output(event: StreamEvent, asked: Asked): Promise<void>
  /** A producer with this attempt wants to feed the run. */
  takeOver(attempt: number, asked: Asked): Promise<void>
  /** The process is closing: the run ends cleanly if it can, otherwise it is left for another node. */
  leave(): void
  /** The node's lease has ended: the run is left as it is, and nothing more is written. */
  lose(): void
  /** After `feed`: settles when the agent has run its `finally`, which may be never. Absent if there is no agent. */
  closed?(): Promise<unknown>
}

type Act<Type extends Command['type']> = (
  live: LiveRun,
  command: Extract<Command, { readonly type: Type }>,
  asked: Asked,
) => Promise<void>

const acts: { readonly [Type in Command['type']]: Act<Type> } = {
  stop: (live, _command, asked) => live.stop(asked),
  async answer(live, { approvalId, answer }, asked) {
    const event = answerEvent(live.owner.position, approvalId, answer)
    if (event === undefined) await live.owner.refuse(asked.number, 'not-asked')
    else await live.answer({ approvalId, answer, event }, asked)
  },
  steer: (live, command, asked) => live.steer(command, asked),
  async 'take-back'(live, { messageId }, asked) {
    if (!(await live.takeBack(messageId, asked))) await live.owner.refuse(asked.number, 'not-pending')
  },
  async output(live, { callId, output, error }, asked) {
    if (!live.owner.position.isCallOpen(callId)) return live.owner.refuse(asked.number, 'not-open')
    const event: StreamEvent =
      error === undefined
        ? { type: 'tool-output', callId, status: 'ok', output: output ?? null }
        : { type: 'tool-output', callId, status: 'error', output: output ?? error, error }
    await live.output(event, asked)
  },
  'take-over': (live, { attempt }, asked) => live.takeOver(attempt, asked),
}

/** Does what a command asks, and settles it. A command that comes after the run's end is settled by that end. */
export async function perform(live: LiveRun, command: Command, asked: Asked): Promise<void> {
  if (live.owner.isEnded()) return
  const act = acts[command.type] as Act<Command['type']>
  await act(live, command as never, asked)
}
