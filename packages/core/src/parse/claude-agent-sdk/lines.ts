import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'

/** What a line added, so that a repetition is recognised and the line can be retracted. */
interface SeenLine {
  /** Distinguishes its content from that of another line with the same id. */
  readonly content: string
  readonly messageId: string
  readonly agentId: string | undefined
  readonly blockIds: readonly string[]
}

export interface Lines {
  /** Whether the same line was read before, as when a session is read again. */
  isRepeated(uuid: string | null | undefined, content: string): boolean
  note(uuid: string | null | undefined, line: SeenLine): void
  /** The events that retract these lines. */
  retract(uuids: readonly string[]): StreamEvent[]
}

export function createLines(): Lines {
  const lines = new Map<string, SeenLine>()
  /** By message of the main agent: how many of its lines are not retracted. */
  const lineCounts = new Map<string, number>()

  /** Forgets a line and returns it; `isLast` if its message has no other line left. */
  function forget(uuid: string): readonly (SeenLine & { readonly isLast: boolean })[] {
    const line = lines.get(uuid)
    if (line === undefined) return []
    lines.delete(uuid)
    if (line.agentId !== undefined) return [{ ...line, isLast: false }]
    const remaining = (lineCounts.get(line.messageId) ?? 1) - 1
    lineCounts.set(line.messageId, remaining)
    return [{ ...line, isLast: remaining === 0 }]
  }

  return {
    isRepeated: (uuid, content) => typeof uuid === 'string' && lines.get(uuid)?.content === content,
    note(uuid, line) {
      if (typeof uuid !== 'string') return
      remember(lines, uuid, line)
      if (line.agentId !== undefined) return
      remember(lineCounts, line.messageId, (lineCounts.get(line.messageId) ?? 0) + 1)
    },
    retract(uuids) {
      const forgotten = uuids.flatMap(forget)
      const messageIds = forgotten.filter(({ isLast }) => isLast).map(({ messageId }) => messageId)
      const whole: StreamEvent[] = messageIds.length === 0 ? [] : [{ type: 'message-retract', messageIds }]
      return [...forgotten.filter(({ messageId }) => !messageIds.includes(messageId)).flatMap(emptyBlocks), ...whole]
    },
  }
}

/** If a message keeps other lines or belongs to a subagent, the line is retracted block by block. */
function emptyBlocks({ blockIds, agentId }: SeenLine): StreamEvent[] {
  return blockIds.map((blockId) => ({
    type: 'block-patch',
    blockId,
    text: '',
    ...(agentId !== undefined && { agentId }),
  }))
}

/** A short text that distinguishes a line's content from another's. */
export function markOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map(markOfBlock).join('|')
}

const HEAD = 48

function markOfBlock(block: unknown): string {
  if (typeof block === 'string') return `${block.length}${block.slice(0, HEAD)}`
  if (typeof block !== 'object' || block === null) return ''
  const { type, id, tool_use_id, text, thinking } = block as { readonly [field: string]: unknown }
  const prose = typeof text === 'string' ? text : typeof thinking === 'string' ? thinking : ''
  return `${type}${id ?? tool_use_id ?? ''}${prose.length}${prose.slice(0, HEAD)}`
}
