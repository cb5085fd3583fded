import type { BlockKind, BlockVariant, Meta } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { UniqueIds } from './unique-ids.ts'

/** Collects the events of one chunk. */
export type Out = StreamEvent[]

export interface OpenBlock {
  readonly id: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
}

/** A call of the choice. */
export interface Call {
  /** The vendor's id; some vendors omit it or leave it empty. */
  givenId?: string | undefined
  /** The end of its id if the vendor gives none. */
  readonly fallbackId: string
  name: string
  /** Its id in the run; undefined before it has started. */
  callId?: string | undefined
  /** The text so far, for a tool that takes free text. */
  freeText: string | undefined
  readonly meta: Meta | undefined
}

/** One choice of one response, which is one message. Alternatives (`n` > 1) are separate messages. */
export interface Speaker {
  readonly messageId: string
  readonly ids: UniqueIds
  /** The open block: text, refusal or reasoning. A call or another kind closes it. */
  current?: OpenBlock | undefined
  /** The last block of each kind, open or not: signatures and citations follow their text. */
  lastText?: string | undefined
  lastReasoning?: string | undefined
  /** Whether the last reasoning block has its encrypted form. */
  isSealed: boolean
  blocks: number
  texts: number
  /** The length of the text so far: a vendor may repeat all of it, or its last fragment. */
  textLength: number
  /** Calls whose input may continue. */
  readonly calls: Call[]
  callCount: number
  /** Calls by index or by id. */
  readonly callsByKey: Map<number | string, Call>
  /** A call that has not started: more of its name may follow. */
  waitingCall?: Call | undefined
  /** Tools that the provider ran, and whether their output has arrived. */
  readonly executed: Map<string, { readonly callId: string; isDone: boolean }>
  readonly citations: Json[]
  /** Keys of sources, annotations and files, which a vendor may send again. */
  readonly seen: Set<string>
  sources: number
  files: number
  isFinished: boolean
  /** Whether the whole message was read: another one is that of another response, whatever its id. */
  isWhole: boolean
  /** How often a role was sent: once, or with every chunk. */
  roles: number
  audio?: string | undefined
}

export function newSpeaker(messageId: string, ids: UniqueIds): Speaker {
  return {
    messageId,
    ids,
    isSealed: false,
    blocks: 0,
    texts: 0,
    textLength: 0,
    calls: [],
    callCount: 0,
    callsByKey: new Map(),
    executed: new Map(),
    citations: [],
    seen: new Set(),
    sources: 0,
    files: 0,
    isFinished: false,
    isWhole: false,
    roles: 0,
  }
}

export function hasContent({ blocks, callCount, executed }: Speaker): boolean {
  return blocks > 0 || callCount > 0 || executed.size > 0
}

/** Continues the open block if it is of this kind; otherwise begins a block. */
export function addText(
  speaker: Speaker,
  kind: BlockKind,
  variant: BlockVariant | undefined,
  text: string,
  out: Out,
): void {
  if (text === '') return
  const { current } = speaker
  const block = current?.kind === kind && current.variant === variant ? current : begin(speaker, kind, variant, out)
  if (kind === 'text') speaker.textLength += text.length
  out.push({ type: 'block-delta', blockId: block.id, text })
}

/** Opens a block without closing the open one. */
export function openBlock(speaker: Speaker, kind: BlockKind, variant: BlockVariant | undefined, out: Out): OpenBlock {
  const id = `${speaker.messageId}:${speaker.blocks}`
  speaker.blocks += 1
  if (kind === 'text') {
    speaker.lastText = id
    speaker.texts += 1
  } else {
    speaker.lastReasoning = id
    speaker.isSealed = false
  }
  const start: EventOf<'block-start'> = { type: 'block-start', blockId: id, kind, messageId: speaker.messageId }
  out.push(variant === undefined ? start : { ...start, variant })
  return { id, kind, variant }
}

export function closeBlock(speaker: Speaker, out: Out): void {
  if (speaker.current === undefined) return
  out.push({ type: 'block-end', blockId: speaker.current.id })
  speaker.current = undefined
}

function begin(speaker: Speaker, kind: BlockKind, variant: BlockVariant | undefined, out: Out): OpenBlock {
  startWaitingCall(speaker, out)
  closeBlock(speaker, out)
  const block = openBlock(speaker, kind, variant, out)
  speaker.current = block
  return block
}

/** Starts the call that waits for more of its name: something else has begun. */
export function startWaitingCall(speaker: Speaker, out: Out): void {
  if (speaker.waitingCall !== undefined) startCall(speaker, speaker.waitingCall, out)
}

export function startCall(speaker: Speaker, call: Call, out: Out): string {
  closeBlock(speaker, out)
  const { messageId, ids } = speaker
  const { name, meta } = call
  const callId = ids.claim(call.givenId ?? `${messageId}:${call.fallbackId}`)
  call.callId = callId
  speaker.waitingCall = undefined
  // The start of a call without a name was missed: `balance` shows it as an orphan.
  if (name === '') return callId
  out.push({ type: 'tool-start', callId, name, runBy: 'client', messageId, ...(meta !== undefined && { meta }) })
  return callId
}
