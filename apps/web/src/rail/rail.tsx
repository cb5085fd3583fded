import { ThreadList, useStore } from '@millrace/react'
import { type RefObject, useCallback, useState } from 'react'
import { useApp, useRoute } from '../app-context.ts'
import { Icon, Wordmark } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { Link } from '../navigation.tsx'
import { FileButton } from '../recordings/file-button.tsx'
import { troubleOf, troubleText } from '../trouble.ts'
import { SearchField } from './search-field.tsx'

interface RailProps {
  readonly searchField: RefObject<HTMLInputElement | null>
  /** A closed drawer is inert. */
  readonly isHidden: boolean
  readonly onFollow: () => void
  /** Makes it slim, or wide again. */
  readonly onToggle: () => void
}

export function Rail({ searchField, isHidden, onFollow, onToggle }: RailProps) {
  const { threadList } = useApp()
  const onSearch = useCallback((text: string) => threadList.search(text), [threadList])
  return (
    <nav className="rail" aria-label="Threads" inert={isHidden}>
      <div className="rail-head">
        <Link to={{ name: 'start' }} className="home" onClick={onFollow}>
          <Wordmark />
        </Link>
        <button
          type="button"
          className="icon-button rail-toggle"
          aria-label="Threads"
          title={titleWithKey('Show or hide the threads', 'rail')}
          onClick={onToggle}
        >
          <Icon name="rail" />
        </button>
        <Link
          to={{ name: 'start' }}
          className="icon-button"
          aria-label="New thread"
          title="New thread"
          onClick={onFollow}
        >
          <Icon name="pencil" />
        </Link>
      </div>
      <SearchField ref={searchField} onSearch={onSearch} />
      <RunsLink onFollow={onFollow} />
      <AgentsLink onFollow={onFollow} />
      <Threads onFollow={onFollow} />
      <div className="rail-foot">
        <FileButton className="mr-button button quiet">
          <Icon name="import" />
          Import a recording
        </FileButton>
        <SignOutButton />
      </div>
    </nav>
  )
}

function RunsLink({ onFollow }: Pick<RailProps, 'onFollow'>) {
  const { router } = useApp()
  const isCurrent = useRoute(router).name === 'runs'
  return (
    <Link to={{ name: 'runs' }} className="rail-link" aria-current={isCurrent ? 'page' : undefined} onClick={onFollow}>
      <Icon name="runs" />
      Runs
    </Link>
  )
}

function AgentsLink({ onFollow }: Pick<RailProps, 'onFollow'>) {
  const { agents = [], router } = useApp()
  const isCurrent = useRoute(router).name === 'agents'
  return (
    <Link
      to={{ name: 'agents' }}
      className="rail-link"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onFollow}
    >
      <Icon name="plug" />
      Agents
      <span className="rail-count">{agents.length > 0 && agents.length}</span>
    </Link>
  )
}

const ROW_LABELS = { noThreads: 'No threads yet. Everything that you run, import or pipe in appears here.' }

function Threads({ onFollow }: Pick<RailProps, 'onFollow'>) {
  const { threadList, router, agents } = useApp()
  const { error } = useStore(threadList)
  const route = useRoute(router)
  const routeTo = (threadId: string) => ({ name: 'thread', threadId }) as const
  return (
    <ThreadList
      store={threadList}
      labels={ROW_LABELS}
      current={route.name === 'thread' ? route.threadId : undefined}
      hrefOf={(threadId) => router.hrefOf(routeTo(threadId))}
      onOpen={(threadId) => {
        onFollow()
        router.go(routeTo(threadId))
      }}
      trouble={<span title={troubleOf(error).advice}>{troubleOf(error).title}. Trying again…</span>}
      {...(agents !== undefined && { agents })}
    />
  )
}

/** Removes the token from this browser. Runs continue, and other browsers stay signed in. */
function SignOutButton() {
  const { signOut } = useApp()
  const [trouble, setTrouble] = useState<string>()
  const label = trouble === undefined ? 'Sign out of this browser' : `Not signed out. ${trouble}`
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => signOut().catch((error) => setTrouble(troubleText(error)))}
    >
      <Icon name={trouble === undefined ? 'sign-out' : 'warning'} />
    </button>
  )
}
