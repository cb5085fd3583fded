import {
  type AbstractChat,
  type ChatOnToolCallCallback,
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai'
import { WebSocket } from 'ws'
import { createChat } from '../../../proofs/wires/readers/ai-sdk.ts'
import type { Serving } from './serving.ts'

export interface ChatClient {
  readonly chat: AbstractChat<UIMessage>
  /** The status of each response. */
  readonly statuses: number[]
  /** Sets the handler for calls that the client runs. */
  onToolCall(run: OnToolCall): void
}

type OnToolCall = ChatOnToolCallCallback<UIMessage>
type SendWhen = typeof lastAssistantMessageIsCompleteWithApprovalResponses

/** The AI SDK's client with its default transport. By default it sends once every approval is answered. */
export function createChatClient(
  { url, token, headers }: Pick<Serving, 'url' | 'token'> & { readonly headers?: { readonly [name: string]: string } },
  id: string,
  body: object = {},
  sendWhen: SendWhen = lastAssistantMessageIsCompleteWithApprovalResponses,
): ChatClient {
  const statuses: number[] = []
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${url}/api/chat`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
    fetch: async (...asked) => {
      const response = await fetch(...(asked as Parameters<typeof fetch>))
      statuses.push(response.status)
      return response
    },
  })
  return { ...chatOver(transport, id, sendWhen), statuses }
}

/** The same client with its WebSocket transport. */
export function createSocketChat({ url, token }: Pick<Serving, 'url' | 'token'>, id: string, body: object = {}) {
  class Authorized extends WebSocket {
    constructor(address: string | URL) {
      super(address, { headers: { authorization: `Bearer ${token}` } })
    }
  }
  const transport = new WebSocketChatTransport<UIMessage>({
    url: `${url}/api/chat/ws`,
    body,
    webSocket: Authorized as unknown as NonNullable<SocketOptions['webSocket']>,
  })
  return { ...chatOver(transport, id, lastAssistantMessageIsCompleteWithApprovalResponses), transport }
}

type SocketOptions = ConstructorParameters<typeof WebSocketChatTransport>[0]

function chatOver(transport: ChatTransport<UIMessage>, id: string, sendWhen: SendWhen): Omit<ChatClient, 'statuses'> {
  let run: OnToolCall = () => {}
  const chat = createChat({
    id,
    transport,
    onToolCall: (call) => run(call),
    sendAutomaticallyWhen: sendWhen,
  })
  return {
    chat,
    onToolCall(next) {
      run = next
    },
  }
}

export const partsOf = ({ chat }: Pick<ChatClient, 'chat'>, role: 'user' | 'assistant') =>
  chat.messages.filter((message) => message.role === role).map(({ parts }) => parts)
