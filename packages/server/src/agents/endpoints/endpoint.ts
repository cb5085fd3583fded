import type { RunSnapshot } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { AgentAbilities, AgentRequest, ApprovalAnswer } from '../../run/agent.ts'
import type { HttpSpec } from '../http-spec.ts'
import type { Call } from '../outbound/send.ts'
import type { Frame, Wire } from '../outbound/wire.ts'

/** One run of a service, as an endpoint needs it. */
export interface HttpTurn {
  readonly request: AgentRequest
  readonly spec: HttpSpec
  /** The conversation to continue; undefined to begin one. */
  readonly session: string | undefined
  /** What the person says; before it, what the service's own conversation does not contain. */
  readonly prompt: string
  readonly files: readonly SentFile[]
  /** Reports the service's own name of the conversation, for the next run. */
  readonly keepSession: (id: string) => void
}

export interface SentFile {
  readonly mediaType: string
  readonly filename?: string
  readonly base64: string
}

/** A question of the stream with its answer. */
export interface Answered {
  readonly approvalId: string
  readonly callId?: string
  readonly request?: Json
  readonly answer: Exclude<ApprovalAnswer, { readonly state: 'expired' }>
}

/** How a kind of service is spoken to. Limits, retries, stopping, waiting for persons and what is logged are kept outside. */
export interface Endpoint {
  /** The parser of what the service sends; undefined if a file may name it. */
  readonly format: string | undefined
  readonly can: AgentAbilities
  /** Whether the rest of an answer that was cut off can be asked for. */
  readonly canRejoin: boolean
  /** The address to try whether the service is there; undefined for the one that is called. */
  check?(spec: HttpSpec): URL
  open(turn: HttpTurn, wire: Wire): Conversation
}

/** The requests of one run. */
export interface Conversation {
  first(): Call | Promise<Call>
  /** Takes each record of an answer. False for one that only repeats what the log has. */
  take(frame: Frame): boolean
  /** The request that carries the answers of persons. `own` are the chat events of this run so far. */
  resume(answers: readonly Answered[], own: Own): Call | Promise<Call>
  /** A request that must follow an answer that has ended, such as one in an older version of the protocol. */
  again?(): Call | undefined
  /** Asks for the rest of an answer that was cut off. Absent: what is lost is lost. */
  rejoin?(): Call | undefined
  /** Tells the service to stop. Absent, or undefined: the end of the connection tells it. */
  cancel?(): Call | undefined
}

/** What this run has logged so far. */
export interface Own extends Pick<RunSnapshot, 'chatEvents' | 'metadata'> {
  /** The service's name of the conversation, as it was reported last. */
  readonly session: string | undefined
}
