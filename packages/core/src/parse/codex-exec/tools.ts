import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { growth, type OpenItems } from './open-items.ts'
import type { CommandItem, FileChangeItem, McpItem, RawItem, SearchItem } from './raw.ts'

type Output = Omit<EventOf<'tool-output'>, 'type' | 'callId'>

/** How one kind of item maps to a tool call. */
interface Tool<Item extends RawItem> {
  start(item: Item): Omit<EventOf<'tool-start'>, 'type' | 'callId'>
  /** Undefined while the item does not have its input yet. */
  input(item: Item, isLast: boolean): Json | undefined
  /** The output so far, for a tool whose output grows while it runs. */
  growingOutput?(item: Item): string
  output(item: Item): Output
  /** Further events at its end. */
  extraEvents?(item: Item): StreamEvent[]
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
  growingOutput: ({ aggregated_output }) => aggregated_output ?? '',
  output(item) {
    const { exit_code: code, aggregated_output: output } = item
    const reportedStatus = statusOf(item)
    const status = reportedStatus === 'ok' && code ? 'error' : reportedStatus
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
  /** A search that has just begun often has no query yet. */
  input: ({ query, action }, isLast) =>
    query || isLast
      ? (present({ query: query || undefined, action: isSearchAction(action) ? action : undefined }) as JsonObject)
      : undefined,
  output: (item) => ({
    status: statusOf(item),
    output: isSearchAction(item.action) ? item.action : (item.status ?? 'completed'),
  }),
  extraEvents({ id: callId, action }) {
    const url = action?.url
    return typeof url === 'string' ? [{ type: 'source', sourceId: `${callId}:source-0`, kind: 'url', url, callId }] : []
  },
}

function isSearchAction(action: SearchItem['action']): action is JsonObject {
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

/** The events of a record of a tool call, which holds the whole call in its current state. */
export function toolEvents(items: OpenItems, type: string, item: RawItem, isLast: boolean): StreamEvent[] {
  const tool = tools[type] as Tool<RawItem>
  const { id: callId } = item
  const existing = items.get(callId)
  const input = existing?.hasInput ? undefined : tool.input(item, isLast)
  const start: EventOf<'tool-start'> = { type: 'tool-start', callId, ...tool.start(item) }
  const end: StreamEvent[] = isLast
    ? [{ type: 'tool-output', callId, ...tool.output(item) }, ...(tool.extraEvents?.(item) ?? [])]
    : []
  const open = existing ?? items.open(callId)
  open.hasInput ||= input !== undefined
  const more = isLast ? '' : (growth(open, tool.growingOutput?.(item) ?? '') ?? '')
  if (isLast) items.close(callId)
  return [
    ...(existing === undefined ? [start] : []),
    ...(input === undefined ? [] : [{ type: 'tool-input' as const, callId, input }]),
    ...(more === '' ? [] : [{ type: 'tool-progress' as const, callId, channel: 'stdout' as const, text: more }]),
    ...end,
  ]
}

/** The result of an MCP server: its text if all its content is text, with its structured content. */
function mcpOutput({ result, error }: McpItem, reportedStatus: ToolStatus): Output {
  const status = error && reportedStatus === 'ok' ? 'error' : reportedStatus
  const output = answerOf(result ?? undefined) ?? error?.message ?? ''
  const isText = typeof output === 'string' && output !== ''
  return {
    status,
    output,
    ...(status === 'error' && { error: error?.message ?? (isText ? output : 'The tool failed') }),
  }
}

function answerOf(result: NonNullable<McpItem['result']> | undefined): Json | undefined {
  if (result === undefined) return undefined
  const content = result.content ?? []
  const texts = content.map((part) => (part as { readonly text?: Json } | null)?.text)
  const isText = texts.every((text) => typeof text === 'string')
  const plain = isText ? texts.join('\n') : content
  const structured = result.structured_content
  return structured === undefined || structured === null ? plain : { content: plain, structured_content: structured }
}
