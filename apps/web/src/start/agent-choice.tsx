import type { AgentInfo } from '@millrace/core/client'
import { AgentTile, formatTitle, splitAgents } from '@millrace/react'
import { plainText } from '../agents/agent-words.ts'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'

interface AgentChoiceProps {
  readonly agents: readonly AgentInfo[]
  readonly chosen: string | undefined
  readonly onChoose: (name: string) => void
  /** Present if the demo is chosen: next to another choice it would start what was not chosen. */
  readonly onStartDemo?: () => void
}

/** The agents that can run, and below them the others with the reason. */
export function AgentChoice({ agents, chosen, onChoose, onStartDemo }: AgentChoiceProps) {
  const { available, others } = splitAgents(agents)
  return (
    <section className="card" aria-labelledby="choose-agent">
      <h2 id="choose-agent">Choose an agent</h2>
      <fieldset className="agents" aria-labelledby="choose-agent">
        {available.map((agent) => (
          <AgentOption
            key={agent.name}
            agent={agent}
            isChosen={agent.name === chosen}
            onChoose={() => onChoose(agent.name)}
          />
        ))}
        {others.map((agent) => (
          <UnavailableAgent key={agent.name} agent={agent} />
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
      <AgentTile title={title} />
      <span className="agent-words">
        <b>{title}</b>
        <span>{description ?? (format === undefined ? '' : `Format: ${formatTitle(format)}`)}</span>
      </span>
    </label>
  )
}

/** Cannot be chosen. It leads to the page that says what to do. */
function UnavailableAgent({ agent: { name, title, unavailable } }: { readonly agent: AgentInfo }) {
  return (
    <Link to={{ name: 'agents', agent: name }} className="agent agent-off">
      <AgentTile title={title} />
      <span className="agent-words">
        <b>
          {title} <span>not available</span>
        </b>
        <span className="mr-cut" title={unavailable}>
          {plainText(unavailable ?? '')}
        </span>
      </span>
    </Link>
  )
}
