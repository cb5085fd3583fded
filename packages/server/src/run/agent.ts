import type { ClientTool, InputFile, RunInput } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { Framing } from '@millrace/core/source'
import type { GivenAnswer } from '../log/log.ts'

export interface AgentRequest {
  readonly runId: string
  readonly threadId: string
  readonly input: RunInput
  /** The chat events of the runs that this one continues, oldest first. */
  readonly history: readonly ChatEvent[]
  /** Fires when a stop was requested. The agent ends its stream soon after; what it still sends is kept. */
  readonly signal: AbortSignal
  /** The tools that the client offers in `input.client`. */
  readonly clientTools: readonly ClientTool[]
}

export interface ApprovalRequest {
  /** The call that waits for the answer, if the stream has one. */
  readonly callId?: string
  readonly message: string
  readonly request?: Json
}

export type ApprovalAnswer = GivenAnswer

/** What the server does for a running agent. */
export interface AgentHost {
  /**
   * Asks a person and waits without a time limit. All that the agent has sent before is logged first, so that the
   * question comes after it.
   */
  ask(request: ApprovalRequest): Promise<ApprovalAnswer>
  /**
   * The answer to a question that the agent's own stream asks, by the id that the parser gives it. It may be called
   * before the record with the question is read. `expired` if the run is stopped, or the stream withdraws the question.
   */
  answer(approvalId: string): Promise<ApprovalAnswer>
  /**
   * Adds events that no record carries, such as the output of a tool that the host ran. They come after all that the
   * agent has sent before; resolves when they are durable. MUST refuse `run-start`, `run-end`, `control`, `approval` and
   * the messages of persons.
   */
  add(events: readonly StreamEvent[]): Promise<void>
  /** What persons say while the agent runs, if it `can.steer`. Taking a message logs it. Ends with the run. */
  messages(): AsyncIterable<AgentInput>
}

/** A message of a person to an agent that runs. */
export interface AgentInput {
  readonly messageId: string
  readonly text: string
  readonly files: readonly InputFile[]
}

/** What an agent can do beyond a single answer: the app and every wire offer no more. */
export interface AgentAbilities {
  /** It reads `AgentHost.messages`. */
  readonly steer?: boolean
}

/** Produces a stream on request: a process, a remote service, a script, a recording. */
export interface Agent {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly can?: AgentAbilities
  /** The name of the parser that reads the stream. */
  readonly format: string
  /** How records are laid out in the stream. */
  readonly framing: Framing
  /** Yields the bytes of one run. A throw ends the run with that error; a return ends it cleanly. */
  run(request: AgentRequest, host: AgentHost): AsyncIterable<Uint8Array>
}
