import type { AgentInfo } from '@millrace/core/client'
import { type Draft, splitAgents, useStore } from '@millrace/react'
import { useState } from 'react'
import { useApp } from '../app-context.ts'
import { AppComposer } from '../composer/app-composer.tsx'
import { MenuButton } from '../navigation.tsx'
import { PlainStatus } from '../status/plain-status.tsx'
import { troubleOf, troubleText } from '../trouble.ts'
import { AgentChoice } from './agent-choice.tsx'
import { Arrivals } from './arrivals.tsx'
import { PipeCard } from './pipe-card.tsx'
import { FormatsLink, RecordingCard } from './recording-card.tsx'

/** The agent that needs no key and no message. */
const DEMO = 'demo'

/** The message that starts the demo. */
const DEMO_PROMPT = 'Can the old mill wheel be repaired?'

export function StartPage({ agent: wanted }: { readonly agent?: string | undefined }) {
  const { basePath, agents = [], openThreads, router, threadList, unsent, setUnsent } = useApp()
  const [chosen, setChosen] = useState<string>()
  const { available } = splitAgents(agents)
  const demo = available.find(({ name }) => name === DEMO)
  const agent = available.find(({ name }) => name === (chosen ?? unsent?.agent ?? wanted)) ?? demo ?? available[0]

  /** Opens the thread at once: the message is shown in it before the server has answered. Never rejects. */
  async function start({ name }: AgentInfo, { text, files }: Draft): Promise<void> {
    setUnsent(undefined)
    const { threadId, store } = openThreads.create()
    const sent = store.send(files.length === 0 ? text : { text, files }, { agent: name })
    router.go({ name: 'thread', threadId })
    try {
      await sent
    } catch (error) {
      setUnsent({ agent: name, text, files, trouble: troubleText(error) })
      const route = router.snapshot()
      // The user may have gone elsewhere meanwhile, and stays there.
      if (route.name === 'thread' && route.threadId === threadId) router.go({ name: 'start' }, 'replace')
      return
    }
    await threadList.refresh()
  }

  const startDemo = () => {
    if (demo !== undefined) void start(demo, { text: DEMO_PROMPT, files: [] })
  }

  return (
    <>
      <main className="main" id="main">
        <header className="bar">
          <MenuButton />
          <p className="bar-title">New thread</p>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
        <div className="start" tabIndex={0}>
          <div className="start-inside">
            <h1>Bring any agent’s stream</h1>
            <p className="start-lead">
              It is logged while it arrives, and looks the same live, after a reload and next year. No key is needed to
              try it.
            </p>
            <Arrivals />
            <div className="start-cards">
              <AgentChoice
                agents={agents}
                chosen={agent?.name}
                onChoose={setChosen}
                {...(demo !== undefined && agent === demo && { onStartDemo: startDemo })}
              />
              <RecordingCard />
            </div>
            {demo !== undefined && <FormatsLink />}
            <PipeCard server={`${location.origin}${basePath}`} />
          </div>
        </div>
        <div className="dock">
          <AppComposer
            agent={agent?.name ?? ''}
            onAgent={setChosen}
            placeholder={agent === undefined ? 'No agent is configured' : placeholderFor(agent)}
            onSend={(draft) => (agent === undefined ? Promise.resolve() : start(agent, draft))}
            unsent={unsent}
          />
        </div>
      </main>
      <StartStatus />
    </>
  )
}

/** A script cannot answer: it promises no more than it does. */
const placeholderFor = ({ name, title }: AgentInfo) =>
  name === DEMO ? 'The demo plays its errand whatever you write, and quotes it' : `Ask ${title} anything`

function StartStatus() {
  const { state, error } = useStore(useApp().threadList)
  const end = <span className="mr-fact mr-wide">{location.host}</span>
  if (state === 'failed') return <PlainStatus text={troubleOf(error).title} tone="bad" end={end} />
  return <PlainStatus text={state === 'loading' ? 'Connecting…' : 'No run · log ready'} tone="quiet" end={end} />
}
