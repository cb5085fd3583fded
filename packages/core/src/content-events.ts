import type {
  ApprovalState,
  BlockKind,
  BlockVariant,
  Common,
  RunBy,
  StructuredAnswer,
  ToolStatus,
} from './event-fields.ts'
import type { Json } from './json.ts'

export interface BlockStart extends Common {
  readonly type: 'block-start'
  readonly blockId: string
  readonly kind: BlockKind
  readonly variant?: BlockVariant
}

export interface BlockDelta extends Common {
  readonly type: 'block-delta'
  readonly blockId: string
  readonly text: string
}

/** Assigned, not appended. `text` replaces the whole text of the block. */
export interface BlockPatch extends Common {
  readonly type: 'block-patch'
  readonly blockId: string
  readonly text?: string
  readonly citations?: readonly Json[]
  readonly signature?: string
  readonly encrypted?: string
  /** The whole text of the block as a structured answer. */
  readonly answer?: StructuredAnswer
}

export interface BlockEnd extends Common {
  readonly type: 'block-end'
  readonly blockId: string
  readonly interrupted?: boolean
}

export interface ToolStart extends Common {
  readonly type: 'tool-start'
  readonly callId: string
  readonly name: string
  readonly runBy: RunBy
  readonly title?: string
  readonly server?: string
  readonly parentCallId?: string
}

export interface ToolInputDelta extends Common {
  readonly type: 'tool-input-delta'
  readonly callId: string
  readonly text: string
}

/**
 * Exactly one per call after `normalize`: `input`, or `text` and `error` if the input is not JSON.
 * A parser that has streamed the whole input may omit all three: `settle` fills them from the deltas.
 */
export interface ToolInput extends Common {
  readonly type: 'tool-input'
  readonly callId: string
  readonly input?: Json
  readonly text?: string
  readonly error?: string
}

/** After `normalize` an approval has exactly one request and at most one answer, which comes after it. */
export interface ApprovalEvent extends Common {
  readonly type: 'approval'
  readonly approvalId: string
  readonly state: ApprovalState
  readonly callId?: string
  readonly message?: string
  readonly request?: Json
  readonly answer?: Json
  /** Why it expired: `went-on` if its call continued, or got its output, without an answer. */
  readonly reason?: string
  /** How long an approval is valid for calls like this one; absent if it is valid for this call only. */
  readonly remember?: 'session'
  /** The input that was approved in place of the call's own, which stays as it was asked. */
  readonly input?: Json
}

export interface ToolProgress extends Common {
  readonly type: 'tool-progress'
  readonly callId: string
  readonly channel: 'stdout' | 'stderr' | 'text' | 'data'
  readonly text?: string
  readonly data?: Json
  readonly percent?: number
}

/** At most one per call. */
export interface ToolOutput extends Common {
  readonly type: 'tool-output'
  readonly callId: string
  readonly status: ToolStatus
  readonly output: Json
  readonly error?: string
}

export interface SourceEvent extends Common {
  readonly type: 'source'
  readonly sourceId: string
  readonly kind: 'url' | 'document' | 'file'
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly snippet?: string
  readonly blockId?: string
  readonly callId?: string
}

export interface FileEvent extends Common {
  readonly type: 'file'
  readonly fileId: string
  readonly mediaType: string
  readonly filename?: string
  readonly url?: string
  /** Base64, at most 64 KB; larger files are stored and referenced by `url`. */
  readonly bytes?: string
  readonly callId?: string
}
