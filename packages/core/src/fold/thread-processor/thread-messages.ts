import {
  type ThreadEvent,
  type ThreadEventOf,
  type ThreadEventType,
  type ToolCall,
  type ToolResult,
  toolCallOf,
  toolResultOf,
} from '../../data/thread-event.ts'

/** A message for the model. */
export interface ThreadMessage {
  readonly role: 'system' | 'user' | 'assistant'
  /** Exactly as it was stored, byte for byte. */
  readonly content: string
  readonly toolCalls?: readonly ToolCall[]
  readonly toolResults?: readonly ToolResult[]
}

/** How an event adds to the messages so far. Local notices and separate thoughts are only for people: no row. */
const rows: { readonly [Type in ThreadEventType]?: (messages: ThreadMessage[], event: ThreadEventOf<Type>) => void } = {
  SYSTEM_PROMPT: (messages, { data }) => messages.push({ role: 'system', content: data }),
  USER_SYSTEM_PROMPT: (messages, { data }) => messages.push({ role: 'system', content: data }),
  USER_MESSAGE: (messages, { data }) => messages.push({ role: 'user', content: data }),
  AGENT_MESSAGE: (messages, { data }) => messages.push({ role: 'assistant', content: data }),
  TOOL_CALL(messages, { data }) {
    const last = messages.at(-1)
    const isOpen = last?.role === 'assistant'
    const toolCalls = [...((isOpen && last.toolCalls) || []), toolCallOf(data)]
    const message: ThreadMessage = { role: 'assistant', content: isOpen ? last.content : '', toolCalls }
    messages.splice(isOpen ? -1 : messages.length, 1, message)
  },
  TOOL_RESULT(messages, { data }) {
    const last = messages.at(-1)
    const isOpen = last?.toolResults !== undefined
    const toolResults = [...((isOpen && last.toolResults) || []), toolResultOf(data)]
    messages.splice(isOpen ? -1 : messages.length, 1, { role: 'user', content: '', toolResults })
  },
}

const table = new Map(Object.entries(rows)) as Map<string, (messages: ThreadMessage[], event: ThreadEvent) => void>

/** The thread as the model gets it next: raw content, each call in its message, results directly after it. */
export function buildThreadMessages(events: readonly ThreadEvent[]): readonly ThreadMessage[] {
  const messages: ThreadMessage[] = []
  for (const event of events) table.get(event.type)?.(messages, event)
  return messages
}
