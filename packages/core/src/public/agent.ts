/** What an agent is to a server that runs it, and what the server does for it. */
export type * from '../api/agent-contract.ts'
export { AgentFailure } from '../api/agent-failure.ts'
export type { AgentAbilities, AgentCheck, AgentTrouble } from '../api/agent-types.ts'
