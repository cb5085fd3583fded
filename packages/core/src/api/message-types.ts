import type { InputFile } from './api-types.ts'

/** A message to an agent that runs. `delivered` states what the agent can do, not what has happened. */
export interface SteeredMessage {
  readonly messageId: string
  readonly delivered: 'now' | 'next'
}

/**
 * A message of a person to a run, and what has become of it. `waiting`: nobody has taken it yet. `moved`: the run after
 * this one has it. `dropped`: the run has ended in another way than with success.
 */
export interface RunMessage extends SteeredMessage {
  readonly text: string
  readonly files?: readonly InputFile[]
  readonly state: 'waiting' | 'taken' | 'moved' | 'taken-back' | 'dropped'
}

export interface RunMessages {
  /** In the order in which they were sent. */
  readonly messages: readonly RunMessage[]
}
