import { chunkOf, defined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'
import type { Interrupt } from './stream.ts'

/** The steps and subagents that are under way: the client wants all of them ended before a run finishes. */
export interface Nesting {
  startStep(agentId: string | undefined, stepName: string): void
  /** The name of the agent's step; nothing where none is open. */
  stepOf(agentId: string | undefined): string | undefined
  endStep(agentId: string | undefined): void
  startAgent(agentId: string, start: Chunk): void
  isOpen(agentId: string): boolean
  endAgent(agentId: string): void
  /** Whether the run that is under way has told of the agent. */
  isKnown(agentId: string): boolean
  /** What ends all of them, until the questions are answered. */
  suspend(interrupts: readonly Interrupt[]): readonly Chunk[]
  /** What starts all of them again. */
  reopen(): readonly Chunk[]
}

export function createNesting(): Nesting {
  /** By agent; the main agent is the empty string. */
  const steps = new Map<string, string>()
  const agents = new Map<string, Chunk>()
  const known = new Set<string>()

  const stepChunk = (type: string, agent: string, stepName: string) =>
    chunkOf(type, { stepName, subagentRunId: agent === '' ? undefined : agent })

  return {
    startStep: (agentId = '', stepName) => void steps.set(agentId, stepName),
    stepOf: (agentId = '') => steps.get(agentId),
    endStep: (agentId = '') => void steps.delete(agentId),
    startAgent(agentId, start) {
      agents.set(agentId, start)
      known.add(agentId)
    },
    isOpen: (agentId) => agents.has(agentId),
    endAgent: (agentId) => void agents.delete(agentId),
    isKnown: (agentId) => known.has(agentId),
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
      known.clear()
      for (const agentId of agents.keys()) known.add(agentId)
      const started = [...agents.values()].map((start) => withoutStranger(start, known))
      return [...started, ...[...steps].map(([agent, stepName]) => stepChunk('STEP_STARTED', agent, stepName))]
    },
  }
}

/** An agent's parent may have ended before: the client knows only those of the run that is under way. */
function withoutStranger(start: Chunk, known: ReadonlySet<string>): Chunk {
  const { parentSubagentRunId, ...rest } = start
  return known.has(String(parentSubagentRunId)) ? start : rest
}
