import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { mcpOutput } from './mcp.ts'
import { growth, type OpenItems } from './open-items.ts'
import type { CommandItem, FileChangeItem, McpItem, RawItem, SearchItem } from './raw.ts'

type Output = Omit<EventOf<'tool-output'>, 'type' | 'callId'>

/** How one kind of item is a tool call. */
interface Tool<Item extends RawItem> {
  start(item: Item): Omit<EventOf<'tool-start'>, 'type' | 'callId'>
  /** `undefined` as long as the item does not say what was asked. */
  input(item: Item, isLast: boolean): Json | undefined
  /** What grows while it runs. */
  progress?(item: Item): string
  output(item: Item): Output
  /** What else its end tells. */
  beside?(item: Item): StreamEvent[]
}

const statuses: { readonly [status: string]: ToolStatus | undefined } = {
  failed: 'error',
  errored: 'error',
  declined: 'denied',
  cancelled: 'cancelled',
}

export function statusOf({ status }: RawItem): ToolStatus {
  return statuses[status ?? ''] ?? 'ok'
}

const command: Tool<CommandItem> = {
  start: () => ({ name: 'command_execution', runBy: 'agent' }),
  input: ({ command: line }) => present({ command: line }),
  progress: ({ aggregated_output }) => aggregated_output ?? '',
  output(item) {
    const { exit_code: code, aggregated_output: output } = item
    const said = statusOf(item)
    const status = said === 'ok' && code ? 'error' : said
    return {
      status,
      output: output ?? '',
      ...(status === 'error' && { error: `The command failed${typeof code === 'number' ? ` with ${code}` : ''}` }),
      ...(typeof code === 'number' && { meta: { codex: { exit_code: code } } }),
    }
  },
}

const fileChange: Tool<FileChangeItem> = {
  start: () => ({ name: 'file_change', runBy: 'agent' }),
  input: ({ changes }) => ({ changes }),
  output(item) {
    const status = statusOf(item)
    return {
      status,
      output: item.status ?? 'completed',
      ...(status === 'error' && { error: 'The files could not be changed' }),
    }
  },
}

const mcp: Tool<McpItem> = {
  start: ({ tool, server }) => ({ name: tool, runBy: 'agent', ...present({ server }) }),
  input: (item) => item.arguments ?? {},
  output: (item) => mcpOutput(item, statusOf(item)),
}

const search: Tool<SearchItem> = {
  start: () => ({ name: 'web_search', runBy: 'provider' }),
  /** A search that has just begun often does not say yet for what. */
  input: ({ query, action }, isLast) =>
    query || isLast
      ? (present({ query: query || undefined, action: isTold(action) ? action : undefined }) as JsonObject)
      : undefined,
  output: (item) => ({
    status: statusOf(item),
    output: isTold(item.action) ? item.action : (item.status ?? 'completed'),
  }),
  beside({ id: callId, action }) {
    const url = action?.url
    return typeof url === 'string' ? [{ type: 'source', sourceId: `${callId}:source-0`, kind: 'url', url, callId }] : []
  },
}

function isTold(action: SearchItem['action']): action is JsonObject {
  return action !== undefined && action !== null && action.type !== 'other'
}

const tools: { readonly [type: string]: Tool<never> | undefined } = {
  command_execution: command,
  file_change: fileChange,
  mcp_tool_call: mcp,
  web_search: search,
}

export function isTool(type: string): boolean {
  return Object.hasOwn(tools, type)
}

/** A record of a tool call. It holds the call whole, as it stands. */
export function toolEvents(items: OpenItems, type: string, item: RawItem, isLast: boolean): StreamEvent[] {
  const tool = tools[type] as Tool<RawItem>
  const { id: callId } = item
  const known = items.get(callId)
  const input = known?.hasInput ? undefined : tool.input(item, isLast)
  const start: EventOf<'tool-start'> = { type: 'tool-start', callId, ...tool.start(item) }
  const end: StreamEvent[] = isLast
    ? [{ type: 'tool-output', callId, ...tool.output(item) }, ...(tool.beside?.(item) ?? [])]
    : []
  const open = known ?? items.open(callId)
  open.hasInput ||= input !== undefined
  const more = isLast ? '' : (growth(open, tool.progress?.(item) ?? '') ?? '')
  if (isLast) items.close(callId)
  return [
    ...(known === undefined ? [start] : []),
    ...(input === undefined ? [] : [{ type: 'tool-input' as const, callId, input }]),
    ...(more === '' ? [] : [{ type: 'tool-progress' as const, callId, channel: 'stdout' as const, text: more }]),
    ...end,
  ]
}
