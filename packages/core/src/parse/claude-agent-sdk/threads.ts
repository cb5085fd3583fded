import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from '../anthropic-messages/details.ts'
import { createMessages } from '../anthropic-messages.ts'
import { givenNames } from '../kit/call-names.ts'
import type { Sparse } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import type { ParserState } from '../parser.ts'
import type { Calls } from './calls.ts'

/** How many messages of one agent, and how many subagents, are remembered. */
const MAX_MESSAGES = 256
const MAX_THREADS = 128

/** How much of a streamed block is kept for comparison, and how many blocks may be open or not yet repeated. */
const MAX_TEXT = 64 * 1024
const MAX_BLOCKS = 32

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

/** A prose block that was streamed and that a whole line will repeat. */
export interface StreamedBlock {
  readonly blockId: string
  readonly kind: string
  /** Undefined if the stream was joined after the start of the message. */
  readonly messageId: string | undefined
  text: string
  length: number
  isSigned: boolean
}

/** The messages of one agent, main or subagent. The same message id under two agents means two messages. */
export interface Thread {
  /** Parses the API events of the agent's stream. */
  readonly api: ParserState
  readonly calls: Calls
  readonly messages: Map<string, Message>
  open: Message | undefined
  /** The index of the last streamed block, for events without an index. */
  lastIndex: number
  /** The streamed blocks that are open, and those that no whole line has repeated yet. */
  readonly openBlocks: Map<string, StreamedBlock>
  readonly unrepeated: Map<string, StreamedBlock>
}

export function createThreads(calls: Calls): { of(agentId: string | undefined): Thread } {
  const main = createThread(calls)
  const threads = new Map<string, Thread>()
  return {
    of(agentId) {
      if (agentId === undefined) return main
      return threads.get(agentId) ?? remember(threads, agentId, createThread(calls), MAX_THREADS)
    },
  }
}

function createThread(calls: Calls): Thread {
  return {
    api: createMessages(givenNames),
    calls,
    messages: new Map(),
    open: undefined,
    lastIndex: 0,
    openBlocks: new Map(),
    unrepeated: new Map(),
  }
}

export function messageOf({ messages }: Thread, messageId: string): Message {
  const existing = messages.get(messageId)
  if (existing !== undefined) return existing
  const flags = { isStreamed: false, isStreaming: false, isCut: false }
  const message = { messageId, ...flags, nextIndex: 0, marks: [], usage: '', stopReason: undefined }
  return remember(messages, messageId, message, MAX_MESSAGES)
}

type Opening = Sparse<{ model: string | undefined; request_id: string | undefined; error: string | undefined }>

/** Begins a message and the model's step, unless the message is already open. */
export function begin(out: Out, thread: Thread, messageId: string, opening: Opening): void {
  if (thread.open?.messageId === messageId) return
  finish(out, thread)
  thread.open = messageOf(thread, messageId)
  const { model, request_id, error } = opening
  const fields = { ...present({ model: isModel(model) ? model : undefined }), ...keep({ request_id, error }) }
  out.push({ type: 'message-start', messageId, role: 'assistant', ...fields }, { type: 'step-start', kind: 'model' })
}

/** Ends the open message, if any. */
export function finish(out: Out, thread: Thread): void {
  const { open, openBlocks } = thread
  if (open === undefined) return
  thread.open = undefined
  let { isCut } = open
  for (const { blockId, messageId } of openBlocks.values()) {
    isCut ||= messageId === open.messageId
    out.push({ type: 'block-end', blockId, interrupted: true })
  }
  openBlocks.clear()
  out.push({ type: 'step-end', ...present({ reason: open.stopReason }) })
  out.push({ type: 'message-end', messageId: open.messageId, ...(isCut && { interrupted: true }) })
}

/** Whether a name is that of a model. Messages that the program itself writes have a placeholder. */
export function isModel(model: string | null | undefined): model is string {
  return typeof model === 'string' && model !== '' && model !== '<synthetic>'
}

/** Notes an event of a streamed block, for comparison with the whole line. */
export function noteStreamed(thread: Thread, event: StreamEvent): void {
  const { openBlocks, unrepeated } = thread
  if (event.type === 'block-start') {
    const { blockId, kind, variant } = event
    const messageId = thread.open?.messageId
    const block = { blockId, kind: variant ?? kind, messageId, text: '', length: 0, isSigned: false }
    remember(openBlocks, blockId, block, MAX_BLOCKS)
    remember(unrepeated, blockId, block, MAX_BLOCKS)
    return
  }
  const block = 'blockId' in event && event.blockId !== undefined ? openBlocks.get(event.blockId) : undefined
  if (block === undefined) return
  if (event.type === 'block-delta') {
    block.length += event.text.length
    if (block.text.length <= MAX_TEXT) block.text += event.text
  } else if (event.type === 'block-patch') block.isSigned ||= event.signature !== undefined
  else if (event.type === 'block-end') openBlocks.delete(block.blockId)
}

/** Returns the streamed block that a whole block repeats, and forgets it. */
export function claimStreamed(
  { unrepeated }: Thread,
  kind: string,
  text: string,
  messageId: string | undefined,
): StreamedBlock | undefined {
  const alike = [...unrepeated.values()].filter((block) => block.kind === kind)
  const ofMessage = messageId === undefined ? [] : alike.filter((block) => block.messageId === messageId)
  const ofNoMessage = alike.filter((block) => block.messageId === undefined || messageId === undefined)
  const claimed =
    ofMessage.find((block) => block.length > 0 && text.length >= block.length && text.startsWith(block.text)) ??
    ofMessage[0] ??
    ofNoMessage.find((block) => block.length > 0 && isSame(text, block))
  if (claimed !== undefined) unrepeated.delete(claimed.blockId)
  return claimed
}

/** Adds what a whole block adds to the streamed block that it repeats: most often nothing. */
export function addUnstreamed(
  out: Out,
  block: StreamedBlock,
  text: string,
  signature: string | null | undefined,
): void {
  const rewritten = isSame(text, block) ? undefined : text
  const signed = signature && !block.isSigned ? signature : undefined
  if (rewritten !== undefined || signed !== undefined)
    out.push({ type: 'block-patch', blockId: block.blockId, ...present({ text: rewritten, signature: signed }) })
}

function isSame(text: string, block: StreamedBlock): boolean {
  return text.length === block.length && text.startsWith(block.text)
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
