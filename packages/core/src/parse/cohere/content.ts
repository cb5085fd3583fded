import type { StreamEvent } from '../../events.ts'
import { endBlock, type Message, startBlock } from './message.ts'
import type { Content } from './raw.ts'

/** Which kinds of content there are. */
const kinds = { text: 'text', thinking: 'reasoning' } as const

type Kind = keyof typeof kinds

interface Words {
  readonly kind: Kind
  readonly text: string
  /** Whether the content holds them; the start of one may not. */
  readonly isGiven: boolean
}

/** The words of a content, and of which kind they are; nothing where it is of another kind. */
export function wordsOf(content: Content): Words | undefined {
  const kind = content.type ?? (typeof content.thinking === 'string' ? 'thinking' : 'text')
  if (kind !== 'text' && kind !== 'thinking') return undefined
  const text = content[kind] ?? ''
  return typeof text === 'string' ? { kind, text, isGiven: typeof content[kind] === 'string' } : undefined
}

export function startContent(message: Message, index: number, { kind, text }: Words): StreamEvent[] {
  return [...start(message, index, kind), ...said(message, index, text)]
}

/** A delta whose start was not seen begins its content itself. */
export function addContent(message: Message, index: number, { kind, text }: Words): StreamEvent[] {
  const begun = message.blocks.has(String(index)) || text === '' ? [] : start(message, index, kind)
  return [...begun, ...said(message, index, text)]
}

function start(message: Message, index: number, kind: Kind): StreamEvent[] {
  const before = endBlock(message, String(index))
  const begun = startBlock(message, String(index), kinds[kind], kind === 'thinking' ? 'thinking' : undefined)
  return [...before, ...begun]
}

function said({ messageId }: Message, index: number, text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'block-delta', blockId: `${messageId}:${index}`, text }]
}

export function endCall(message: Message, index: number): StreamEvent[] {
  const callId = message.calls.get(index)
  message.calls.delete(index)
  return callId === undefined ? [] : [{ type: 'tool-input', callId }]
}
