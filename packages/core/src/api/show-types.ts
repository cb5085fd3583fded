/** The formats in which the scenario of the show is played: none of them loses any of it. */
export const FORMATS_OF_SHOW = ['claude-agent-sdk', 'langgraph', 'acp', 'ag-ui', 'opencode'] as const

/** One scenario, played by five programs in five formats into a server whose process can be killed. */
export interface FormatsShow {
  readonly server: 'up' | 'down'
  /** The process of the server. */
  readonly pid?: number
  /** How far the scenario is, and how long it takes, in ms at speed 1. */
  readonly position: number
  readonly duration: number
  readonly speed: number
  /** Where the server was killed, and how long it was away; without `downMs` it still is. */
  readonly kills: readonly { readonly at: number; readonly downMs?: number }[]
  readonly columns: readonly FormatsColumn[]
}

export interface FormatsColumn {
  readonly format: string
  readonly runId: string
  /** How many records the recording has. */
  readonly records: number
  /** The record from which its program went on after a kill, because the log had those before it. */
  readonly resumedAt?: number
  /** The log has the whole stream. */
  readonly isAcknowledged: boolean
}
