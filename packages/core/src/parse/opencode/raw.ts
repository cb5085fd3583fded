import type { Json, JsonObject } from '../../json.ts'

/** A line of `opencode run --format json`: a finished part, or an error. */
export interface Line {
  readonly type: 'step_start' | 'step_finish' | 'text' | 'reasoning' | 'tool_use' | 'error'
  readonly timestamp?: number
  readonly sessionID?: string
  readonly part?: Part
  readonly error?: RawError
}

/** An event of the server's bus. */
export interface BusEvent {
  readonly type: string
  readonly properties: JsonObject
}

interface PartBase {
  readonly id: string
  readonly sessionID?: string
  readonly messageID?: string
  readonly time?: { readonly start?: number; readonly end?: number } | null
  readonly metadata?: JsonObject | null
}

export interface ProsePart extends PartBase {
  readonly type: 'text' | 'reasoning'
  readonly text: string
  readonly synthetic?: boolean
}

export interface ToolPart extends PartBase {
  readonly type: 'tool'
  readonly callID?: string
  readonly tool: string
  readonly state: ToolState
}

export interface ToolState {
  readonly status: 'pending' | 'running' | 'completed' | 'error'
  readonly input?: Json
  /** The streamed input so far. */
  readonly raw?: string | null
  readonly output?: string | null
  readonly error?: string | null
  readonly title?: string | null
  readonly metadata?: JsonObject | null
  readonly time?: { readonly start?: number; readonly end?: number } | null
  readonly attachments?: readonly FilePart[] | null
}

export interface FilePart {
  readonly id?: string
  readonly type?: string
  readonly mime: string
  readonly filename?: string | null
  readonly url: string
}

export interface StepFinishPart extends PartBase {
  readonly type: 'step-finish'
  readonly reason?: string | null
  readonly cost?: number | null
  readonly tokens?: Tokens | null
}

/** The three kinds of input are counted apart from each other, and reasoning apart from output. */
export interface Tokens {
  readonly input?: number | null
  readonly output?: number | null
  readonly reasoning?: number | null
  readonly cache?: { readonly read?: number | null; readonly write?: number | null } | null
}

export type Part =
  | ProsePart
  | ToolPart
  | StepFinishPart
  | (PartBase & { readonly type: 'step-start' })
  | (PartBase & FilePart & { readonly id: string; readonly type: 'file' })
  | (PartBase & { readonly type: 'retry'; readonly attempt?: number; readonly error?: RawError })
  | (PartBase & { readonly type: 'compaction' })
  | (PartBase & { readonly type: 'snapshot' | 'patch' | 'agent' | 'subtask' })

export interface RawError {
  readonly name?: string
  readonly message?: string
  readonly data?: { readonly message?: string; readonly statusCode?: number } | null
}

export interface Info {
  readonly id: string
  readonly sessionID?: string
  readonly role: 'user' | 'assistant'
  readonly modelID?: string
  readonly providerID?: string
  readonly agent?: string
  readonly mode?: string
  readonly time?: { readonly created?: number; readonly completed?: number } | null
  readonly error?: RawError | null
  readonly finish?: string | null
  readonly summary?: Json
  readonly structured?: Json
}
