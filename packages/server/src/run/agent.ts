import type { Answer, RunInput } from '@millrace/core/api'
import type { ChatEvent } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { Framing } from '@millrace/core/source'

export interface AgentRequest {
  readonly runId: string
  readonly threadId: string
  readonly input: RunInput
  /** The chat events of the runs that this one continues, oldest first. */
  readonly history: readonly ChatEvent[]
  /** Fires when a stop was requested. The agent ends its stream soon after; what it still sends is kept. */
  readonly signal: AbortSignal
}

export interface ApprovalRequest {
  /** The call that waits for the answer, if the stream has one. */
  readonly callId?: string
  readonly message: string
  readonly request?: Json
}

export type ApprovalAnswer = Answer | { readonly state: 'expired' }

/** What the server does for a running agent. */
export interface AgentHost {
  /**
   * Asks a person and waits without a time limit. All that the agent has sent before is logged first, so that the
   * question comes after it.
   */
  ask(request: ApprovalRequest): Promise<ApprovalAnswer>
}

/** Produces a stream on request: a process, a remote service, a script, a recording. */
export interface Agent {
  readonly name: string
  readonly title: string
  readonly description?: string
  /** The name of the parser that reads the stream. */
  readonly format: string
  /** How records are laid out in the stream. */
  readonly framing: Framing
  /** Yields the bytes of one run. A throw ends the run with that error; a return ends it cleanly. */
  run(request: AgentRequest, host: AgentHost): AsyncIterable<Uint8Array>
}
