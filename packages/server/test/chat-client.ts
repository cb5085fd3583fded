import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import type { Serving } from './serving.ts'

/** What a framework's own chat keeps in its store. */
function createState(): ChatState<UIMessage> {
  let messages: UIMessage[] = []
  return {
    status: 'ready' as ChatStatus,
    error: undefined,
    get messages() {
      return messages
    },
    set messages(next) {
      messages = next
    },
    pushMessage(message) {
      messages = [...messages, message]
    },
    popMessage() {
      messages = messages.slice(0, -1)
    },
    replaceMessage(index, message) {
      messages = messages.with(index, structuredClone(message))
    },
    snapshot: (thing) => structuredClone(thing),
  }
}

class Chat extends AbstractChat<UIMessage> {}

export interface ChatClient {
  readonly chat: AbstractChat<UIMessage>
  /** What the requests were answered with. */
  readonly statuses: number[]
}

/** The AI SDK's own client, with its default transport; it sends by itself once every approval is answered. */
export function createChatClient({ url, token }: Serving, id: string, body: object = {}): ChatClient {
  const statuses: number[] = []
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${url}/api/chat`,
    headers: { authorization: `Bearer ${token}` },
    body,
    fetch: async (...asked) => {
      const response = await fetch(...(asked as Parameters<typeof fetch>))
      statuses.push(response.status)
      return response
    },
  })
  const chat = new Chat({
    id,
    transport,
    state: createState(),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return { chat, statuses }
}

export const partsOf = ({ chat }: ChatClient, role: 'user' | 'assistant') =>
  chat.messages.filter((message) => message.role === role).map(({ parts }) => parts)
