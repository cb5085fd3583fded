import { ApiError } from '@millrace/core/client'
import { Boundary, type Unsent, useStore } from '@millrace/react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { AgentsPage } from './agents/agents-page.tsx'
import { useAgents } from './agents/use-agents.ts'
import { type AppContext, AppContextProvider, type Services, useApp, useRoute } from './app-context.ts'
import { usePageTitle } from './attention/page-title.ts'
import { useAttention } from './attention/use-attention.ts'
import { useNotifications } from './attention/use-notifications.ts'
import { FocusAfterMove, useSearchKey } from './focus.ts'
import { KeyDialogs } from './keys/key-dialogs.tsx'
import { KeysProvider } from './keys/keys-context.tsx'
import { usePageCommands } from './keys/page-commands.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { Rail } from './rail/rail.tsx'
import { useRailWidth } from './rail/use-rail-width.ts'
import { ImportNotice } from './recordings/import-notice.tsx'
import { type ImportItem, useImport } from './recordings/use-import.ts'
import { useWindowDrop } from './recordings/use-window-drop.ts'
import type { Route } from './routes.ts'
import { SignedOutPage } from './signed-out-page.tsx'
import { StartPage } from './start/start-page.tsx'
import { loadThreadPage } from './thread/load-thread-page.ts'
import { TroublePage } from './trouble-page.tsx'
import { useDrawer } from './use-drawer.ts'

/** Loaded when they are first shown. */
const ThreadPage = lazy(loadThreadPage)
const RunsPage = lazy(() => import('./runs/runs-page.tsx').then((module) => ({ default: module.RunsPage })))

const FormatsPage = lazy(() => import('./formats/formats-page.tsx').then((module) => ({ default: module.FormatsPage })))

/** Shown beside the rail, from which every other thread can be opened. */
const UNDRAWABLE = new Error('It could not be drawn. Nothing is lost: everything is in the log.')

export function App({ services }: { readonly services: Services }) {
  return (
    <KeysProvider>
      <Shell services={services} />
    </KeysProvider>
  )
}

function Shell({ services }: { readonly services: Services }) {
  const { threadList, router, api } = services
  const route = useRoute(router)
  const [isSignedOut, setIsSignedOut] = useState(false)
  const { agents, reloadAgents } = useAgents(api, isSignedOut)
  const [unsent, setUnsent] = useState<Unsent>()
  const importing = useImport(services)
  const { importFiles } = importing
  const isDropping = useWindowDrop(importFiles)
  const searchField = useRef<HTMLInputElement>(null)
  const drawer = useDrawer(searchField)
  const railWidth = useRailWidth()
  useSearchKey(searchField, () => {
    drawer.open()
    railWidth.widen()
  })
  const notifications = useNotifications()
  const namePage = usePageTitle(useAttention({ threadList, router, isNotifying: notifications.isOn }))
  const signOut = useCallback(async () => {
    await api.signOut()
    threadList.stop()
    setIsSignedOut(true)
  }, [api, threadList])
  usePageCommands({ router, importFiles, signOut })
  useEffect(() => {
    threadList.start()
    return () => threadList.stop()
  }, [threadList])
  const reading = useMemo(() => readingOf(importing.items), [importing.items])
  const app = useMemo<AppContext>(
    () => ({
      ...services,
      agents,
      reloadAgents,
      unsent,
      setUnsent,
      openDrawer: drawer.open,
      namePage,
      notifications,
      importFiles,
      reading,
      signOut,
    }),
    [services, agents, reloadAgents, unsent, drawer.open, namePage, notifications, importFiles, reading, signOut],
  )
  if (isSignedOut) return <SignedOutPage />
  return (
    <AppContextProvider value={app}>
      <div className="millrace app" data-drawer={drawer.isOpen ? 'open' : undefined} data-rail={railWidth.width}>
        <a className="skip" href="#main">
          Skip to the thread
        </a>
        <Rail
          searchField={searchField}
          isHidden={drawer.isHidden}
          onFollow={drawer.close}
          onToggle={railWidth.toggle}
        />
        {drawer.isOpen && (
          <button type="button" className="scrim" aria-label="Close the threads" onClick={drawer.close} />
        )}
        <Boundary of={route} fallback={<TroublePage error={UNDRAWABLE} />}>
          <Suspense fallback={<LoadingPage />}>
            <FocusAfterMove route={route} />
            <Page route={route} />
          </Suspense>
        </Boundary>
        <KeyDialogs />
        <ImportNotice importing={importing} shown={route.name === 'thread' ? route.threadId : undefined} />
        {isDropping && <div className="drop-cover">Drop to import the recording</div>}
      </div>
    </AppContextProvider>
  )
}

const readingOf = (items: readonly ImportItem[]): ReadonlyMap<string, string> =>
  new Map(items.flatMap((item) => (item.state === 'sending' ? [[item.threadId, item.name]] : [])))

function Page({ route }: { readonly route: Route }) {
  const { error } = useStore(useApp().threadList)
  if (error instanceof ApiError && error.status === 401) return <TroublePage error={error} />
  if (route.name === 'start') return <StartPage agent={route.agent} />
  if (route.name === 'agents') return <AgentsPage agent={route.agent} />
  if (route.name === 'formats') return <FormatsPage />
  if (route.name === 'runs') return <RunsPage route={route} />
  if (route.name === 'unknown') return <NotFoundPage path={route.path} />
  return <ThreadPage key={route.threadId} route={route} />
}

/** A part of the app is on its way. */
const LoadingPage = () => <main className="main" id="main" aria-busy="true" />
