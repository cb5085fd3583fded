import type { AgentInfo, Api } from '@millrace/core/client'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Route, Router } from './router.ts'
import type { OpenThreads } from './threads/open-threads.ts'
import type { ThreadList } from './threads/thread-list.ts'

/** What the page is made of, once. */
export interface Services {
  readonly api: Api
  readonly router: Router
  readonly threadList: ThreadList
  readonly openThreads: OpenThreads
}

export interface AppContext extends Services {
  /** Nothing while they are not known. */
  readonly agents: readonly AgentInfo[] | undefined
  /** Takes recordings in and goes to the thread. */
  readonly importFiles: (files: readonly File[]) => void
  readonly openDrawer: () => void
  /** Takes the token from this browser and leaves nothing of the threads on the page. Rejects if the server does not. */
  readonly signOut: () => Promise<void>
}

const Context = createContext<AppContext | undefined>(undefined)

export const AppContextProvider = Context.Provider

export function useApp(): AppContext {
  const app = useContext(Context)
  if (app === undefined) throw new Error('There is no app around this component.')
  return app
}

export function useRoute({ subscribe, snapshot }: Router): Route {
  return useSyncExternalStore(subscribe, snapshot)
}
