import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Out } from '../kit/voice.ts'

/** What a line added, so that a repetition is recognised and the line can be retracted. */
interface SeenLine {
  /** Distinguishes its content from that of another line with the same id. */
  readonly content: string
  readonly messageId: string
  readonly agentId: string | undefined
  readonly blockIds: readonly string[]
}

export type Lines = ReturnType<typeof createLines>

export function createLines() {
  const lines = new Map<string, SeenLine>()
  /** By message of the main agent: how many of its lines are not retracted. */
  const lineCounts = new Map<string, number>()

  function addTo(messageId: string, more: number): number {
    return remember(lineCounts, messageId, (lineCounts.get(messageId) ?? 0) + more)
  }

  return {
    /** Whether the same line was read before, as when a session is read again. */
    isRepeated: (uuid: string | null | undefined, content: string) =>
      typeof uuid === 'string' && lines.get(uuid)?.content === content,
    note(uuid: string | null | undefined, line: SeenLine): void {
      if (typeof uuid !== 'string') return
      remember(lines, uuid, line)
      if (line.agentId === undefined) addTo(line.messageId, 1)
    },
    /** Retracts these lines: a message of the main agent with its last line, any other line block by block. */
    retract(out: Out, uuids: readonly string[]): void {
      const retracted = [...new Set(uuids)].flatMap((uuid) => lines.get(uuid) ?? [])
      for (const uuid of uuids) lines.delete(uuid)
      const ofMain = retracted.filter(({ agentId }) => agentId === undefined)
      const messageIds = ofMain.flatMap(({ messageId }) => (addTo(messageId, -1) === 0 ? [messageId] : []))
      for (const { blockIds, messageId, agentId } of retracted) {
        if (messageIds.includes(messageId)) continue
        for (const blockId of blockIds) out.push({ type: 'block-patch', blockId, text: '', ...present({ agentId }) })
      }
      if (messageIds.length > 0) out.push({ type: 'message-retract', messageIds })
    },
  }
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
