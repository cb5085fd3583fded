import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { BlockKind, BlockVariant, SubagentStatus, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isText } from '../../json.ts'
import { createItems } from '../kit/items.ts'
import type { Out } from '../kit/voice.ts'
import { type RawItem, type Tool, toolOf } from './tools.ts'

interface Prose {
  readonly kind: BlockKind
  readonly variant?: BlockVariant
}

const proses: { readonly [type: string]: Prose | undefined } = {
  agent_message: { kind: 'text' },
  assistant_message: { kind: 'text' },
  plan: { kind: 'text', variant: 'plan' },
  reasoning: { kind: 'reasoning', variant: 'summary' },
}

function proseOf(type: string, phase?: string | null): Prose | undefined {
  const prose = Object.hasOwn(proses, type) ? proses[type] : undefined
  return prose?.kind === 'text' && phase === 'commentary' ? { kind: 'text', variant: 'commentary' } : prose
}

const endings: { readonly [status: string]: SubagentStatus | undefined } = {
  completed: 'done',
  errored: 'failed',
  not_found: 'failed',
  shutdown: 'cancelled',
  interrupted: 'interrupted',
}

/** Every record of an item holds the whole item in its current state. Returns false if the type is not a known one. */
export interface ItemReader {
  push(out: Out, item: RawItem, isLast: boolean): boolean
  pushDelta(out: Out, id: string, type: string, text: string | undefined): boolean
  /** Items of another thread have the same ids. */
  startThread(): void
}

export function createItemReader(): ItemReader {
  const items = createItems()
  /** Thread ids of the subagents that run. */
  const agents = new Set<string>()
  const unnamed = new Map<string, string>()
  let minted = 0
  let lastTodos = ''

  function startAgents(out: Out, { id: callId, tool, receiver_thread_ids, prompt }: RawItem): void {
    if (tool !== 'spawn_agent') return
    for (const agentId of receiver_thread_ids ?? []) {
      if (agents.has(agentId)) continue
      rememberOne(agents, agentId)
      out.push({ type: 'subagent-start', agentId, name: agentId, callId, ...present({ task: prompt }) })
    }
  }

  function endAgents(out: Out, states: RawItem['agents_states']): void {
    for (const [agentId, { status, message }] of Object.entries(states ?? {})) {
      const ending = endings[status ?? '']
      if (ending === undefined || !agents.delete(agentId)) continue
      out.push({ type: 'subagent-end', agentId, status: ending, ...present({ summary: message }) })
    }
  }

  /** An item without an id continues the open item of its type. */
  function idOf(type: string, isLast: boolean): string {
    const id = unnamed.get(type) ?? `unnamed-${++minted}`
    if (isLast) unnamed.delete(type)
    else unnamed.set(type, id)
    return id
  }

  function pushProse(out: Out, { id: blockId, text: ownText, content }: RawItem, prose: Prose, isLast: boolean): void {
    const text = ownText ?? content ?? ''
    if (!isText(text)) throw new TypeError('The text of an item is not a string.')
    if (items.isNew(blockId, 'start')) out.push({ type: 'block-start', blockId, ...prose })
    // A record without text only reports the state of the item.
    if (text !== '') out.push({ type: 'block-patch', blockId, text })
    if (!isLast) return
    items.end(blockId)
    out.push({ type: 'block-end', blockId })
  }

  function pushCall(out: Out, item: RawItem, tool: Tool, isLast: boolean): void {
    const { id: callId } = item
    const input = tool.input(item, isLast)
    const output = isLast ? tool.output(item) : undefined
    const start = tool.start(item)
    if (items.isNew(callId, 'start')) out.push({ type: 'tool-start', callId, ...start })
    // Before the input: what the stream says of an agent takes precedence over what its call implies.
    startAgents(out, item)
    if (input !== undefined && items.isNew(callId, 'input')) out.push({ type: 'tool-input', callId, input })
    if (output === undefined) {
      const text = items.growth(callId, item.aggregated_output ?? '')
      if (text !== '') out.push({ type: 'tool-progress', callId, channel: 'stdout', text })
    } else {
      items.end(callId)
      out.push({ type: 'tool-output', callId, ...output }, ...(tool.extraEvents?.(item) ?? []))
    }
    endAgents(out, item.agents_states)
  }

  /** A list that completes repeats its last state. */
  function pushTodos(out: Out, list: RawItem): void {
    const event = todosEvent(list)
    const todosText = JSON.stringify(event)
    if (todosText !== lastTodos) out.push(event)
    lastTodos = todosText
  }

  return {
    push(out, rawItem, isLast) {
      const type = rawItem.type ?? rawItem.item_type ?? ''
      const prose = proseOf(type, rawItem.phase)
      const tool = toolOf(type)
      if (prose === undefined && tool === undefined && type !== 'todo_list') return false
      const item = isText(rawItem.id) ? rawItem : { ...rawItem, id: idOf(type, isLast) }
      if (prose !== undefined) pushProse(out, item, prose, isLast)
      else if (tool !== undefined) pushCall(out, item, tool, isLast)
      else pushTodos(out, item)
      return true
    },
    pushDelta(out, blockId, type, text) {
      const prose = proseOf(type)
      if (prose === undefined || !isText(text) || !isText(blockId)) return false
      if (items.isNew(blockId, 'start')) out.push({ type: 'block-start', blockId, ...prose })
      if (text !== '') out.push({ type: 'block-delta', blockId, text })
      return true
    },
    startThread: items.clear,
  }
}

const todoStatuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed'])

/**
 * A run has one list: the list of each turn replaces the last. Codex works through its list in order and reports only
 * completed items, so the first item that is not completed is in progress.
 */
function todosEvent(list: RawItem): StreamEvent {
  const items = list.items as NonNullable<RawItem['items']>
  const next = items.findIndex(({ completed }) => !completed)
  const todos = items.map(({ text, completed, status }, index) => {
    const implied = completed ? 'completed' : index === next ? 'in_progress' : 'pending'
    const stated = todoStatuses.has(status ?? '') ? (status as TodoStatus) : implied
    return { id: String(index + 1), content: text, status: stated }
  })
  return { type: 'todos', listId: 'todos', op: 'set', items: todos }
}
