import type { AgentCheck, AgentInfo, AgentList } from '../api/agent-types.ts'
import { connectionError, errorOfResponse } from '../api/api-error.ts'
import type {
  Answer,
  Health,
  IngestedRun,
  InputFile,
  ListedThread,
  RawQuery,
  RunInfo,
  StartedRun,
  StartRun,
  ThreadDetail,
  ThreadInfo,
  ThreadPage,
  UploadedFile,
  Verification,
} from '../api/api-types.ts'
import type { RunMessage, RunMessages, SteeredMessage } from '../api/message-types.ts'
import type { Overview, RunFilter } from '../api/run-list.ts'
import type { FoundTexts, SearchOptions } from '../api/search-types.ts'
import type { StoppedRun } from '../api/stop-types.ts'
import { type Credentials, headersOf, type PlatformOptions, platformOf } from './platform.ts'

export interface ApiOptions extends Credentials, Pick<PlatformOptions, 'fetch'> {
  /** The server's address; empty for the server of the page. */
  readonly baseUrl: string
}

/** A message to a run. `next`: for the run after it, even if the agent reads messages while it runs. */
export interface NewMessage {
  readonly messageId: string
  readonly text: string
  readonly files?: readonly InputFile[]
  readonly when?: 'now' | 'next'
}

/** The server's routes, one method each. Every failure rejects with an `ApiError`. */
export interface Api {
  health(): Promise<Health>
  agents(): Promise<readonly AgentInfo[]>
  /** Tries whether an agent could run. Nothing is tried without this call. */
  checkAgent(name: string): Promise<AgentCheck>
  threads(query?: { readonly search?: string; readonly after?: string; readonly limit?: number }): Promise<ThreadPage>
  /** Texts of ended runs that have all the words. */
  search(options: SearchOptions): Promise<FoundTexts>
  /** Threads by their last run, newest first. */
  runs(query: RunFilter & { readonly after?: string; readonly limit?: number }): Promise<ThreadPage>
  /** What has happened since a time; `before` is an earlier one, to compare with. */
  overview(times: { readonly since: number; readonly before: number }): Promise<Overview>
  /** The threads whose last run has not ended, however old they are. */
  openThreads(): Promise<readonly ListedThread[]>
  createThread(thread?: { readonly id?: string; readonly title?: string }): Promise<ThreadInfo>
  thread(threadId: string, query?: { readonly before?: string; readonly limit?: number }): Promise<ThreadDetail>
  renameThread(threadId: string, title: string): Promise<ThreadInfo>
  deleteThread(threadId: string): Promise<void>
  /** A repeated call with the same key does not start a second run. */
  startRun(threadId: string, start: StartRun, idempotencyKey?: string): Promise<StartedRun>
  run(runId: string): Promise<RunInfo>
  /** Resolves to false if the run had already ended. */
  stop(runId: string): Promise<boolean>
  answer(runId: string, approvalId: string, answer: Answer): Promise<void>
  /** Gives a message to a run that has not ended. A repeated call with the same id is the same message. */
  steer(runId: string, message: NewMessage): Promise<SteeredMessage>
  /** Takes a message back that the agent has not taken. */
  takeBack(runId: string, messageId: string): Promise<void>
  /** What persons have said to the run, and what has become of it. */
  messages(runId: string): Promise<readonly RunMessage[]>
  /** The end of what the process of the run has printed beside its stream. */
  stderr(runId: string): Promise<string>
  /** Logs a recorded stream as a run of the thread. Resolves when all of it is logged. */
  ingest(recording: {
    readonly format: string
    readonly threadId: string
    readonly body: Blob | Uint8Array
    readonly title?: string
    /** The name of the file that is read. */
    readonly file?: string
  }): Promise<IngestedRun>
  verify(runId: string): Promise<Verification>
  /** The raw records, one per line. */
  raw(runId: string, query?: RawQuery): Promise<string>
  uploadFile(file: {
    readonly body: Blob | Uint8Array
    readonly mediaType: string
    readonly filename?: string
  }): Promise<UploadedFile>
  /** Removes the cookie with which the page is signed in. A token that was passed to this API stays valid. */
  signOut(): Promise<void>
}

type Query = { readonly [name: string]: string | number | undefined }

