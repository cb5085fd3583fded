import type { Entry, EventType, StreamEvent } from '@millrace/core/events'
import type { Chunk } from '@millrace/core/wire'

/** Events that draw nothing of their own beside a text. */
const SILENT: ReadonlySet<EventType> = new Set(['block-delta', 'block-patch', 'usage', 'state', 'metadata', 'raw'])

/**
 * The deltas of text that are not in the chunks of their own entry: those of the assistant and of its subagents; if not
 * `always`, only those of a text of the assistant that is the newest thing drawn.
 */
export function heldTexts(
  entries: readonly Entry[],
  chunks: readonly (readonly Chunk[])[],
  always: boolean,
): readonly string[] {
  const isAssistantText = createTextFinder(always)
  let newest: string | undefined
  return entries.flatMap(({ event }, index) => {
    const isText = isAssistantText(event)
    if (event.type === 'block-start') newest = event.blockId
    else if (!SILENT.has(event.type)) newest = undefined
    if (event.type !== 'block-delta' || !isText || !(always || newest === event.blockId)) return []
    return JSON.stringify(chunks[index]).includes(JSON.stringify(event.text).slice(1, -1)) ? [] : [event.text]
  })
}

/** Whether an event belongs to a text that the assistant writes, itself or by a subagent. */
function createTextFinder(hasSubagents: boolean): (event: StreamEvent) => boolean {
  const roles = new Map<string, string>()
  const texts = new Set<string>()
  let current = ''
  return (event) => {
    if (event.type === 'message-start' && event.agentId === undefined) {
      roles.set(event.messageId, event.role)
      current = event.messageId
    }
    if (event.type === 'block-start' && event.kind === 'text') {
      const isOfAgent = event.agentId === undefined && roles.get(event.messageId ?? current) === 'assistant'
      if (isOfAgent || (hasSubagents && event.agentId !== undefined)) texts.add(event.blockId)
    }
    return event.type === 'block-delta' && texts.has(event.blockId)
  }
}
