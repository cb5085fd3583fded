import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import { agentEndings, outputEvent, type Prose, type RawItem } from '../codex-exec/items.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { createItems } from '../kit/items.ts'
import { type EventScope, SILENT, understood } from '../parser.ts'
import { callOf, execItem, type ItemText, textsOf } from './items.ts'

/** The events of items, of which records hold the whole, or what was added. */
export function createItemReader() {
  const items = createItems()
  /** Blocks that have begun. */
  const blocks = new Set<string>()
  const agents = new Set<string>()

  function startAgents(ids: readonly string[], fields: object, parent: EventScope): readonly StreamEvent[] {
    return ids.flatMap((agentId): StreamEvent[] => {
      if (agents.has(agentId)) return []
      rememberOne(agents, agentId)
      return [
        { type: 'subagent-start', agentId, name: agentId, ...fields, ...present({ parentAgentId: parent.agentId }) },
      ]
    })
  }

  function endAgents({ agents_states }: RawItem): readonly StreamEvent[] {
    return Object.entries(objectIn(agents_states)).flatMap(([agentId, state]): StreamEvent[] => {
      const { status, message } = objectIn(state)
      const ending = agentEndings.get(status)
      if (ending === undefined || !agents.delete(agentId)) return []
      return [{ type: 'subagent-end', agentId, status: ending, ...present({ summary: textIn(message) }) }]
    })
  }

  /** Reasoning often has no words: then nothing is drawn. */
  function addText({ blockId, prose, text }: ItemText, scope: EventScope, isLast: boolean): readonly StreamEvent[] {
    const out: StreamEvent[] = []
    if (text !== '') out.push(...startBlock(blockId, prose, scope), { ...scope, type: 'block-patch', blockId, text })
    if (isLast && blocks.delete(blockId)) out.push({ ...scope, type: 'block-end', blockId })
    return out
  }

  function startBlock(blockId: string, prose: Prose, scope: EventScope): readonly StreamEvent[] {
    if (blocks.has(blockId)) return []
    rememberOne(blocks, blockId)
    return [{ ...scope, type: 'block-start', blockId, ...prose }]
  }

  function readItem(item: Json | undefined, scope: EventScope, isLast: boolean): readonly StreamEvent[] | undefined {
    if (!isJsonObject(item) || !isText(item.id)) return undefined
    const texts = textsOf(item)
    if (item.type === 'userMessage') return isLast ? userMessage(item.id, texts ?? [], scope) : SILENT
    if (texts !== undefined) return understood(texts.flatMap((text) => addText(text, scope, isLast)))
    if (item.type === 'subAgentActivity') return readActivity(item, scope)
    if (item.type === 'contextCompaction') {
      return isLast ? [{ ...scope, type: 'status', message: 'The conversation was compacted', level: 'info' }] : SILENT
    }
    return readCall(execItem(item), scope, isLast)
  }

  function userMessage(messageId: string, texts: readonly ItemText[], scope: EventScope): readonly StreamEvent[] {
    const blockId = `${messageId}:text`
    const text = texts.map((each) => each.text).join('\n')
    return [
      { ...scope, type: 'message-start', messageId, role: 'user' },
      { ...scope, type: 'block-start', blockId, kind: 'text', messageId },
      { ...scope, type: 'block-delta', blockId, text, messageId },
      { ...scope, type: 'block-end', blockId, messageId },
      { ...scope, type: 'message-end', messageId },
    ]
  }

  function readActivity({ kind, agentThreadId, agentPath }: JsonObject, scope: EventScope): readonly StreamEvent[] {
    if (!isText(agentThreadId)) return []
    if (kind === 'started') return understood(startAgents([agentThreadId], present({ name: textIn(agentPath) }), scope))
    if (kind !== 'interrupted' || !agents.delete(agentThreadId)) return SILENT
    return [{ type: 'subagent-end', agentId: agentThreadId, status: 'interrupted' }]
  }

  function readCall(item: RawItem, scope: EventScope, isLast: boolean): readonly StreamEvent[] | undefined {
    const call = callOf(item, isLast)
    if (call === undefined) return undefined
    const { id: callId } = item
    const out: StreamEvent[] = []
    if (items.isNew(callId, 'start')) out.push({ ...scope, type: 'tool-start', callId, ...call.start })
    if (item.tool === 'spawn_agent') {
      const ids = ((item.receiver_thread_ids ?? []) as readonly Json[]).filter(isText)
      out.push(...startAgents(ids, { callId, ...present({ task: textIn(item.prompt) }) }, scope))
    }
    if (call.input !== undefined && items.isNew(callId, 'input'))
      out.push({ ...scope, type: 'tool-input', callId, input: call.input })
    if (isLast) {
      items.end(callId)
      out.push(
        { ...scope, ...outputEvent(item, call) },
        ...(call.extraEvents ?? []).map((event) => ({ ...scope, ...event })),
      )
    }
    return understood([...out, ...endAgents(item)])
  }

  return { readItem, startBlock, startAgents }
}
