import type { Command } from '../log/log.ts'
import type { AgentInput } from './agent.ts'
import type { Asked } from './live-run.ts'
import type { Owner } from './owner.ts'
import { steerEvent } from './server-events.ts'
import { steeringMessage } from './user-message.ts'

export type SteerCommand = Extract<Command, { readonly type: 'steer' }>

/** The messages of persons to an agent that runs. A message is pending until the agent takes it. */
export interface Steering {
  /** Logs the message as pending. */
  add(command: SteerCommand, asked: Asked): Promise<void>
  /** Takes a pending message back; false if there is none with the id. */
  takeBack(messageId: string, asked: Asked): Promise<boolean>
  /** What the agent reads. Taking a message logs it. */
  messages(): AsyncIterable<AgentInput>
  /** What the agent reads at once, without waiting. Taking the messages logs them. */
  takeAll(): readonly AgentInput[]
  /** Ends `messages`. */
  close(): void
}

export function createSteering(owner: Owner): Steering {
  const pending = new Map<string, SteerCommand>()
  let bell = Promise.withResolvers<void>()
  let isClosed = false

  function ring(): void {
    bell.resolve()
    bell = Promise.withResolvers()
  }

  async function take(): Promise<AgentInput | undefined> {
    for (;;) {
      const next = [...pending.values()].find(({ when }) => when === 'now')
      if (isClosed || owner.isEnded()) return undefined
      if (next === undefined) {
        await bell.promise
        continue
      }
      pending.delete(next.messageId)
      if (!(await isLogged(next))) return undefined
      return inputOf(next)
    }
  }

  /**
   * False if the run has ended, or is another node's by now: then there is nothing more to read. An agent reads in the
   * background, where an error that it does not expect would end the process.
   */
  async function isLogged(command: SteerCommand): Promise<boolean> {
    try {
      await owner.add(steeringMessage(command))
      return true
    } catch (error) {
      if (owner.hasFailed() || owner.isEnded()) return false
      throw error
    }
  }

  const inputOf = ({ messageId, text, files = [] }: SteerCommand): AgentInput => ({ messageId, text, files })

  return {
    async add(command, { number, by }) {
      pending.set(command.messageId, command)
      await owner.add([steerEvent(command.messageId, by)], number)
      ring()
    },
    async takeBack(messageId, { number, by }) {
      if (!pending.delete(messageId)) return false
      await owner.add([steerEvent(messageId, by, true)], number)
      return true
    },
    async *messages() {
      for (let input = await take(); input !== undefined; input = await take()) yield input
    },
    takeAll() {
      if (isClosed || owner.isEnded()) return []
      const waiting = [...pending.values()].filter(({ when }) => when === 'now')
      for (const command of waiting) {
        pending.delete(command.messageId)
        // A log that refuses it has ended the run already.
        owner.add(steeringMessage(command)).catch(() => undefined)
      }
      return waiting.map(inputOf)
    },
    close() {
      isClosed = true
      ring()
    },
  }
}
