import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { Json, JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { createVoice, type Manner, type Out } from '../kit/voice.ts'
import type { Citation } from './raw.ts'

/** The message that is being read: what its indices stand for, and what is open in it. */
export type Message = ReturnType<typeof openMessage>

/** A key identifies a block within its message. */
type Key = string | number

const PLAN: Manner = { kind: 'reasoning', variant: 'plan' }

/** How many sources of one message are distinguished. */
const MAX_SOURCES = 8192

/** The most citations of one text, because each patch holds all of them. */
const MAX_CITATIONS = 1024

interface SourceScope {
  readonly blockId?: string | undefined
  readonly callId?: string
}

/** `callIds` are the calls of all messages of the run. */
export function openMessage(messageId: string, callIds: Set<string>) {
  /** What the model plans to do with its tools. Anything else that begins ends it. */
  const plan = createVoice((_kind, number) => `${messageId}:plan-${number - 1}`)
  /** The blocks that were begun, and whether they are open. */
  const blocks = new Map<Key, boolean>()
  const calls = new Map<number, string>()
  const citationsByBlock = new Map<string, readonly Json[]>()
  /** The ids of what is emitted once: searches, and documents that were found or cited. */
  const emittedIds = new Set<string>()

  const message = {
    messageId,
    isOpen: true,
    lastText: undefined as string | undefined,
    callCount: 0,
    /** The calls whose inputs are not complete, by their index. */
    calls,
    emittedIds,
    startBlock(out: Out, key: Key, manner: Manner): void {
      const blockId = `${messageId}:${key}`
      plan.pause(out)
      blocks.set(key, true)
      if (manner.kind === 'text') message.lastText = blockId
      out.push({ type: 'block-start', blockId, ...present(manner) })
    },
    /** Adds text to a block. Text without a start before it begins its block. */
    addText(out: Out, key: Key, manner: Manner, text: string): void {
      if (text === '') return
      if (!blocks.get(key)) message.startBlock(out, key, manner)
      out.push({ type: 'block-delta', blockId: `${messageId}:${key}`, text })
    },
    endBlock(out: Out, key: Key): void {
      if (!blocks.get(key)) return
      blocks.set(key, false)
      out.push({ type: 'block-end', blockId: `${messageId}:${key}` })
    },
    addPlan(out: Out, text: string): void {
      if (text !== '') plan.say(out, PLAN, text)
    },
    hasPlan: () => plan.lastOf('reasoning') !== undefined,
    /** Starts a call of a tool that the caller runs. */
    startCall(out: Out, index: number, callId: string, name: string): void {
      plan.pause(out)
      calls.set(index, callId)
      message.callCount += 1
      rememberOne(callIds, callId)
      out.push({ type: 'tool-start', callId, name, runBy: 'client' })
    },
    endCall(out: Out, index: number): void {
      const callId = calls.get(index)
      calls.delete(index)
      if (callId !== undefined) out.push({ type: 'tool-input', callId })
    },
    /** Closes the message and everything open in it. A message without an end in the stream was cut off. */
    end(out: Out, reason: string | undefined, isCut: boolean): void {
      if (!message.isOpen) return
      message.isOpen = false
      plan.pause(out)
      for (const key of blocks.keys()) message.endBlock(out, key)
      for (const index of calls.keys()) message.endCall(out, index)
      out.push({ type: 'step-end', ...present({ reason }) })
      out.push({ type: 'message-end', messageId, ...(isCut && { interrupted: true }) })
    },
    /**
     * Adds a citation to the block of its passage, together with the earlier ones, and emits its sources. Outputs of
     * the caller's own tools are not sources, because the conversation already holds them.
     */
    addCitation(out: Out, citation: Citation): void {
      const { content_index: index, sources } = citation
      const blockId = blocks.has(index ?? '') ? `${messageId}:${index}` : message.lastText
      if (blockId !== undefined) message.cite(out, blockId, [citation as Json])
      for (const { id, document } of sources ?? [])
        if (document) message.addSource(out, { ...present({ id }), ...document }, { blockId })
      if (blockId === undefined) out.push({ type: 'data', name: 'citation', data: citation as Json })
    },
    isCited: (blockId: string) => citationsByBlock.has(blockId),
    cite(out: Out, blockId: string, newCitations: readonly Json[]): void {
      const before = citationsByBlock.get(blockId) ?? []
      if (before.length + newCitations.length > MAX_CITATIONS) {
        for (const data of newCitations) out.push({ type: 'data', name: 'citation', data })
        return
      }
      const citations = [...before, ...newCitations]
      citationsByBlock.set(blockId, citations)
      if (newCitations.length > 0) out.push({ type: 'block-patch', blockId, citations })
    },
    /** Emits a document that the answer is based on, once. */
    addSource(out: Out, document: JsonObject, scope: SourceScope): void {
      const [url, title] = [textIn(document.url), textIn(document.title)]
      const snippet = textIn(document.snippet) ?? textIn(document.text)
      const key = textIn(document.id) ?? url ?? title
      if (key === undefined || (url ?? title ?? snippet) === undefined) return
      if (emittedIds.has(key) || emittedIds.size === MAX_SOURCES) return
      emittedIds.add(key)
      const kind = url === undefined ? 'document' : 'url'
      out.push({ type: 'source', sourceId: `${messageId}:${key}`, kind, ...present({ url, title, snippet, ...scope }) })
    },
  }
  return message
}

export function addInput(out: Out, callId: string, text: string | null | undefined): void {
  if (text) out.push({ type: 'tool-input-delta', callId, text })
}
