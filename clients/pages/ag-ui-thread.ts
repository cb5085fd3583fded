import { HttpAgent, type Message } from 'ag-ui-0.0.58'
import { agent, threadId } from './address.ts'
import { stoppingFetch } from './stopping-fetch.ts'

interface Loaded {
  readonly messages: readonly (Message & { readonly metadata?: { readonly isError?: boolean } })[]
  readonly runs: readonly { readonly id: string; readonly state: string }[]
}

/** The pages of this protocol were made for versions before 1.0. */
const PROFILE = 'profile=0'

/** The thread of the address, as the server has it; nothing if there is none yet. */
export async function loadThread(): Promise<{ readonly messages: Message[]; readonly liveRunId?: string }> {
  const response = await fetch(`/api/threads/${threadId}?wire=ag-ui&${PROFILE}`)
  if (response.status === 404) return { messages: [] }
  const { messages, runs } = (await response.json()) as Loaded
  const live = runs.find(({ state }) => state !== 'ended')
  return { messages: messages.map(withFailure), ...(live !== undefined && { liveRunId: live.id }) }
}

/** A call that failed has an `error` for assistant-ui; what is loaded is what the client of the protocol holds, which has none. */
function withFailure(message: Loaded['messages'][number]): Message {
  return message.role === 'tool' && message.metadata?.isError === true
    ? { ...message, error: String(message.content) }
    : message
}

/** An agent whose first request may name a run that exists: it is read from its first chunk, and none is started. */
export function threadAgent(joining?: string): HttpAgent {
  let joinedRunId = joining
  const fetchJoining: typeof fetch = (url, init = {}) => {
    const body = JSON.parse(String(init.body)) as { readonly runId: string }
    const runId = joinedRunId ?? body.runId
    joinedRunId = undefined
    return stoppingFetch(url, { ...init, body: JSON.stringify({ ...body, runId }) })
  }
  return new HttpAgent({ url: `/api/ag-ui/${agent}?${PROFILE}`, threadId, fetch: fetchJoining })
}
