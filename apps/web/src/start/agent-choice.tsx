import type { AgentInfo } from '@millrace/core/client'
import { Tile } from '../composer/agent-picker.tsx'
import { Icon } from '../icon.tsx'
import { formatTitle } from '../words/formats.ts'

interface AgentChoiceProps {
  readonly agents: readonly AgentInfo[]
  readonly chosen: string | undefined
  readonly onChoose: (name: string) => void
  /** Present if a demo can run. */
  readonly onStartDemo?: () => void
}

export function AgentChoice({ agents, chosen, onChoose, onStartDemo }: AgentChoiceProps) {
  return (
    <section className="card" aria-labelledby="choose-agent">
      <h2 id="choose-agent">Choose an agent</h2>
      <fieldset className="agents" aria-labelledby="choose-agent">
        {agents.map((agent) => (
          <AgentOption
            key={agent.name}
            agent={agent}
            isChosen={agent.name === chosen}
            onChoose={() => onChoose(agent.name)}
          />
        ))}
        {agents.length === 0 && (
          <p className="card-note">No agent is configured. Recordings and pipes work without one.</p>
        )}
      </fieldset>
      {onStartDemo !== undefined && (
        <button type="button" className="mr-button button mr-primary big" onClick={onStartDemo}>
          <Icon name="play" />
          Start the demo run
        </button>
      )}
    </section>
  )
}

interface AgentOptionProps {
  readonly agent: AgentInfo
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function AgentOption({ agent: { title, description, format }, isChosen, onChoose }: AgentOptionProps) {
  return (
    <label className="agent">
      <input type="radio" name="agent" checked={isChosen} onChange={onChoose} />
      <Tile title={title} />
      <span className="agent-words">
        <b>{title}</b>
        <span>{description ?? (format === undefined ? '' : `Format: ${formatTitle(format)}`)}</span>
      </span>
    </label>
  )
}
