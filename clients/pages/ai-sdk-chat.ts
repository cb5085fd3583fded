import {
  type AbstractChat,
  type ChatInit,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { CLIENT_TOOL, type Held, type PageClient, type Piece, SEEN } from '../contract.ts'
import { agent, offer, threadId } from './address.ts'
import { stoppingFetch } from './stopping-fetch.ts'

interface Loaded {
  readonly messages: UIMessage[]
  readonly resume: boolean
}

/** The chat of the address as the server has it. */
export async function loadChat(): Promise<Loaded> {
  return (await (await fetch(`/api/chat/${threadId}`)).json()) as Loaded
}

export type OfferedChat = Pick<
  AbstractChat<UIMessage>,
  'messages' | 'status' | 'error' | 'sendMessage' | 'stop' | 'regenerate' | 'addToolApprovalResponse' | 'addToolOutput'
>

let outputs = 0

/** The options of the documentation. */
export function chatOptions(messages: UIMessage[]): ChatInit<UIMessage> {
  return {
    id: threadId,
    messages,
    transport: new DefaultChatTransport<UIMessage>({
      api: '/api/chat',
      body: { agent },
      fetch: stoppingFetch,
      prepareReconnectToStreamRequest: ({ id }) => ({ api: `/api/chat/${id}/stream?replay=last` }),
    }),
    sendAutomaticallyWhen: (held) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(held) || lastAssistantMessageIsCompleteWithToolCalls(held),
  }
}

/** The page runs the client's tool as soon as it is called. */
export function runTools(chat: () => OfferedChat): Pick<ChatInit<UIMessage>, 'onToolCall'> {
  return {
    onToolCall({ toolCall: { toolName, toolCallId } }) {
      if (toolName !== CLIENT_TOOL) return
      outputs++
      void chat().addToolOutput({ tool: toolName, toolCallId, output: SEEN })
    },
  }
}

/** Lets the page be driven by what its framework holds. */
export function offerChat(chat: () => OfferedChat): void {
  const client: PageClient = {
    send: (text) => void chat().sendMessage({ text }),
    stop: () => void chat().stop(),
    regenerate: () => void chat().regenerate(),
    answer(answers) {
      for (const [id, approved] of Object.entries(answers)) void chat().addToolApprovalResponse({ id, approved })
    },
    held: () => heldBy(chat()),
  }
  offer(client)
}

function heldBy({ messages, status, error }: OfferedChat): Held {
  const parts = messages.at(-1)?.parts ?? []
  return {
    isBusy: status === 'submitted' || status === 'streaming',
    ...(error !== undefined && { error: error.message }),
    pieces: piecesOf(messages),
    questions: parts.flatMap((part) =>
      isToolUIPart(part) && part.state === 'approval-requested' ? [part.approval.id] : [],
    ),
    outputs,
  }
}

export function piecesOf(messages: readonly UIMessage[]): readonly Piece[] {
  return messages.flatMap(({ role, parts }) => parts.flatMap((part) => pieceOf(role, part)))
}

const states = {
  'input-streaming': 'open',
  'input-available': 'open',
  'approval-requested': 'asked',
  'approval-responded': 'open',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
} as const

function pieceOf(role: UIMessage['role'], part: UIMessage['parts'][number]): readonly Piece[] {
  if (part.type === 'text') return [{ type: role === 'user' ? 'user' : 'text', text: part.text }]
  if (part.type === 'reasoning') return [{ type: 'reasoning', text: part.text }]
  if (!isToolUIPart(part)) return []
  const { state, input } = part
  const result =
    state === 'output-available' ? { output: part.output } : state === 'output-error' ? { output: part.errorText } : {}
  return [{ type: 'tool', name: getToolName(part), state: states[state], input, ...result }]
}
