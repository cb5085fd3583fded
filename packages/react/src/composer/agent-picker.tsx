import type { AgentInfo } from '@millrace/core/client'
import { Icon } from '../icon.tsx'
import { useViewContext } from '../view-context.ts'

export interface AgentPickerProps {
  readonly agents: readonly AgentInfo[]
  readonly value: string
  readonly onChoose?: ((name: string) => void) | undefined
  /** A run is live: what is sent goes to its agent. */
  readonly isFixed?: boolean
}

/** The browser's own select with other styles, so that it works with every input device. */
export function AgentPicker({ agents, value, onChoose, isFixed = false }: AgentPickerProps) {
  const { labels } = useViewContext()
  const title = agents.find(({ name }) => name === value)?.title ?? labels.noAgent
  const { available, others } = splitAgents(agents)
  return (
    <label className="mr-picker" title={isFixed ? labels.agentIsFixed : undefined}>
      <AgentTile title={title} />
      <span className="mr-unseen">{labels.agent}</span>
      <select
        value={value}
        disabled={agents.length === 0 || isFixed}
        onChange={(event) => onChoose?.(event.target.value)}
      >
        {!agents.some(({ name }) => name === value) && <option value={value}>{labels.noAgent}</option>}
        {available.map((agent) => (
          <option key={agent.name} value={agent.name}>
            {agent.title}
          </option>
        ))}
        {others.length > 0 && (
          <optgroup label={labels.notAvailable}>
            {others.map((agent) => (
              <option key={agent.name} value={agent.name} disabled>
                {`${agent.title}: ${agent.unavailable}`}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      <Icon name="down" />
    </label>
  )
}

/** The first letters of a name. */
export function AgentTile({ title }: { readonly title: string }) {
  const words = title.split(/[\s-]+/).filter((word) => word !== '')
  const [first = '', second = ''] = words
  const letters = second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)
  return (
    <span className="mr-tile" aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  )
}

/** The agents that can run and those that cannot, each in the server's order. */
export function splitAgents(agents: readonly AgentInfo[]): {
  readonly available: readonly AgentInfo[]
  readonly others: readonly AgentInfo[]
} {
  return {
    available: agents.filter(({ unavailable }) => unavailable === undefined),
    others: agents.filter(({ unavailable }) => unavailable !== undefined),
  }
}
