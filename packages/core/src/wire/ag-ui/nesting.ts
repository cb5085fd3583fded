import { chunkOf, defined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'
import type { Interrupt } from './stream.ts'

/** The open steps and subagents. The client requires all of them to end before a run finishes. */
export interface Nesting {
  startStep(agentId: string | undefined, stepName: string): void
  /** The name of the agent's open step; undefined if none is open. */
  stepOf(agentId: string | undefined): string | undefined
  endStep(agentId: string | undefined): void
  startAgent(agentId: string, start: Chunk): void
  isOpen(agentId: string): boolean
  endAgent(agentId: string): void
  /** Whether the current run of the protocol has started the agent. */
  hasStarted(agentId: string): boolean
  /** The chunks that end all of them until the questions are answered. */
  suspend(interrupts: readonly Interrupt[]): readonly Chunk[]
  /** The chunks that start all of them again. */
  reopen(): readonly Chunk[]
}

export function createNesting(): Nesting {
  /** By agent; the main agent is the empty string. */
  const steps = new Map<string, string>()
  const agents = new Map<string, Chunk>()
  const startedAgents = new Set<string>()

  const stepChunk = (type: string, agent: string, stepName: string) =>
    chunkOf(type, { stepName, subagentRunId: agent === '' ? undefined : agent })

  return {
    startStep: (agentId = '', stepName) => void steps.set(agentId, stepName),
    stepOf: (agentId = '') => steps.get(agentId),
    endStep: (agentId = '') => void steps.delete(agentId),
    startAgent(agentId, start) {
      agents.set(agentId, start)
      startedAgents.add(agentId)
    },
    isOpen: (agentId) => agents.has(agentId),
    endAgent: (agentId) => void agents.delete(agentId),
    hasStarted: (agentId) => startedAgents.has(agentId),
    suspend(interrupts) {
      const ended = [...steps].map(([agent, stepName]) => stepChunk('STEP_FINISHED', agent, stepName))
      const suspended = [...agents.keys()].reverse().map((agentId) => {
        const interruptIds = interrupts.filter(({ subagentRunId }) => subagentRunId === agentId).map(({ id }) => id)
        const ids = interruptIds.length === 0 ? undefined : interruptIds
        const outcome = defined({ type: 'suspended', interruptIds: ids })
        return chunkOf('SUBAGENT_FINISHED', { subagentRunId: agentId, outcome })
      })
      return [...ended, ...suspended]
    },
    reopen() {
      startedAgents.clear()
      for (const agentId of agents.keys()) startedAgents.add(agentId)
      const started = [...agents.values()].map((start) => withoutUnknownParent(start, startedAgents))
      return [...started, ...[...steps].map(([agent, stepName]) => stepChunk('STEP_STARTED', agent, stepName))]
    },
  }
}

/** An agent's parent may have ended in an earlier run: the client knows only the agents of the current run. */
function withoutUnknownParent(start: Chunk, startedAgents: ReadonlySet<string>): Chunk {
  const { parentSubagentRunId, ...orphan } = start
  return startedAgents.has(String(parentSubagentRunId)) ? start : orphan
}
