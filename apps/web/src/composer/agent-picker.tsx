import type { AgentInfo } from '@millrace/core/client'
import { splitAgents } from '../agents/agent-words.ts'
import { Icon } from '../icon.tsx'

interface AgentPickerProps {
  readonly agents: readonly AgentInfo[]
  readonly value: string
  readonly onChoose: (name: string) => void
  /** A run is live: what is sent goes to its agent. */
  readonly isFixed?: boolean
}

const FIXED = 'The agent of this run. Another one can be chosen when the run has ended.'

/** The browser's own select with other styles, so that it works with every input device. */
export function AgentPicker({ agents, value, onChoose, isFixed = false }: AgentPickerProps) {
  const title = agents.find(({ name }) => name === value)?.title ?? 'No agent'
  const { available, others } = splitAgents(agents)
  return (
    <label className="picker" title={isFixed ? FIXED : undefined}>
      <Tile title={title} />
      <span className="mr-unseen">Agent</span>
      <select
        value={value}
        disabled={agents.length === 0 || isFixed}
        onChange={(event) => onChoose(event.target.value)}
      >
        {!agents.some(({ name }) => name === value) && <option value={value}>No agent</option>}
        {available.map((agent) => (
          <option key={agent.name} value={agent.name}>
            {agent.title}
          </option>
        ))}
        {others.length > 0 && (
          <optgroup label="Not available">
            {others.map((agent) => (
              <option key={agent.name} value={agent.name} disabled>
                {`${agent.title}: ${agent.unavailable}`}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      <Icon name="chevron" />
    </label>
  )
}

/** The first letters of a name. */
export function Tile({ title }: { readonly title: string }) {
  const words = title.split(/[\s-]+/).filter((word) => word !== '')
  const [first = '', second = ''] = words
  const letters = second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)
  return (
    <span className="tile" aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  )
}
