/** What an agent is to a server that runs it. */
export type * from '../run/agent.ts'
