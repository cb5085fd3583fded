import type { AgentInfo } from '@millrace/core/client'
import { AgentTile, CopyButton, formatTitle } from '@millrace/react'
import { Fragment } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'
import { abilityTexts, commandsIn, healthTitles, kindText, notSet, partsOf, waysToKey } from './agent-words.ts'
import { type Checking, useCheck } from './use-check.ts'

/** One agent: what has to be done first, what it is and what it can. */
export function AgentDetail({ agent }: { readonly agent: AgentInfo }) {
  const { name, title, description, format, kind, can, unavailable, trouble } = agent
  const { api } = useApp()
  const { checking, check } = useCheck(api, name)
  const abilities = abilityTexts(can)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <section className="agent-detail" aria-label={title} tabIndex={0}>
      <Link to={{ name: 'agents' }} className="agent-back">
        <Icon name="chevron" /> All agents
      </Link>
      <header>
        <AgentTile title={title} />
        <h2>{title}</h2>
      </header>
      {description !== undefined && <p className="agent-lead">{description}</p>}
      {unavailable !== undefined && <Reason title={healthTitles[trouble?.kind ?? 'other']} sentence={unavailable} />}
      {trouble?.kind === 'key' && <MissingKey trouble={trouble} />}
      <h3>Abilities</h3>
      {abilities.length === 0 ? (
        <p className="agent-none">It answers once per run. A message while it runs waits for the next run.</p>
      ) : (
        <ul className="agent-facts">
          {abilities.map((text) => (
            <li key={text}>
              <Icon name="check" />
              {text}
            </li>
          ))}
        </ul>
      )}
      <h3>Facts</h3>
      <dl className="agent-table">
        <dt>Kind</dt>
        <dd>{kindText(kind)}</dd>
        <dt>Name</dt>
        <dd>
          <code>{name}</code>
        </dd>
        {format !== undefined && (
          <>
            <dt>Format</dt>
            <dd>{formatTitle(format)}</dd>
          </>
        )}
      </dl>
      <CheckLine checking={checking} />
      <footer>
        {unavailable === undefined && (
          <Link
            to={{ name: 'start', agent: name }}
            className={`mr-button button ${trouble === undefined ? 'mr-primary' : ''}`}
          >
            <Icon name="play" />
            {trouble === undefined ? 'Run' : 'Run anyway'}
          </Link>
        )}
        <button
          type="button"
          className="mr-button button"
          aria-disabled={checking.state === 'checking'}
          onClick={check}
        >
          <Icon name="retry" />
          {checking.state === 'checking' ? 'Checking…' : 'Check'}
        </button>
      </footer>
    </section>
  )
}

/** Which variable is missing, what follows, and two ways to set it. A value is never shown, because it is never sent here. */
function MissingKey({ trouble }: { readonly trouble: Extract<AgentInfo['trouble'], { kind: 'key' }> }) {
  return (
    <div className="agent-reason">
      <p>
        <Icon name="key" />
        <b>{notSet(trouble.variables)}</b>
      </p>
      <p>
        Its file names {trouble.variables.length === 1 ? 'the variable' : 'these variables'}, and the server was started
        without. The program starts, but what it asks with the key is refused.
      </p>
      {waysToKey(trouble).map(({ words, command }) => (
        <Fragment key={command}>
          <p>{words}</p>
          <CommandLine command={command} />
        </Fragment>
      ))}
      <p className="agent-none">Millrace looks only whether it is set. Its value is not shown and not logged.</p>
    </div>
  )
}

interface ReasonProps {
  readonly title: string
  readonly sentence: string
}

/** Why the agent cannot run, and the command lines that the sentence names, ready to copy. */
function Reason({ title, sentence }: ReasonProps) {
  return (
    <div className="agent-reason">
      <p>
        <Icon name="ask" />
        <b>{title}</b>
      </p>
      <p>{partsOf(sentence).map(({ text, isCode }) => (isCode ? <code key={text}>{text}</code> : text))}</p>
      {commandsIn(sentence).map((command) => (
        <CommandLine key={command} command={command} />
      ))}
    </div>
  )
}

function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className="command-line">
      <code>{command}</code>
      <CopyButton text={command} label={`Copy ${command}`} />
    </div>
  )
}

function CheckLine({ checking }: { readonly checking: Checking }) {
  const isGood = checking.state === 'checked' && checking.isReady
  return (
    <p className={`agent-check ${isGood ? 'agent-check-good' : ''}`} role="status">
      {checking.state === 'checked' && (
        <>
          <Icon name={isGood ? 'check' : 'warning'} />
          <span>
            <b>{isGood ? 'It can run.' : 'It cannot run.'}</b> {checking.message}
          </span>
        </>
      )}
      {checking.state === 'failed' && (
        <>
          <Icon name="warning" />
          <span>
            <b>It was not checked.</b> {checking.reason}
          </span>
        </>
      )}
    </p>
  )
}
