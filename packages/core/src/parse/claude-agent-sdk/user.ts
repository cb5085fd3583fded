import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from '../anthropic-messages/details.ts'
import { unmapped } from '../parser.ts'
import type { UserBlock, UserContent, UserLine } from './raw.ts'

/** How the program reports, in the user role, that the user stopped it. */
const INTERRUPTED = /^\[Request interrupted by user/

export function contentOf({ message }: UserLine): readonly UserBlock[] {
  return blocksOf(typeof message === 'string' ? message : message.content)
}

export function blocksOf(content: UserContent | null | undefined): readonly UserBlock[] {
  const parts = typeof content === 'string' ? [content].filter((text) => text !== '') : (content ?? [])
  return parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
}

/** The texts of all text blocks, one per line. */
export function joinedText(blocks: readonly UserBlock[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
}

export function isInterruption(text: string): boolean {
  return INTERRUPTED.test(text)
}

/** The role of a line. The program itself writes many of the lines in the user role. */
export function roleOf(line: UserLine, text: string): Role {
  const { isSynthetic, isMeta, isCompactSummary, origin } = line
  const isWritten = isSynthetic || isMeta || isCompactSummary || isInterruption(text)
  return isWritten || (origin?.kind ?? 'human') !== 'human' ? 'system' : 'user'
}

/** A whole message of the user or of the program. */
export function messageEvents(messageId: string, role: Role, blocks: readonly UserBlock[]): StreamEvent[] {
  return [
    { type: 'message-start', messageId, role },
    ...blocks.flatMap((block, index) => blockEvents(block, `${messageId}:${index}`, messageId)),
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

/** In characters of base64. A larger file stays in the raw record, or in the tool output that holds it. */
const MAX_BYTES = 64 * 1024

/** The file of an image or document block; undefined for any other block and for text documents. */
export function fileOf(block: UserBlock, fileId: string, callId?: string): StreamEvent | undefined {
  const { type, source, title } = block
  if ((type !== 'image' && type !== 'document') || source === null || source === undefined) return undefined
  const { data, url, file_id, media_type } = source
  if (source.type === 'text' || source.type === 'content') return undefined
  if (data === undefined && url === undefined && file_id === undefined) return undefined
  const fits = data !== undefined && data.length <= MAX_BYTES
  return {
    type: 'file',
    fileId,
    mediaType: media_type ?? (type === 'image' ? 'image/*' : 'application/octet-stream'),
    ...present({ filename: title, url, bytes: fits ? data : undefined, callId }),
    ...keep({ file_id, base64_length: data === undefined || fits ? undefined : data.length }),
  }
}