export function createApi({ baseUrl, token, fetch }: ApiOptions): Api {
  const platform = platformOf(fetch === undefined ? {} : { fetch })
  const credentials = token === undefined ? {} : { token }
  const root = `${baseUrl.replace(/\/$/, '')}/api`

  async function request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = headersOf(credentials, init.headers as Record<string, string>)
    const options = { ...init, method, headers, credentials: 'same-origin' as const }
    const response = await platform.fetch(root + path, options).catch((cause) => {
      throw connectionError(cause)
    })
    if (!response.ok) throw await errorOfResponse(response)
    return response
  }

  const get = async <Answer>(path: string) => (await (await request('GET', path)).json()) as Answer

  /** Always sends a JSON body, even an empty one: a form of another site cannot send JSON. */
  const send = (method: string, path: string, body: object = {}, headers: Record<string, string> = {}) =>
    request(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

  const sendFor = async <Answer>(...parts: Parameters<typeof send>) => (await (await send(...parts)).json()) as Answer

  return {
    health: () => get('/health'),
    agents: async () => (await get<AgentList>('/agents')).agents,
    checkAgent: (name) => sendFor('POST', `/agents/${encoded(name)}/check`),
    threads: (query = {}) => get(`/threads${queryOf(query)}`),
    search: ({ threadId: thread, kinds, ...options }) =>
      get(`/search${queryOf({ ...options, thread, kinds: kinds?.join(',') })}`),
    runs: (query) => get(`/runs${queryOf({ ...query })}`),
    overview: (times) => get(`/overview${queryOf(times)}`),
    openThreads: async () => (await get<ThreadPage>('/threads?open=true')).threads,
    createThread: (thread = {}) => sendFor('POST', '/threads', thread),
    thread: (threadId, query = {}) => get(`/threads/${encoded(threadId)}${queryOf(query)}`),
    renameThread: (threadId, title) => sendFor('PATCH', `/threads/${encoded(threadId)}`, { title }),
    async deleteThread(threadId) {
      await send('DELETE', `/threads/${encoded(threadId)}`)
    },
    startRun: (threadId, start, idempotencyKey) =>
      sendFor(
        'POST',
        `/threads/${encoded(threadId)}/runs`,
        start,
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      ),
    run: (runId) => get(`/runs/${encoded(runId)}`),
    stop: async (runId) => (await sendFor<StoppedRun>('POST', `/runs/${encoded(runId)}/stop`)).stopped,
    async answer(runId, approvalId, answer) {
      await send('POST', `/runs/${encoded(runId)}/approvals/${encoded(approvalId)}`, answer)
    },
    steer: (runId, message) => sendFor('POST', `/runs/${encoded(runId)}/messages`, message),
    async takeBack(runId, messageId) {
      await send('DELETE', `/runs/${encoded(runId)}/messages/${encoded(messageId)}`)
    },
    messages: async (runId) => (await get<RunMessages>(`/runs/${encoded(runId)}/messages`)).messages,
    stderr: async (runId) => (await request('GET', `/runs/${encoded(runId)}/stderr`)).text(),
    async ingest({ body, ...query }) {
      const response = await request('POST', `/ingest${queryOf(query)}`, binary(body))
      return (await response.json()) as IngestedRun
    },
    verify: (runId) => get(`/runs/${encoded(runId)}/verify`),
    raw: async (runId, query = {}) =>
      (await request('GET', `/runs/${encoded(runId)}/raw${queryOf({ ...query })}`)).text(),
    async uploadFile({ body, mediaType, filename }) {
      const path = `/files${queryOf({ filename })}`
      const response = await request('POST', path, binary(body, mediaType))
      return (await response.json()) as UploadedFile
    },
    async signOut() {
      await send('POST', '/sign-out')
    },
  }
}

/** A request with a binary body. */
const binary = (body: Blob | Uint8Array, mediaType = 'application/octet-stream'): RequestInit => ({
  body: body as NonNullable<RequestInit['body']>,
  headers: { 'content-type': mediaType },
})

const encoded = encodeURIComponent

function queryOf(query: Query): string {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  if (defined.length === 0) return ''
  return `?${new URLSearchParams(defined.map(([name, value]): [string, string] => [name, String(value)]))}`
}
