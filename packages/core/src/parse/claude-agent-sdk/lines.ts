import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'

/** What a line brought, so that it can be told again and taken back. */
interface Told {
  /** What tells its content from that of another line with its id. */
  readonly content: string
  readonly messageId: string
  readonly agentId: string | undefined
  readonly blockIds: readonly string[]
}

export interface Lines {
  /** Whether this very line came before, as when a session is read again. */
  isKnown(uuid: string | null | undefined, content: string): boolean
  note(uuid: string | null | undefined, told: Told): void
  /** What it means that these lines are superseded. */
  retract(uuids: readonly string[]): StreamEvent[]
}

export function createLines(): Lines {
  const lines = new Map<string, Told>()
  /** By message of the main agent, its lines that still stand. */
  const standing = new Map<string, number>()

  /** Forgets a line; tells whether its message has no other left. */
  function take(uuid: string): readonly (Told & { readonly isLast: boolean })[] {
    const told = lines.get(uuid)
    if (told === undefined) return []
    lines.delete(uuid)
    if (told.agentId !== undefined) return [{ ...told, isLast: false }]
    const left = (standing.get(told.messageId) ?? 1) - 1
    standing.set(told.messageId, left)
    return [{ ...told, isLast: left === 0 }]
  }

  return {
    isKnown: (uuid, content) => typeof uuid === 'string' && lines.get(uuid)?.content === content,
    note(uuid, told) {
      if (typeof uuid !== 'string') return
      remember(lines, uuid, told)
      if (told.agentId !== undefined) return
      remember(standing, told.messageId, (standing.get(told.messageId) ?? 0) + 1)
    },
    retract(uuids) {
      const taken = uuids.flatMap(take)
      const messageIds = taken.filter(({ isLast }) => isLast).map(({ messageId }) => messageId)
      const whole: StreamEvent[] = messageIds.length === 0 ? [] : [{ type: 'message-retract', messageIds }]
      return [...taken.filter(({ messageId }) => !messageIds.includes(messageId)).flatMap(emptied), ...whole]
    },
  }
}

/** Where a message keeps other lines, or is a subagent's, what the line said is taken back block by block. */
function emptied({ blockIds, agentId }: Told): StreamEvent[] {
  return blockIds.map((blockId) => ({
    type: 'block-patch',
    blockId,
    text: '',
    ...(agentId !== undefined && { agentId }),
  }))
}

/** Tells a line's content from another's without holding it. */
export function markOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map(markOfBlock).join('|')
}

const HEAD = 48

function markOfBlock(block: unknown): string {
  if (typeof block === 'string') return `${block.length}${block.slice(0, HEAD)}`
  if (typeof block !== 'object' || block === null) return ''
  const { type, id, tool_use_id, text, thinking } = block as { readonly [field: string]: unknown }
  const words = typeof text === 'string' ? text : typeof thinking === 'string' ? thinking : ''
  return `${type}${id ?? tool_use_id ?? ''}${words.length}${words.slice(0, HEAD)}`
}
