import type { ApprovalAnswer } from '@millrace/core/agent'
import type { InputFile } from '@millrace/core/api'
import type { Json } from '@millrace/core/json'
import type { RunState } from './log.ts'

/** What is asked of a run. Any process may ask; the run's owner does it, and the log keeps both. */
export type Command =
  | { readonly type: 'stop' }
  | { readonly type: 'answer'; readonly approvalId: string; readonly answer: ApprovalAnswer }
  /** What a person says while the agent runs. */
  | {
      readonly type: 'steer'
      readonly messageId: string
      readonly text: string
      readonly files?: readonly InputFile[]
      /** `next`: not to this run, but to the one that follows it. */
      readonly when: 'now' | 'next'
    }
  /** Takes a steering message back that the agent has not taken yet. */
  | { readonly type: 'take-back'; readonly messageId: string }
  /** The output of a tool that a client has run. */
  | { readonly type: 'output'; readonly callId: string; readonly output?: Json; readonly error?: string }
  /** A producer with a higher attempt wants to feed the run. */
  | { readonly type: 'take-over'; readonly attempt: number }

/** `seq` is the last entry that the command caused; for one that caused none, the last before it. */
export type CommandResult =
  | { readonly state: 'applied'; readonly seq: number }
  | { readonly state: 'refused'; readonly code: string }

export interface NewCommand {
  readonly command: Command
  /** The same key within a run gives the same command, so that a repeated request asks only once. */
  readonly key?: string
  /** Who asks. */
  readonly by?: string
}

export interface StoredCommand extends NewCommand {
  /** From 1, in the order in which they were asked, per run. */
  readonly number: number
  readonly at: number
  /** Absent until the owner has settled the command. */
  readonly result?: CommandResult
}

export interface Settlement {
  readonly number: number
  readonly result: CommandResult
}

/** The result of a command as it is read: nobody settles a command of an ended run. */
export function readResult(result: CommandResult | undefined, state: RunState): CommandResult | undefined {
  return result ?? (state === 'ended' ? { state: 'refused', code: 'run-closed' } : undefined)
}
