import type { StreamEvent } from '../../events.ts'
import { endBlock, type Message, startBlock } from './message.ts'
import type { Content } from './raw.ts'

const kinds = { text: 'text', thinking: 'reasoning' } as const

type Kind = keyof typeof kinds

interface Prose {
  readonly kind: Kind
  readonly text: string
  /** False if the content has no text, as the start of one may not. */
  readonly hasText: boolean
}

/** The text of a content and its kind; undefined for content of another kind. */
export function proseOf(content: Content): Prose | undefined {
  const kind = content.type ?? (typeof content.thinking === 'string' ? 'thinking' : 'text')
  if (kind !== 'text' && kind !== 'thinking') return undefined
  const text = content[kind] ?? ''
  return typeof text === 'string' ? { kind, text, hasText: typeof content[kind] === 'string' } : undefined
}

export function startContent(message: Message, index: number, { kind, text }: Prose): StreamEvent[] {
  return [...startEvents(message, index, kind), ...deltaEvents(message, index, text)]
}

/** A delta without a start before it begins its content itself. */
export function addContent(message: Message, index: number, { kind, text }: Prose): StreamEvent[] {
  const startOfBlock = message.blocks.has(String(index)) || text === '' ? [] : startEvents(message, index, kind)
  return [...startOfBlock, ...deltaEvents(message, index, text)]
}

function startEvents(message: Message, index: number, kind: Kind): StreamEvent[] {
  const before = endBlock(message, String(index))
  const startOfBlock = startBlock(message, String(index), kinds[kind], kind === 'thinking' ? 'thinking' : undefined)
  return [...before, ...startOfBlock]
}

function deltaEvents({ messageId }: Message, index: number, text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'block-delta', blockId: `${messageId}:${index}`, text }]
}

export function endCall(message: Message, index: number): StreamEvent[] {
  const callId = message.calls.get(index)
  message.calls.delete(index)
  return callId === undefined ? [] : [{ type: 'tool-input', callId }]
}
