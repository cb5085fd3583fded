import { createRunStore } from '../../src/client/run-store.ts'
import type { ThreadStoreOptions } from '../../src/client/thread-shapes.ts'
import { createThreadStore } from '../../src/client/thread-store.ts'
import { answerEvents, createRunServer, createWorld } from './platform.ts'
import { createThreadServer } from './threads.ts'

/** The store of a run whose server and clock the test controls. `view` draws a frame first. */
export function runScene(...words: readonly string[]) {
  const server = createRunServer(...answerEvents(...words))
  const world = createWorld()
  const location = { baseUrl: 'http://host', runId: 'r', token: 'secret' }
  const store = createRunStore({ ...location, ...world.options, fetch: server.fetch })
  const view = () => {
    world.frame()
    return store.snapshot()
  }
  return { server, world, store, view }
}

/** As `runScene`, for a thread. */
export function threadScene(options: Partial<ThreadStoreOptions> = {}) {
  const server = createThreadServer()
  const world = createWorld()
  const store = createThreadStore({
    baseUrl: 'http://host',
    threadId: 't',
    ...world.options,
    fetch: server.fetch,
    ...options,
  })
  const view = () => {
    world.frame()
    return store.snapshot()
  }
  const ids = () => view().chatEvents.map(({ id }) => id)
  return { server, world, store, view, ids }
}
