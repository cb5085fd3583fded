/** Tests an agent that people speak with. */
export { type AgentBench, type AgentSubject, agentSuite } from '../agent-suite.ts'
