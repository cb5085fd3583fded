export interface AgentInfo {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly format?: string
  /** What stands behind it, such as `process`; `code` for a function of the program. */
  readonly kind?: string
  readonly can?: AgentAbilities
  /** Why it cannot run now. */
  readonly unavailable?: string
  readonly trouble?: AgentTrouble
}

/**
 * What stands in the way, as far as it is seen without running anything: its file is not read, its program is not there, or variables
 * that its file names are not set. Without a variable it may run all the same. Values are never read.
 */
export type AgentTrouble =
  | { readonly kind: 'file' }
  | { readonly kind: 'program'; readonly install?: string }
  | { readonly kind: 'key'; readonly variables: readonly string[]; readonly login?: string }

/** What an agent can do beyond a single answer. */
export interface AgentAbilities {
  /** It takes messages while it runs. */
  readonly steer?: boolean
  /** It continues the conversation of an earlier run; `fork`: also from an earlier position. */
  readonly session?: 'resume' | 'fork'
  /** Media types that it takes as they are, such as `image/png`; other files are named by their path. */
  readonly files?: readonly string[]
  /** If a person changes the input of a call and approves it, it runs the changed one. */
  readonly edit?: boolean
  /** It takes tools that the client runs. */
  readonly clientTools?: boolean
  /** Its whole state is the log: a run goes on after a restart. */
  readonly recover?: boolean
}

/** Whether an agent could run, tried because a person asked. */
export interface AgentCheck {
  readonly isReady: boolean
  /** A version, or why it cannot run. */
  readonly message: string
}

export interface AgentList {
  readonly agents: readonly AgentInfo[]
}
