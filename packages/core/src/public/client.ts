export type { AgentAbilities, AgentCheck, AgentInfo, AgentTrouble } from '../api/agent-types.ts'
export { ApiError } from '../api/api-error.ts'
export type {
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
} from '../api/api-types.ts'
export { newMessageId, newRunId, newThreadId, USER_MESSAGE } from '../api/ids.ts'
export type { RunMessage, SteeredMessage } from '../api/message-types.ts'
export {
  isListed,
  type ListedState,
  listedDurationOf,
  listedStateOf,
  type Overview,
  RUN_STATES,
  type RunFilter,
} from '../api/run-list.ts'
export type { RunStatus } from '../api/run-status.ts'
export type { FoundText, FoundTexts, SearchOptions } from '../api/search-types.ts'
export { type Api, type ApiOptions, createApi, type NewMessage } from '../client/api.ts'
export { type ChangeFeedOptions, createThreadListFeed, type ListHandlers } from '../client/change-feeds.ts'
export { entryOf } from '../client/entry-of.ts'
export type { Connection, Feed, FeedStatus } from '../client/feed.ts'
export { type MessageNotes, sendMessage } from '../client/messages.ts'
export type { Channel, Fetch, Locks, PlatformOptions, Wake } from '../client/platform.ts'
export type { RunLocation, RunStoreSettings } from '../client/run-feed.ts'
export { createRunLog, type RunLog, type RunLogOptions, type RunLogSnapshot } from '../client/run-log.ts'
export { createRunStore, type RunStore, type RunStoreOptions, type RunStoreSnapshot } from '../client/run-store.ts'
export type {
  SendOptions,
  ThreadState,
  ThreadStore,
  ThreadStoreOptions,
  ThreadStoreSnapshot,
} from '../client/thread-shapes.ts'
export { createThreadStore } from '../client/thread-store.ts'
