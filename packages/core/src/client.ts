export { type Api, type ApiOptions, createApi } from './client/api.ts'
export { ApiError } from './client/api-error.ts'
export type {
  AgentInfo,
  Answer,
  InputFile,
  LastRun,
  ListedThread,
  RawQuery,
  RunInfo,
  RunInput,
  StartedRun,
  StartRun,
  ThreadDetail,
  ThreadInfo,
  ThreadPage,
  UploadedFile,
  Verification,
} from './client/api-types.ts'
export type { Connection } from './client/feed.ts'
export { newRunId, USER_MESSAGE } from './client/ids.ts'
export type { Channel, Fetch, Locks, PlatformOptions, Wake } from './client/platform.ts'
export {
  createRunStore,
  type RunLocation,
  type RunStore,
  type RunStoreOptions,
  type RunStoreSettings,
  type RunView,
} from './client/run-store.ts'
export {
  createThreadStore,
  type ThreadState,
  type ThreadStore,
  type ThreadStoreOptions,
  type ThreadView,
} from './client/thread-store.ts'
export type { RunStatus } from './run-status.ts'
