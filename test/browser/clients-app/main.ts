import { HttpAgent, type Message } from '@ag-ui/client'
import { Chat } from '@ai-sdk/react'
import { createRunStore } from '@millrace/core/client'
import { lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'

declare const location: { readonly pathname: string; readonly origin: string }

/** What each client of the page holds. */
export interface Held {
  readonly aiSdk: { readonly status: string; readonly messages: readonly UIMessage[] }
  readonly agUi: { readonly isOver: boolean; readonly messages: readonly Message[]; readonly calls: readonly string[] }
  readonly native: { readonly connection: string; readonly chatEvents: readonly unknown[] }
}

const [, agent = '', threadId = ''] = location.pathname.split('/')

/** The AI SDK's client, as a page uses it that resumes a chat. */
const chat = new Chat<UIMessage>({
  id: threadId,
  sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
})

const agUi = new HttpAgent({ url: `${location.origin}/api/ag-ui/${agent}`, threadId })
const calls: string[] = []
let isOver = false
let store: ReturnType<typeof createRunStore> | undefined

/** The other two join the run that the chat has started: AG-UI's client by the run's id, which replays it. */
async function join(): Promise<void> {
  const response = await fetch(`/api/threads/${threadId}`)
  const { runs } = (await response.json()) as { readonly runs: readonly { readonly id: string }[] }
  const runId = runs.at(-1)?.id ?? ''
  store = createRunStore({ baseUrl: location.origin, runId })
  store.start()
  await agUi.runAgent({ runId }, { onToolCallStartEvent: ({ event }) => void calls.push(event.toolCallId) })
  isOver = true
}

Object.assign(globalThis, {
  /** Sends the question, and lets the others join as soon as there is a run. */
  begin: () => void chat.sendMessage({ text: 'Repair the wheel' }),
  join: () => void join(),
  resume: () => void chat.resumeStream(),
  held: (): Held => ({
    aiSdk: { status: chat.status, messages: chat.messages },
    agUi: { isOver, messages: agUi.messages, calls },
    native: {
      connection: store?.snapshot().connection ?? 'none',
      chatEvents: store?.snapshot().run.chatEvents ?? [],
    },
  }),
})
