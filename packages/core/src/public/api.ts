/** What the HTTP interface of a server sends and takes. */

export type * from '../api/agent-types.ts'
export { ApiError } from '../api/api-error.ts'
export type * from '../api/api-types.ts'
export { fileUrl, newMessageId, newRunId, newThreadId, storedFileId, USER_MESSAGE } from '../api/ids.ts'
export { lineageOf, mainRuns } from '../api/lineage.ts'
export type * from '../api/message-types.ts'
export {
  isListed,
  type ListedState,
  listedDurationOf,
  listedStateOf,
  type Overview,
  RUN_STATES,
  type RunFilter,
} from '../api/run-list.ts'
export { RUN_STATE_EVENT, type RunStatus } from '../api/run-status.ts'
export type * from '../api/search-types.ts'
export { FORMATS_OF_SHOW, type FormatsColumn, type FormatsShow } from '../api/show-types.ts'
export type * from '../api/stop-types.ts'
export { type ClientTool, clientToolsIn } from '../data/client-tools.ts'
