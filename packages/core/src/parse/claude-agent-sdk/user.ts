import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { unmapped } from '../parser.ts'
import { fileOf } from './media.ts'
import type { UserBlock, UserContent, UserLine } from './raw.ts'

/** How the program writes, in the user's place, that the user stopped it. */
const INTERRUPTED = /^\[Request interrupted by user/

export function contentOf({ message }: UserLine): readonly UserBlock[] {
  return blocksOf(typeof message === 'string' ? message : message.content)
}

export function blocksOf(content: UserContent | null | undefined): readonly UserBlock[] {
  const pieces = typeof content === 'string' ? [content] : (content ?? [])
  return pieces.map((piece) => (typeof piece === 'string' ? { type: 'text', text: piece } : piece))
}

/** All that is said in words. */
export function wordsOf(blocks: readonly UserBlock[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
}

export function isInterruption(words: string): boolean {
  return INTERRUPTED.test(words)
}

/** Whether a person wrote it. Much of what the model is told in the user's place was written by the program. */
export function roleOf(line: UserLine, words: string): Role {
  const { isSynthetic, isMeta, isCompactSummary, origin } = line
  const isWritten = isSynthetic || isMeta || isCompactSummary || isInterruption(words)
  return isWritten || (origin?.kind ?? 'human') !== 'human' ? 'system' : 'user'
}

/** One message of a user or of the program, whole. */
export function messageEvents(messageId: string, role: Role, blocks: readonly UserBlock[]): StreamEvent[] {
  return [
    { type: 'message-start', messageId, role },
    ...blocks.flatMap((block, place) => blockEvents(block, `${messageId}:${place}`, messageId)),
    { type: 'message-end', messageId },
  ]
}

function blockEvents(block: UserBlock, blockId: string, messageId: string): StreamEvent[] {
  if (block.type === 'text') return textEvents(block.text ?? '', blockId, messageId)
  const file = fileOf(block, blockId)
  if (file !== undefined) return [{ ...file, messageId }]
  if (block.type !== 'document' && block.type !== 'search_result') return unmapped(block)
  const { type: name, ...data } = block
  return [{ type: 'data', name, id: blockId, data: data as never, messageId }]
}

function textEvents(text: string, blockId: string, messageId: string): StreamEvent[] {
  if (text === '') return []
  return [
    { type: 'block-start', blockId, kind: 'text', messageId },
    { type: 'block-delta', blockId, text },
    { type: 'block-end', blockId },
  ]
}
