import { asStored } from '../append-rules.ts'
import { type NewCommand, readResult, type Settlement, type StoredCommand } from '../commands.ts'
import type { Log, RunState } from '../log.ts'

type CommandQuery = Parameters<Log['commands']>[1]

/** The commands of one run, for the in-memory log. */
export interface Inbox {
  tell(command: NewCommand, at: number): StoredCommand
  settle(settlements: readonly Settlement[]): void
  list(state: RunState, query: CommandQuery): readonly StoredCommand[]
}

export function createInbox(): Inbox {
  const commands: StoredCommand[] = []
  return {
    tell(command, at) {
      const repeated = commands.find(({ key }) => key !== undefined && key === command.key)
      if (repeated !== undefined) return repeated
      const stored = { ...asStored(command), number: commands.length + 1, at }
      commands.push(stored)
      return stored
    },
    settle(settlements) {
      for (const { number, result } of settlements) {
        const command = commands[number - 1]
        if (command?.result !== undefined) continue
        if (command !== undefined) commands[number - 1] = { ...command, result: asStored(result) }
      }
    },
    list: (state, { after, limit = commands.length, isOpen = false }) =>
      commands.slice(Math.max(after, 0), Math.max(after, 0) + limit).flatMap((command) => {
        const result = readResult(command.result, state)
        if (result === undefined) return [command]
        return isOpen ? [] : [{ ...command, result }]
      }),
  }
}
