import type { ListedThread } from '@millrace/core/client'
import { createRunListStore, useStore } from '@millrace/react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Link, MenuButton } from '../navigation.tsx'
import { PlainStatus } from '../status/plain-status.tsx'
import { troubleOf, troubleText } from '../trouble.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Counters, useOverview } from './counters.tsx'
import { exportThreads } from './export-threads.ts'
import { FilterBar, Views } from './filter-bar.tsx'
import { ImportButton } from './import-button.tsx'
import { RunTable } from './run-table.tsx'
import { filterOf, type RunsRoute } from './runs-route.ts'
import { RunsSearchField } from './runs-search-field.tsx'
import { SearchPage } from './search/search-page.tsx'
import { DeleteDialog, RenameDialog } from './thread-dialogs.tsx'
import { useSelection } from './use-selection.ts'
import '../styles/runs.css'
import '../styles/run-table.css'
import '../styles/runs-search.css'
import '../styles/runs-narrow.css'

/** All runs, or what was found in their texts. */
export function RunsPage({ route }: { readonly route: RunsRoute }) {
  return route.text === undefined ? <ListPage route={route} /> : <SearchPage route={route} text={route.text} />
}

type Asking =
  | { readonly what: 'rename'; readonly thread: ListedThread }
  | { readonly what: 'delete'; readonly threads: readonly ListedThread[] }

function ListPage({ route }: { readonly route: RunsRoute }) {
  const { api, router, threadList } = useApp()
  const overview = useOverview()
  const store = useRunList(route)
  const { threads, state, hasMore, error } = useStore(store)
  const selection = useSelection()
  const [asking, setAsking] = useState<Asking>()
  const [notice, setNotice] = useState<string>()
  const chosen = threads.filter(({ id }) => selection.ids.has(id))
  const more = useCallback(() => void store.more(), [store])
  const isFiltered = Object.keys(route).length > 1

  /** Never rejects: what went wrong is said on the page. */
  async function act(work: () => Promise<unknown>, outcome?: string): Promise<void> {
    setNotice(undefined)
    try {
      await work()
      setNotice(outcome)
    } catch (failure) {
      setNotice(troubleText(failure))
    }
  }
  const deleteAll = (gone: readonly Pick<ListedThread, 'id'>[]) =>
    act(
      async () => {
        for (const { id } of gone) await api.deleteThread(id)
        selection.clear()
        await Promise.all([store.refresh(), threadList.refresh()])
      },
      `${countOf(gone.length, 'thread')} deleted`,
    )
  const exportAll = (wanted: readonly ListedThread[]) => act(() => exportThreads(api, wanted))
  const open = (thread: ListedThread, isBeside: boolean) => {
    const to = { name: 'thread', threadId: thread.id } as const
    if (isBeside) window.open(router.hrefOf(to), '_blank', 'noopener')
    else router.go(to)
  }
  return (
    <>
      <main className="main runs-main" id="main">
        <header className="bar">
          <MenuButton />
          <h1 className="bar-title">Runs</h1>
          <span className="bar-note">{state === 'loading' ? '' : `${threads.length}${hasMore ? '+' : ''} shown`}</span>
          <span className="bar-end">
            <Views route={route} />
            <ImportButton />
          </span>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
        <div className="runs-scroll" tabIndex={0}>
          <Counters overview={overview} />
          <FilterBar route={route} threads={threads}>
            <RunsSearchField route={route} />
          </FilterBar>
          {state === 'failed' && (
            <p className="runs-note runs-trouble" role="alert">
              {troubleOf(error).title}. {threads.length > 0 && 'The list is as it was. '}
              <button type="button" className="text-button" onClick={() => void store.refresh()}>
                Try again
              </button>
            </p>
          )}
          {state === 'ready' && threads.length === 0 ? (
            <NoRuns isFiltered={isFiltered} />
          ) : (
            <RunTable
              threads={threads}
              hasMore={hasMore && state === 'ready'}
              selection={selection}
              onMore={more}
              onOpen={open}
              onExport={(wanted) => void exportAll(wanted)}
              onRename={(thread) => setAsking({ what: 'rename', thread })}
              onDelete={(gone) => setAsking({ what: 'delete', threads: gone })}
            />
          )}
        </div>
        {chosen.length > 0 && (
          <BulkBar
            count={chosen.length}
            onExport={() => void exportAll(chosen)}
            onDelete={() => setAsking({ what: 'delete', threads: chosen })}
            onClear={selection.clear}
          />
        )}
        {asking?.what === 'delete' && (
          <DeleteDialog threads={asking.threads} onDelete={deleteAll} onClose={() => setAsking(undefined)} />
        )}
        {asking?.what === 'rename' && (
          <RenameDialog
            thread={asking.thread}
            onRename={(title) => void act(() => api.renameThread(asking.thread.id, title))}
            onClose={() => setAsking(undefined)}
          />
        )}
      </main>
      <PlainStatus
        text={notice ?? (state === 'failed' ? troubleOf(error).title : statusText(overview))}
        tone={state === 'failed' ? 'bad' : 'quiet'}
        end={<span className="mr-fact mr-wide">{location.host}</span>}
      />
    </>
  )
}

function useRunList(route: RunsRoute) {
  const { api, threadList } = useApp()
  const filter = useMemo(() => filterOf(route, new Date()), [route])
  const [store] = useState(() => createRunListStore(api, threadList, filter))
  const wanted = JSON.stringify(filter)
  useEffect(() => store.start(), [store])
  useEffect(() => {
    if (JSON.stringify(store.snapshot().filter) !== wanted) store.show(JSON.parse(wanted))
  }, [store, wanted])
  return store
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

function statusText(overview: ReturnType<typeof useOverview>): string {
  if (overview === undefined) return 'Connecting…'
  const { live, needsYou } = overview
  return `Server well · ${live} live · ${needsYou} ${needsYou === 1 ? 'needs' : 'need'} you · counters follow the log`
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div className="runs-empty">
      <Icon name="runs" />
      <h2>{isFiltered ? 'No run is like this' : 'No runs yet'}</h2>
      <p>
        {isFiltered
          ? 'Every run of the log was looked at. Set fewer filters.'
          : 'Everything that you run, import or pipe in appears here, with its steps, tokens and cost.'}
      </p>
      {isFiltered ? (
        <Link to={{ name: 'runs' }}>Show all runs</Link>
      ) : (
        <Link to={{ name: 'start' }}>Bring a stream</Link>
      )}
    </div>
  )
}
