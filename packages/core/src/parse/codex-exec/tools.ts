import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { keep } from '../kit/keep.ts'
import { resultFiles } from '../kit/result-files.ts'

/** The fields of items, as far as they are read. Each type of item has some of them. */
export interface RawItem {
  readonly id: string
  readonly type?: string
  readonly item_type?: string
  readonly status?: string | null
  /** Of messages, reasoning and plans. */
  readonly text?: string | null
  readonly content?: string | null
  readonly phase?: string | null
  /** Of commands. */
  readonly command?: string
  readonly aggregated_output?: string | null
  readonly exit_code?: number | null
  readonly changes?: readonly Json[]
  /** Of calls of MCP servers; agents have a tool and a prompt, too. */
  readonly server?: string | null
  readonly tool?: string | null
  readonly arguments?: Json
  readonly result?: { readonly content?: readonly Json[] | null; readonly structured_content?: Json } | null
  readonly error?: { readonly message?: string | null } | null
  readonly receiver_thread_ids?: readonly string[] | null
  readonly prompt?: string | null
  readonly agents_states?: { readonly [threadId: string]: AgentState } | null
  /** Of searches. */
  readonly query?: string | null
  readonly action?: JsonObject | null
  /** Of lists of todos. */
  readonly items?: readonly { readonly text: string; readonly completed?: boolean | null; readonly status?: string }[]
  readonly message?: string | null
}

type AgentState = { readonly status?: string; readonly message?: string | null }

type Output = Omit<EventOf<'tool-output'>, 'type' | 'callId'>

/** How one type of item maps to a tool call. */
export interface Tool {
  start(item: RawItem): Omit<EventOf<'tool-start'>, 'type' | 'callId'>
  /** Undefined while the item does not have its input yet. */
  input(item: RawItem, isLast: boolean): Json | undefined
  output(item: RawItem): Output
  /** The sources and files of the output. */
  extraEvents?(item: RawItem): StreamEvent[]
}

const statuses: { readonly [status: string]: ToolStatus | undefined } = {
  failed: 'error',
  errored: 'error',
  declined: 'denied',
  cancelled: 'cancelled',
}

const statusOf = ({ status }: RawItem): ToolStatus => statuses[status ?? ''] ?? 'ok'

/** An output, with the message of its error if it is one. */
function outputOf(status: ToolStatus, output: Json, error: string): Output {
  return status === 'error' ? { status, output, error } : { status, output }
}

const tools: { readonly [type: string]: Tool | undefined } = {
  command_execution: {
    start: () => ({ name: 'command_execution', runBy: 'agent' }),
    input: ({ command }) => present({ command }),
    output(item) {
      const { exit_code: code, aggregated_output: output } = item
      const reportedStatus = statusOf(item)
      const status = reportedStatus === 'ok' && code ? 'error' : reportedStatus
      const exit_code = typeof code === 'number' ? code : undefined
      const error = `The command failed${exit_code === undefined ? '' : ` with ${exit_code}`}`
      return { ...outputOf(status, output ?? '', error), ...keep('codex', { exit_code }) }
    },
  },
  file_change: {
    start: () => ({ name: 'file_change', runBy: 'agent' }),
    input: ({ changes }) => ({ changes: changes as readonly Json[] }),
    output: (item) => outputOf(statusOf(item), item.status ?? 'completed', 'The files could not be changed'),
  },
  mcp_tool_call: {
    start: ({ tool, server }) => ({ name: tool as string, runBy: 'agent', ...present({ server }) }),
    input: (item) => item.arguments ?? {},
    output(item) {
      const { error, result } = item
      const reportedStatus = statusOf(item)
      const status = error && reportedStatus === 'ok' ? 'error' : reportedStatus
      const output = (result ? resultOf(result) : undefined) ?? error?.message ?? ''
      const text = typeof output === 'string' && output !== '' ? output : 'The tool failed'
      return outputOf(status, output, error?.message ?? text)
    },
    extraEvents: ({ id, result }) => resultFiles(result?.content, id),
  },
  web_search: {
    start: () => ({ name: 'web_search', runBy: 'provider' }),
    /** A search that has just begun often has no query yet. */
    input: ({ query, action }, isLast) =>
      query || isLast
        ? (present({ query: query || undefined, action: searchAction(action) }) as JsonObject)
        : undefined,
    output: (item) => ({ status: statusOf(item), output: searchAction(item.action) ?? item.status ?? 'completed' }),
    extraEvents({ id: callId, action }) {
      const url = action?.url
      if (typeof url !== 'string') return []
      return [{ type: 'source', sourceId: `${callId}:source-0`, kind: 'url', url, callId }]
    },
  },
  collab_tool_call: {
    start: ({ tool }) => ({ name: tool ?? 'collab_tool_call', runBy: 'agent' }),
    input({ prompt, receiver_thread_ids: ids, tool }) {
      const isImplied = tool === 'spawn_agent' || ids?.length === 0
      return present({ prompt, receiver_thread_ids: isImplied ? undefined : ids }) as JsonObject
    },
    /** The message of the agent if there is only one, else the states of all agents. */
    output(item) {
      const states = item.agents_states ?? {}
      const [only, ...others] = Object.values(states)
      const output = (others.length === 0 && only?.message) || states
      return outputOf(statusOf(item), output, only?.message ?? 'The agents could not be reached')
    },
  },
}

export function toolOf(type: string): Tool | undefined {
  return Object.hasOwn(tools, type) ? tools[type] : undefined
}

/** The result of an MCP server: its text if all its content is text, with its structured content. */
function resultOf({ content, structured_content }: NonNullable<RawItem['result']>): Json {
  const texts = (content ?? []).map((part) => (part as { readonly text?: Json } | null)?.text)
  const plain = texts.every((text) => typeof text === 'string') ? texts.join('\n') : (content ?? [])
  return structured_content === undefined || structured_content === null
    ? plain
    : { content: plain, structured_content }
}

function searchAction(action: RawItem['action']): JsonObject | undefined {
  return action && action.type !== 'other' ? action : undefined
}
