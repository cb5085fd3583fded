import {
  type AgentInfo,
  createApi,
  createThreadListFeed,
  type ListedThread,
  type RunInfo,
  type ThreadDetail,
} from '@millrace/core/client'
import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { createThreadListStore } from '@millrace/react'
import type { ReactNode } from 'react'
import { App } from '../../src/app.tsx'
import { type AppContext, AppContextProvider, type Services } from '../../src/app-context.ts'
import { createRouter, type Router } from '../../src/router.ts'
import { loadThreadPage } from '../../src/thread/load-thread-page.ts'
import { createOpenThreads } from '../../src/threads/open-threads.ts'
import { NOON } from '../stage/clock.ts'
import { type Asked, type ScriptedStream, server } from '../stage/server.ts'
import { mount, settled } from '../stage/stage.tsx'

const agents: readonly AgentInfo[] = [
  { name: 'demo', title: 'Demo agent' },
  { name: 'wheel', title: 'Wheel' },
]

/** A thread of the list, older the higher its number. */
export const listed = (number: number, fields: Partial<ListedThread> = {}): ListedThread => ({
  id: `t${number}`,
  title: `Thread ${number}`,
  updatedAt: NOON - number * 1_000,
  ...fields,
})

/** A run of the first agent. */
export const run = (fields: Partial<RunInfo> = {}): RunInfo => ({ agent: 'demo', ...recorded(fields) })

/** A run of another program's stream: it has no agent. */
export const recorded = (fields: Partial<RunInfo> = {}): RunInfo => ({
  id: 'run_1',
  threadId: 't1',
  state: 'ended',
  outcome: 'success',
  format: 'agent-lines',
  seq: 9,
  ...fields,
})

export const textSegment = (seq: number, text: string): Segment => ({
  type: 'text',
  id: `s${seq}`,
  text,
  state: 'done',
  startedAt: NOON,
  endedAt: NOON,
  seqs: [seq, seq],
})

export const chatEvent = (segments: readonly Segment[], fields: Partial<ChatEvent> = {}): ChatEvent => ({
  id: 'run_1/m1',
  runId: 'run_1',
  role: 'assistant',
  state: 'done',
  segments,
  startedAt: NOON,
  seqs: [1, 9],
  ...fields,
})

export const detail = (fields: Partial<ThreadDetail> = {}): ThreadDetail => ({
  id: 't1',
  title: 'Thread 1',
  runs: [run()],
  chatEvents: [chatEvent([textSegment(2, 'The wheel turns.')])],
  ...fields,
})

/** The services of a page. */
export function createServices(fields: Partial<Services> = {}): Services {
  const api = createApi({ baseUrl: '' })
  // A lock of the browser takes an unknown time, and there is one tab.
  const feed = { baseUrl: '', limit: 60, shareAcrossTabs: false }
  return {
    basePath: '',
    api,
    router: forgettingRouter(),
    threadList: createThreadListStore(api, (...parts) => createThreadListFeed(feed, ...parts)),
    openThreads: createOpenThreads(''),
    ...fields,
  }
}

/** A router lives as long as its page; a scene is shorter, so what it adds to the window is removed with the scene. */
function forgettingRouter(): Router {
  const added: (readonly [string, EventListener])[] = []
  const page = {
    history,
    location,
    addEventListener: (type: string, listener: EventListener) => added.push([type, listener]),
  }
  const router = createRouter(page as unknown as Window, '')
  let count = 0
  return {
    ...router,
    subscribe(listener) {
      if (count++ === 0) for (const [type, each] of added) window.addEventListener(type, each)
      const leave = router.subscribe(listener)
      return () => {
        leave()
        if (--count === 0) for (const [type, each] of added) window.removeEventListener(type, each)
      }
    },
  }
}

/** A component inside of the app's context. */
export function inApp(child: ReactNode, fields: Partial<AppContext> = {}): ReactNode {
  const none = () => undefined
  const app = {
    agents,
    reloadAgents: none,
    unsent: undefined,
    setUnsent: none,
    importFiles: none,
    reading: new Map(),
    openDrawer: none,
    namePage: none,
    notifications: { isOn: false, refusal: undefined, toggle: async () => undefined },
    signOut: async () => undefined,
    ...createServices(),
    ...fields,
  }
  return <AppContextProvider value={app}>{child}</AppContextProvider>
}

/** The streams of the list that a scene has open. */
export interface ServedList {
  /** Sends an event to all of them. */
  send(name: string, value: unknown): void
  /** Ends all of them. */
  cut(): void
}

/** The server of a scene: two agents, these threads, and the first of them in full. */
export function serve(threads: readonly ListedThread[] = [listed(1), listed(2)], first = detail()): ServedList {
  server.always('GET /api/agents', { agents })
  server.always('GET /api/threads/:id', first)
  return serveList(({ query }) => ({ threads: query.has('open') ? [] : threads }))
}

/** Serves the list: what `pageOf` returns is also the first event of its stream. */
export function serveList(pageOf: (asked: Asked) => unknown): ServedList {
  let streams: ScriptedStream[] = []
  server.always('GET /api/threads', (asked: Asked) => {
    const page = pageOf(asked)
    if (!asked.isForEvents) return page
    const stream = asked.stream()
    streams.push(stream)
    asked.signal?.addEventListener('abort', () => {
      streams = streams.filter((each) => each !== stream)
    })
    stream.send(page, 'threads')
    return undefined
  })
  return {
    send(name, value) {
      for (const stream of streams) stream.send(value, name)
    },
    cut() {
      for (const stream of streams.splice(0)) stream.end()
    },
  }
}

/** The whole app at an address. */
export async function openApp(path = '/', services?: Services) {
  history.replaceState(undefined, '', path)
  // A module arrives in the browser's own time.
  await loadThreadPage()
  const opened = services ?? createServices()
  const mounted = mount(<App services={opened} />)
  await settled()
  return { ...mounted, ...opened }
}
