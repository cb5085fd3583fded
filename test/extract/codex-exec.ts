import type { ExtractFrom, Unread } from './extract.ts'

interface Item {
  readonly id?: string
  readonly type?: string
  readonly item_type?: string
  readonly text?: string
  readonly content?: string
  readonly command?: string
  readonly changes?: unknown
  readonly tool?: string
  readonly arguments?: unknown
  readonly prompt?: string | null
  readonly receiver_thread_ids?: readonly string[]
  readonly query?: string
  readonly action?: { readonly type?: string }
}

interface Value {
  readonly type?: string
  readonly item?: Item
  readonly item_id?: string
  readonly item_type?: string
  readonly content?: Item
  readonly delta?: string | { readonly text_delta?: string }
}

const EVENTS = ['item.created', 'item.started', 'item.updated', 'item.completed', 'item.failed']

const TOOLS: { readonly [type: string]: (item: Item) => { readonly name: string; readonly input: unknown } } = {
  command_execution: ({ command }) => ({ name: 'command_execution', input: { command } }),
  file_change: ({ changes }) => ({ name: 'file_change', input: { changes } }),
  mcp_tool_call: (item) => ({ name: item.tool ?? '', input: item.arguments ?? {} }),
  web_search: ({ query, action }) => ({
    name: 'web_search',
    input: { ...(query && { query }), ...(action && action.type !== 'other' && { action }) },
  }),
  collab_tool_call: ({ tool = '', prompt, receiver_thread_ids: receivers }) => ({
    name: tool || 'collab_tool_call',
    input: {
      ...(prompt && { prompt }),
      ...(tool !== 'spawn_agent' && receivers && receivers.length > 0 && { receiver_thread_ids: receivers }),
    },
  }),
}

export const unread: Unread = {
  'codex-exec/same-ids-again.jsonl':
    'An id of an item that returns, and items without a first record, are not documented.',
  'codex-exec/sparse-items.jsonl': 'Fields that the documentation requires are absent.',
}

/** The last record of an item holds it whole, at the position of its first record. A call keeps its first input. */
export const extract: ExtractFrom = (values) => {
  const items = new Map<string, { first: Item; last: Item }>()
  let threads = 0
  let count = 0
  const open = new Map<string, string>()
  const unnamed = (event: string, type: string) => {
    const key = open.get(type) ?? `unnamed ${++count}`
    if (event === 'item.completed') open.delete(type)
    else open.set(type, key)
    return key
  }
  for (const value of values as readonly Value[]) {
    if (value?.type === 'thread.started') threads++
    const item = value?.item ?? { id: value?.item_id ?? '', type: value?.item_type ?? '', ...value?.content }
    const key = item.id ? `${threads} ${item.id}` : unnamed(value?.type ?? '', item.type ?? '')
    const existing = items.get(key)
    if (value?.delta !== undefined) {
      const type = value.type === 'item.plan.delta' ? 'plan' : (value.item_type ?? '')
      const more = typeof value.delta === 'string' ? value.delta : (value.delta.text_delta ?? '')
      const last = { type, text: (existing?.last.text ?? '') + more }
      items.set(key, { first: existing?.first ?? last, last })
    } else if (EVENTS.includes(value?.type ?? '')) items.set(key, { first: existing?.first ?? item, last: item })
  }
  const all = [...items.values()]
  const prose = (...types: readonly string[]) =>
    all
      .filter(({ last }) => types.includes(last.type ?? last.item_type ?? ''))
      .map(({ last }) => last.text ?? last.content ?? '')
      .filter((text) => text !== '')
  return {
    text: prose('agent_message', 'assistant_message', 'plan'),
    reasoning: prose('reasoning'),
    tools: all.flatMap(({ first, last }) => {
      const tool = TOOLS[last.type ?? '']
      const isLate = last.type === 'web_search' && !first.query
      return tool === undefined ? [] : [tool(isLate ? last : first)]
    }),
  }
}
