import type { AgentInfo } from '@millrace/core/client'
import { AgentTile, formatTitle, splitAgents } from '@millrace/react'
import { useEffect, useId } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Link, MenuButton } from '../navigation.tsx'
import { PlainStatus } from '../status/plain-status.tsx'
import { AgentDetail } from './agent-detail.tsx'
import { groupAgents, healthFact, healthOf, healthTitles } from './agent-words.ts'

/** The agents of the server: what each is, what it can, and why one cannot run. Nothing is tried to show them. */
export function AgentsPage({ agent: chosenName }: { readonly agent: string | undefined }) {
  const { agents = [], reloadAgents } = useApp()
  useEffect(reloadAgents, [reloadAgents])
  const groups = groupAgents(agents)
  const chosen = agents.find(({ name }) => name === chosenName) ?? groups[0]?.agents[0]
  return (
    <>
      <main className="main agents-main" id="main" data-chosen={chosenName !== undefined}>
        <header className="bar">
          <MenuButton />
          <h1 className="bar-title">Agents</h1>
          <span className="bar-note">{countText(agents)}</span>
          <span className="bar-end">
            <button type="button" className="mr-button button quiet" onClick={reloadAgents}>
              <Icon name="retry" />
              Look again
            </button>
          </span>
        </header>
        <div className="agents-body">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
          <div className="agent-list" tabIndex={0}>
            {agents.length === 0 && (
              <p className="agents-empty">No agent is configured. Recordings and pipes work without one.</p>
            )}
            {groups.map(({ title, agents: members }) => (
              <Group key={title} title={title} agents={members} chosen={chosen?.name} />
            ))}
          </div>
          {chosen !== undefined && <AgentDetail key={chosen.name} agent={chosen} />}
        </div>
      </main>
      <PlainStatus text="Nothing is started to show this list" tone="quiet" end={undefined} />
    </>
  )
}

function countText(agents: readonly AgentInfo[]): string {
  const { available, others } = splitAgents(agents)
  const keyless = available.filter((agent) => healthOf(agent) === 'key').length
  const counts = [
    [available.length - keyless, 'available'],
    [keyless, keyless === 1 ? 'needs a key' : 'need a key'],
    [others.length, 'not available'],
  ] as const
  return counts.flatMap(([count, words], index) => (count > 0 || index === 0 ? [`${count} ${words}`] : [])).join(', ')
}

interface GroupProps {
  readonly title: string
  readonly agents: readonly AgentInfo[]
  readonly chosen: string | undefined
}

function Group({ title, agents, chosen }: GroupProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <ul>
        {agents.map((agent) => (
          <Row key={agent.name} agent={agent} isChosen={agent.name === chosen} />
        ))}
      </ul>
    </section>
  )
}

function Row({ agent, isChosen }: { readonly agent: AgentInfo; readonly isChosen: boolean }) {
  const { name, title, format } = agent
  const isReady = healthOf(agent) === 'ready'
  return (
    <li className="agent-row" data-chosen={isChosen}>
      <Link to={{ name: 'agents', agent: name }} className="agent-link" aria-current={isChosen}>
        <AgentTile title={title} />
        <span className="agent-name">
          <b className="mr-cut">{title}</b>
          <code className="mr-cut">{name}</code>
        </span>
        <span className="agent-format mr-cut">{format === undefined ? '' : formatTitle(format)}</span>
        <HealthMark agent={agent} />
      </Link>
      {isReady ? (
        <Link to={{ name: 'start', agent: name }} className="mr-button button agent-action" aria-label={`Run ${title}`}>
          <Icon name="play" />
          Run
        </Link>
      ) : (
        <Link
          to={{ name: 'agents', agent: name }}
          className="mr-button button agent-action"
          aria-label={healthOf(agent) === 'key' ? `Set the key of ${title}` : `See why ${title} cannot run`}
        >
          {healthOf(agent) === 'key' && <Icon name="key" />}
          {healthOf(agent) === 'key' ? 'Set key' : 'See why'}
        </Link>
      )}
    </li>
  )
}

/** Shape and words, so that the colour is never needed. */
function HealthMark({ agent }: { readonly agent: AgentInfo }) {
  const health = healthOf(agent)
  const fact = healthFact(agent)
  return (
    <span className={`health health-${health}`}>
      <span className="health-mark" aria-hidden="true" />
      <span className="health-words">
        <b>{healthTitles[health]}</b>
        {fact !== undefined && (
          <span className="mr-cut" title={fact}>
            {fact}
          </span>
        )}
      </span>
    </span>
  )
}
