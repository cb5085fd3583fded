import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { Json, JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { createVoice, type Manner, type Out } from '../kit/voice.ts'
import type { Citation } from './raw.ts'

/** The message that is being read: what its indices stand for, and what is open in it. */
export type Message = ReturnType<typeof newMessage>

/** `callIds` are the calls of all messages of the run. */
export function newMessage(messageId: string, callIds: Set<string>, isOpen: boolean) {
  return {
    messageId,
    callIds,
    isOpen,
    /** What the model plans to do with its tools. Anything else that begins ends it. */
    plan: createVoice((_kind, number) => `${messageId}:plan-${number - 1}`),
    /** The keys of the open blocks, and of all that were begun. A key identifies a block within its message. */
    openKeys: new Set<string>(),
    begunKeys: new Set<string>(),
    lastText: undefined as string | undefined,
    calls: new Map<number, string>(),
    callCount: 0,
    citations: new Map<string, readonly Json[]>(),
    /** The ids of what is emitted once: searches, and documents that were found or cited. */
    emittedIds: new Set<string>(),
    reason: undefined as string | undefined,
  }
}

export function startBlock(out: Out, message: Message, key: string, manner: Manner): void {
  const blockId = `${message.messageId}:${key}`
  message.plan.pause(out)
  endBlock(out, message, key)
  message.openKeys.add(key)
  message.begunKeys.add(key)
  if (manner.kind === 'text') message.lastText = blockId
  out.push({ type: 'block-start', blockId, ...present(manner) })
}

/** Adds text to a block. Text without a start before it begins its block. */
export function addText(out: Out, message: Message, key: string, manner: Manner, text: string): void {
  if (text === '') return
  if (!message.openKeys.has(key)) startBlock(out, message, key, manner)
  out.push({ type: 'block-delta', blockId: `${message.messageId}:${key}`, text })
}

export function endBlock(out: Out, { messageId, openKeys }: Message, key: string): void {
  if (openKeys.delete(key)) out.push({ type: 'block-end', blockId: `${messageId}:${key}` })
}

const PLAN: Manner = { kind: 'reasoning', variant: 'plan' }

export function addPlan(out: Out, { plan }: Message, text: string): void {
  if (text !== '') plan.say(out, PLAN, text)
}

/** Starts a call of a tool that the caller runs. */
export function startCall(out: Out, message: Message, index: number, callId: string, name: string): void {
  message.plan.pause(out)
  message.calls.set(index, callId)
  message.callCount += 1
  rememberOne(message.callIds, callId)
  out.push({ type: 'tool-start', callId, name, runBy: 'client' })
}

export function addInput(out: Out, callId: string, text: string | null | undefined): void {
  if (text) out.push({ type: 'tool-input-delta', callId, text })
}

export function endCall(out: Out, { calls }: Message, index: number): void {
  const callId = calls.get(index)
  calls.delete(index)
  if (callId !== undefined) out.push({ type: 'tool-input', callId })
}

/** Closes the message and everything open in it. A message without an end in the stream was cut off. */
export function endMessage(out: Out, message: Message, isCut: boolean): void {
  if (!message.isOpen) return
  const { messageId, reason } = message
  message.isOpen = false
  message.plan.pause(out)
  for (const key of message.openKeys) endBlock(out, message, key)
  for (const index of message.calls.keys()) endCall(out, message, index)
  out.push({ type: 'step-end', ...present({ reason }) })
  out.push({ type: 'message-end', messageId, ...(isCut && { interrupted: true }) })
}

/** How many sources of one message are distinguished. */
const MAX_SOURCES = 8192

/** The most citations of one text, because each patch holds all of them. */
const MAX_CITATIONS = 1024

/**
 * Adds a citation to the block of its passage, together with the earlier ones, and emits its sources. Outputs of the
 * caller's own tools are not sources, because the conversation already holds them.
 */
export function addCitation(out: Out, message: Message, citation: Citation): void {
  const { content_index: index, sources } = citation
  const hasBlock = message.begunKeys.has(String(index))
  const blockId = hasBlock ? `${message.messageId}:${index}` : message.lastText
  if (blockId !== undefined) cite(out, message, blockId, [citation as Json])
  for (const { id, document } of sources ?? [])
    if (document) addSource(out, message, { ...present({ id }), ...document }, { blockId })
  if (blockId === undefined) out.push({ type: 'data', name: 'citation', data: citation as Json })
}

export function cite(out: Out, message: Message, blockId: string, newCitations: readonly Json[]): void {
  const before = message.citations.get(blockId) ?? []
  if (before.length + newCitations.length > MAX_CITATIONS) {
    for (const data of newCitations) out.push({ type: 'data', name: 'citation', data })
    return
  }
  const citations = [...before, ...newCitations]
  message.citations.set(blockId, citations)
  if (newCitations.length > 0) out.push({ type: 'block-patch', blockId, citations })
}

interface SourceScope {
  readonly blockId?: string | undefined
  readonly callId?: string
}

/** Emits a document that the answer is based on, once. */
export function addSource(out: Out, message: Message, document: JsonObject, scope: SourceScope): void {
  const { messageId, emittedIds } = message
  const [url, title] = [textIn(document.url), textIn(document.title)]
  const snippet = textIn(document.snippet) ?? textIn(document.text)
  const key = textIn(document.id) ?? url ?? title
  if (key === undefined || (url ?? title ?? snippet) === undefined) return
  if (emittedIds.has(key) || emittedIds.size === MAX_SOURCES) return
  emittedIds.add(key)
  const kind = url === undefined ? 'document' : 'url'
  out.push({ type: 'source', sourceId: `${messageId}:${key}`, kind, ...present({ url, title, snippet, ...scope }) })
}
