import type { ClientTool } from '../data/client-tools.ts'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import type { ChatEvent } from '../fold/shapes.ts'
import type { Json } from '../json.ts'
import type { Framing } from '../source/index.ts'
import type { AgentAbilities, AgentCheck, AgentTrouble } from './agent-types.ts'
import type { Answer, InputFile, RunInput } from './api-types.ts'

export interface AgentRequest {
  readonly runId: string
  readonly threadId: string
  readonly input: RunInput
  /** The chat events of the runs that this one continues, oldest first. */
  readonly history: readonly ChatEvent[]
  /** Fires when a stop was requested. The agent ends its stream soon after; what it still sends is kept. */
  readonly signal: AbortSignal
  /** Greater than 1 only for an agent that `can.recover`. */
  readonly attempt: number
  /** The conversation of the agent's nearest earlier run in this branch, if it reported one. */
  readonly session?: AgentSession
  /** The folder to work in: absolute, and there. */
  readonly cwd: string
  /** The bytes of an uploaded file. */
  readonly file: (fileId: string) => Promise<Uint8Array>
  /** The tools that the client offers in `input.client`. */
  readonly clientTools: readonly ClientTool[]
}

/** What the agent itself calls the conversation. */
export interface AgentSession {
  readonly id: string
  /** The position in the conversation after that run. */
  readonly at?: string
  /** The run that reported it. */
  readonly runId: string
  /** Another run has continued the conversation since: this one goes on from an earlier position. */
  readonly isFork: boolean
}

export interface ApprovalRequest {
  /** The call that waits for the answer, if the stream has one. */
  readonly callId?: string
  readonly message: string
  readonly request?: Json
}

/** A person's answer to an approval, or that nobody will give one. */
export type ApprovalAnswer = Answer | { readonly state: 'expired' }

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
  /** The messages that wait at this moment, in the order in which they came. Taking them logs them. */
  takeMessages(): readonly AgentInput[]
  /**
   * The run's own entries behind a position, once everything that was sent is durable. An agent whose state is the log reads it
   * here, also after a restart.
   */
  entries(after: number): AsyncIterable<readonly Entry[]>
  /** Reports the agent's own name of the conversation, and the position in it, for the next run. It is logged. */
  session(id: string, at?: string): void
  /**
   * Begins a run of another agent of the server in the same thread, whose parent is this run. It is stopped when this run
   * ends. Rejects, with a sentence, if no agent has the name, if it cannot run now, or if too many runs are nested already.
   */
  runAgent(name: string, task: string): Promise<ChildRun>
}

/** A run that another run has begun. It is a run like any other: viewed, stopped and answered by its own id. */
export interface ChildRun {
  readonly runId: string
  /** Its events, each as soon as it is durable. Ends with the run. */
  events(): AsyncIterable<StreamEvent>
  /** Answers a question of it; without effect if the question is not open any more. */
  answer(approvalId: string, answer: ApprovalAnswer): Promise<void>
  /** Asks it to stop; without effect if it has ended. */
  stop(): Promise<void>
}

/** A message of a person to an agent that runs. */
export interface AgentInput {
  readonly messageId: string
  readonly text: string
  readonly files: readonly InputFile[]
}

/** Produces a stream on request: a process, a remote service, a script, a recording. */
export interface Agent {
  readonly name: string
  readonly title: string
  readonly description?: string
  /** What stands behind it, such as `process`; default `code`. */
  readonly kind?: string
  readonly can?: AgentAbilities
  /** `project`: where the server was started; `thread`: a folder of the thread's own; else a path. Default `project`. */
  readonly cwd?: string
  /** The name of the parser that reads the stream. */
  readonly format: string
  /** How records are laid out in the stream. */
  readonly framing: Framing
  /** Yields the bytes of one run. A throw ends the run with that error; a return ends it cleanly. */
  run(request: AgentRequest, host: AgentHost): AsyncIterable<Uint8Array>
  /** A sentence if it cannot run now. Called for each list and each start; MUST be fast, and MUST NOT run anything. */
  unavailable?(): string | undefined
  /** What kind of trouble that is, or what is missing although it may run. The same MUSTs. */
  trouble?(): AgentTrouble | undefined
  /** Tries whether it could run, because a person asked. */
  check?(): Promise<AgentCheck>
  /** What a run has printed beside its stream; undefined if that is not kept. */
  stderr?(runId: string): string | undefined
}
