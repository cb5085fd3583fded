import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from '../anthropic-messages/details.ts'
import { anthropicMessages } from '../anthropic-messages.ts'
import type { ParserState } from '../parser.ts'
import { createPieces, type Pieces } from './pieces.ts'

/** How many messages of one agent are remembered, and how many subagents at once. */
const MAX_MESSAGES = 256
const MAX_THREADS = 128

/** What was given of one message, by stream or by whole lines. */
export interface Message {
  readonly messageId: string
  isStreamed: boolean
  /** Its stream is under way. */
  isStreaming: boolean
  /** The place that the next block takes which a whole line brings. */
  next: number
  /** What its whole lines have said, block by block. */
  readonly marks: string[]
  /** The counts that were last said, as text. */
  usage: string
  stopReason: string | undefined
  isCut: boolean
}

/** What one agent says: the main one, or a subagent. One message id may be used by both: they are two messages. */
export interface Thread {
  readonly agentId: string | undefined
  /** Reads the events of the API that the agent's stream is made of. */
  readonly api: ParserState
  readonly pieces: Pieces
  readonly messages: Map<string, Message>
  open: Message | undefined
  /** The place of the block that was streamed last, for events that do not say theirs. */
  place: number
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
    api: anthropicMessages.create(),
    pieces: createPieces(),
    messages: new Map(),
    open: undefined,
    place: 0,
  }
}

export function messageOf(thread: Thread, messageId: string): Message {
  const known = thread.messages.get(messageId)
  if (known !== undefined) return known
  const message = {
    messageId,
    isStreamed: false,
    isStreaming: false,
    next: 0,
    marks: [],
    usage: '',
    stopReason: undefined,
    isCut: false,
  }
  remember(thread.messages, messageId, message, MAX_MESSAGES)
  return message
}

/** What a message says of itself when it begins. */
export interface Opening {
  readonly model?: string | null | undefined
  readonly request_id?: string | null | undefined
  readonly error?: string | null | undefined
}

/** Begins a message, and with it the model's step, unless it is the one that is open. */
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

/** Ends the message that is open, if any. */
export function finish(thread: Thread): StreamEvent[] {
  const { open } = thread
  if (open === undefined) return []
  thread.open = undefined
  const cut = thread.pieces.cut()
  const isCut = open.isCut || cut.some(({ messageId }) => messageId === open.messageId)
  return [
    ...cut.map(({ blockId }) => ({ type: 'block-end', blockId, interrupted: true }) as const),
    { type: 'step-end', ...present({ reason: open.stopReason }) },
    { type: 'message-end', messageId: open.messageId, ...(isCut && { interrupted: true }) },
  ]
}

/** Messages that the program itself writes name no model. */
export function isModel(model: string | null | undefined): model is string {
  return typeof model === 'string' && model !== '' && model !== '<synthetic>'
}

/** Says whose events these are. A subagent's blocks have ids of their own, whatever its messages are called. */
export function placed(events: readonly StreamEvent[], agentId: string | undefined): readonly StreamEvent[] {
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
