import type { AgentInfo, Api } from '@millrace/core/client'
import { type ThreadListStore, type Unsent, useStore } from '@millrace/react'
import { createContext, useContext } from 'react'
import type { Notifications } from './attention/use-notifications.ts'
import type { Router } from './router.ts'
import type { Route } from './routes.ts'
import type { OpenThreads } from './threads/open-threads.ts'

/** The objects that exist once per page. */
export interface Services {
  /** Where the app is mounted, such as `/agents`; empty at the root. */
  readonly basePath: string
  readonly api: Api
  readonly router: Router
  readonly threadList: ThreadListStore
  readonly openThreads: OpenThreads
}

export interface AppContext extends Services {
  /** Undefined until the server has answered. */
  readonly agents: readonly AgentInfo[] | undefined
  /** Asks the server again which agents there are and whether each can run. */
  readonly reloadAgents: () => void
  /** The start page restores it: the page that sent it is gone by then. */
  readonly unsent: Unsent | undefined
  readonly setUnsent: (unsent: Unsent | undefined) => void
  /** Imports recordings and opens the first one's thread. */
  readonly importFiles: (files: readonly File[]) => void
  /** The files that this page is sending, by their threads. */
  readonly reading: ReadonlyMap<string, string>
  readonly openDrawer: () => void
  /** Names the shown page in the title of the document. */
  readonly namePage: (title: string | undefined) => void
  readonly notifications: Notifications
  /** Removes the token from this browser and the threads from the page. Rejects if the server does not sign out. */
  readonly signOut: () => Promise<void>
}

const Context = createContext<AppContext | undefined>(undefined)

export const AppContextProvider = Context.Provider

export function useApp(): AppContext {
  const app = useContext(Context)
  if (app === undefined) throw new Error('useApp is used outside of AppContextProvider.')
  return app
}

export function useRoute(router: Router): Route {
  return useStore(router)
}
