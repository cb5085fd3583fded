import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { givenNames } from '../anthropic-messages/call-names.ts'
import { keep } from '../anthropic-messages/details.ts'
import { createMessages } from '../anthropic-messages.ts'
import type { ParserState } from '../parser.ts'
import { createStreamedBlocks, type StreamedBlocks } from './streamed-blocks.ts'

/** How many messages of one agent, and how many subagents, are remembered. */
const MAX_MESSAGES = 256
const MAX_THREADS = 128

/** What was read of one message, streamed or in whole lines. */
export interface Message {
  readonly messageId: string
  isStreamed: boolean
  isStreaming: boolean
  /** The index of the next block that a whole line adds. */
  nextIndex: number
  /** Marks of the blocks in its whole lines. */
  readonly marks: string[]
  /** The last counts, as JSON text. */
  usage: string
  stopReason: string | undefined
  isCut: boolean
}

/** The messages of one agent, main or subagent. The same message id under two agents means two messages. */
export interface Thread {
  readonly agentId: string | undefined
  /** Parses the API events of the agent's stream. */
  readonly api: ParserState
  readonly streamed: StreamedBlocks
  readonly messages: Map<string, Message>
  open: Message | undefined
  /** The index of the last streamed block, for events without an index. */
  lastIndex: number
}

export function createThreads(): { of(agentId: string | undefined): Thread } {
  const main = createThread(undefined)
  const threads = new Map<string, Thread>()
  return {
    of(agentId) {
      if (agentId === undefined) return main
      const thread = threads.get(agentId) ?? createThread(agentId)
      if (!threads.has(agentId)) remember(threads, agentId, thread, MAX_THREADS)
      return thread
    },
  }
}

function createThread(agentId: string | undefined): Thread {
  return {
    agentId,
    api: createMessages(givenNames),
    streamed: createStreamedBlocks(),
    messages: new Map(),
    open: undefined,
    lastIndex: 0,
  }
}

export function messageOf(thread: Thread, messageId: string): Message {
  const existing = thread.messages.get(messageId)
  if (existing !== undefined) return existing
  const message = {
    messageId,
    isStreamed: false,
    isStreaming: false,
    nextIndex: 0,
    marks: [],
    usage: '',
    stopReason: undefined,
    isCut: false,
  }
  remember(thread.messages, messageId, message, MAX_MESSAGES)
  return message
}

/** Details of a message at its start. */
export interface Opening {
  readonly model?: string | null | undefined
  readonly request_id?: string | null | undefined
  readonly error?: string | null | undefined
}

/** Begins a message and the model's step, unless the message is already open. */
export function begin(thread: Thread, messageId: string, opening: Opening): StreamEvent[] {
  if (thread.open?.messageId === messageId) return []
  const events = finish(thread)
  thread.open = messageOf(thread, messageId)
  const { model, request_id, error } = opening
  return [
    ...events,
    {
      type: 'message-start',
      messageId,
      role: 'assistant',
      ...present({ model: isModel(model) ? model : undefined }),
      ...keep({ request_id: request_id ?? undefined, error: error ?? undefined }),
    },
    { type: 'step-start', kind: 'model' },
  ]
}

/** Ends the open message, if any. */
export function finish(thread: Thread): StreamEvent[] {
  const { open } = thread
  if (open === undefined) return []
  thread.open = undefined
  const cut = thread.streamed.cut()
  const isCut = open.isCut || cut.some(({ messageId }) => messageId === open.messageId)
  return [
    ...cut.map(({ blockId }) => ({ type: 'block-end', blockId, interrupted: true }) as const),
    { type: 'step-end', ...present({ reason: open.stopReason }) },
    { type: 'message-end', messageId: open.messageId, ...(isCut && { interrupted: true }) },
  ]
}

/** Whether a name is that of a model. Messages that the program itself writes have a placeholder. */
export function isModel(model: string | null | undefined): model is string {
  return typeof model === 'string' && model !== '' && model !== '<synthetic>'
}

/** Adds the agent to its events. The ids of a subagent's blocks are prefixed, because message ids may repeat. */
export function withAgent(events: readonly StreamEvent[], agentId: string | undefined): readonly StreamEvent[] {
  if (agentId === undefined || events.length === 0) return events
  return events.map((event) => {
    if (event.type === 'raw') return event
    const ids = {
      ...('blockId' in event && { blockId: `${agentId}/${event.blockId}` }),
      ...(event.type === 'source' && { sourceId: `${agentId}/${event.sourceId}` }),
      ...(event.type === 'data' && event.id !== undefined && { id: `${agentId}/${event.id}` }),
    }
    return { ...event, ...ids, agentId } as StreamEvent
  })
}
