import type { AgentInfo } from '@millrace/core/client'
import { Icon } from '../icon.tsx'

interface AgentPickerProps {
  readonly agents: readonly AgentInfo[]
  readonly value: string
  readonly onChoose: (name: string) => void
}

/** The browser's own select with other styles, so that it works with every input device. */
export function AgentPicker({ agents, value, onChoose }: AgentPickerProps) {
  const title = agents.find(({ name }) => name === value)?.title ?? 'No agent'
  return (
    <label className="picker">
      <Tile title={title} />
      <span className="mr-unseen">Agent</span>
      <select value={value} disabled={agents.length === 0} onChange={(event) => onChoose(event.target.value)}>
        {agents.length === 0 && <option value="">No agent</option>}
        {agents.map((agent) => (
          <option key={agent.name} value={agent.name}>
            {agent.title}
          </option>
        ))}
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
