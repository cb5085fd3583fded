import type { EventOf } from '../../events.ts'

/** A call that has no result yet. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly agentId: string | undefined
  /** A call that stands in somebody else's message is none of the agent's: it only rides along. */
  readonly isSaid: boolean
  /** Whether the client has been told of it: progress and result without their call would be refused. */
  isCalled: boolean
  /** How it began, until its arguments are whole. */
  start: EventOf<'tool-start'> | undefined
}

export type OpenCalls = Map<string, OpenCall>
