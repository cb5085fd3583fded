import type { Agent } from '@millrace/core/agent'

export type * from '@millrace/core/agent'

/** The agents of a server: a list, or a function for a list that changes. */
export type Agents = readonly Agent[] | (() => readonly Agent[])
