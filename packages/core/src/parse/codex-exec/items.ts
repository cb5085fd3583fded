import { present } from '../../data/present.ts'
import type {
  BlockKind,
  BlockVariant,
  RunError,
  SubagentStatus,
  TodoStatus,
  ToolStatus,
  UsageCounts,
} from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isText, type Json, type JsonObject, parseJson } from '../../json.ts'
import { countsOf, usageEvents } from '../kit/counts.ts'
import { numberIn, objectIn, textIn } from '../kit/fields.ts'
import { keep } from '../kit/keep.ts'
import { resultFiles } from '../kit/result-files.ts'

/** The records of `codex exec --json`, as far as they are read. Older releases had other names for some of them. */
export type RawEvent =
  | Raw<'thread.started' | 'thread.resumed', { readonly thread_id?: string }>
  | Raw<'session.created', { readonly session_id?: string }>
  | Raw<'turn.started', { readonly turn_id?: string }>
  | Raw<'turn.completed', { readonly usage?: object | null }>
  | Raw<'turn.failed', { readonly error?: { readonly message?: string | null } | string | null }>
  | Raw<'item.created' | 'item.started' | 'item.updated' | 'item.completed' | 'item.failed', Carrier>
  | Raw<'item.delta', { readonly item_id: string; readonly item_type?: string; readonly delta: TextDelta }>
  | Raw<'item.plan.delta', { readonly item_id: string; readonly delta: string }>
  | Raw<'request_user_input', { readonly call_id: string; readonly questions: readonly { question?: string }[] }>
  | Raw<'error', { readonly message?: string | null; readonly error?: { readonly message?: string | null } | null }>

/** A record for each of the types. */
type Raw<Type extends string, Fields> = Type extends string ? Fields & { readonly type: Type } : never
type TextDelta = string | { readonly text_delta?: string; readonly text?: string }

/** An item. Every type has fields of its own: the rows below name those that are read. */
export interface RawItem {
  readonly id: string
  readonly type?: string
  readonly item_type?: string
  readonly status?: string | null
  readonly [field: string]: Json | undefined
}

/** An item is in `item`. In some older releases its fields are beside the type. */
export interface Carrier {
  readonly item?: RawItem
  readonly item_id?: string
  readonly item_type?: string
  readonly status?: string
  readonly content?: JsonObject | string
}

export function itemOf({ item, item_id, item_type, status, content }: Carrier): RawItem {
  if (item !== undefined) return item
  const fields = typeof content === 'string' ? { text: content } : content
  return { ...fields, id: item_id as string, type: item_type as string, ...present({ status }) }
}

export type Prose = { readonly kind: BlockKind; readonly variant?: BlockVariant }

const proses: ReadonlyMap<string, Prose> = new Map<string, Prose>([
  ['agent_message', { kind: 'text' }],
  ['assistant_message', { kind: 'text' }],
  ['plan', { kind: 'text', variant: 'plan' }],
  ['reasoning', { kind: 'reasoning', variant: 'summary' }],
])

export function proseOf(type: string, phase?: Json): Prose | undefined {
  const prose = proses.get(type)
  return prose?.kind === 'text' && phase === 'commentary' ? { kind: 'text', variant: 'commentary' } : prose
}

/** An item as a call of a tool. `error` is its message if it failed: its status says so, or `isFailed`. */
export interface Call extends Pick<EventOf<'tool-output'>, 'meta'> {
  readonly start: Pick<EventOf<'tool-start'>, 'name' | 'runBy' | 'server'>
  /** Undefined while the item does not have its input yet. */
  readonly input: Json | undefined
  readonly output: Json
  readonly isFailed?: boolean
  readonly error?: string
  /** The sources and files of the output. */
  readonly extraEvents?: readonly StreamEvent[]
}

type CallRow = (item: RawItem, isLast: boolean) => Call

export const callRows: ReadonlyMap<string, CallRow> = new Map<string, CallRow>([
  ['command_execution', commandOf],
  ['file_change', changeOf],
  ['mcp_tool_call', serverCallOf],
  ['web_search', searchOf],
  ['collab_tool_call', agentCallOf],
])

function commandOf({ command, aggregated_output: output, exit_code: code }: RawItem): Call {
  const exit_code = numberIn(code)
  return {
    start: { name: 'command_execution', runBy: 'agent' },
    input: present({ command }),
    output: output ?? '',
    isFailed: Boolean(code),
    error: `The command failed${exit_code === undefined ? '' : ` with ${exit_code}`}`,
    ...keep('codex', { exit_code }),
  }
}

function changeOf({ changes, status }: RawItem): Call {
  return {
    start: { name: 'file_change', runBy: 'agent' },
    input: present({ changes }),
    output: status ?? 'completed',
    error: 'The files could not be changed',
  }
}

/** The output of an MCP server: its text if all its content is text, with its structured content. */
function serverCallOf({ id, tool, server, arguments: input, result, error }: RawItem): Call {
  const { content, structured_content } = objectIn(result)
  const { message } = objectIn(error)
  const parts = (content ?? []) as readonly Json[]
  const texts = parts.map((part) => objectIn(part).text)
  const plain = texts.every(isText) ? texts.join('\n') : parts
  const hasStructure = structured_content !== undefined && structured_content !== null
  const output = hasStructure ? { content: plain, structured_content } : plain
  return {
    start: { name: tool as string, runBy: 'agent', ...present({ server: server as string | undefined }) },
    input: input ?? {},
    output: result ? output : (message ?? ''),
    isFailed: Boolean(error),
    error: (message as string | undefined) ?? textIn(output) ?? 'The tool failed',
    extraEvents: resultFiles(content, id),
  }
}

/** A search that has just begun often has no query yet. */
function searchOf({ id: callId, query, action: rawAction, status }: RawItem, isLast: boolean): Call {
  const { type, url } = objectIn(rawAction)
  const action = type === 'other' ? undefined : (rawAction ?? undefined)
  const source = { type: 'source', sourceId: `${callId}:source-0`, kind: 'url', callId } as const
  return {
    start: { name: 'web_search', runBy: 'provider' },
    input: query || isLast ? present({ query: query || undefined, action }) : undefined,
    output: action ?? status ?? 'completed',
    extraEvents: typeof url === 'string' ? [{ ...source, url }] : [],
  }
}

/** The output is the message of the agent if there is only one, else the states of all agents. */
function agentCallOf({ tool, prompt, receiver_thread_ids: ids, agents_states }: RawItem): Call {
  const isImplied = tool === 'spawn_agent' || (ids as readonly Json[] | null | undefined)?.length === 0
  const [only, ...others] = Object.values(objectIn(agents_states))
  const { message } = objectIn(only)
  return {
    start: { name: (tool ?? 'collab_tool_call') as string, runBy: 'agent' },
    input: present({ prompt, receiver_thread_ids: isImplied ? undefined : ids }),
    output: (others.length === 0 && message) || (agents_states ?? {}),
    error: (message ?? 'The agents could not be reached') as string,
  }
}

const statuses: ReadonlyMap<unknown, ToolStatus> = new Map<unknown, ToolStatus>([
  ['failed', 'error'],
  ['errored', 'error'],
  ['declined', 'denied'],
  ['cancelled', 'cancelled'],
])

export function outputEvent({ id: callId, status: reported }: RawItem, call: Call): EventOf<'tool-output'> {
  const { output, isFailed, error, meta } = call
  const status = statuses.get(reported) ?? (isFailed ? 'error' : 'ok')
  const failure = status === 'error' ? error : undefined
  return { type: 'tool-output', callId, status, output, ...present({ error: failure, meta }) }
}

export const agentEndings: ReadonlyMap<unknown, SubagentStatus> = new Map<unknown, SubagentStatus>([
  ['completed', 'done'],
  ['errored', 'failed'],
  ['not_found', 'failed'],
  ['shutdown', 'cancelled'],
  ['interrupted', 'interrupted'],
])

const todoStatuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed'])

/**
 * A run has one list: the list of each turn replaces the last. Codex works through its list in order and reports only
 * completed items, so the first item that is not completed is in progress.
 */
export function todosEvent({ items: rawItems }: RawItem): StreamEvent {
  const items = rawItems as readonly { readonly text: string; readonly completed?: boolean; readonly status?: string }[]
  const next = items.findIndex(({ completed }) => !completed)
  const todos = items.map(({ text, completed, status }, index) => {
    const implied = completed ? 'completed' : index === next ? 'in_progress' : 'pending'
    const stated = todoStatuses.has(status ?? '') ? (status as TodoStatus) : implied
    return { id: String(index + 1), content: text, status: stated }
  })
  return { type: 'todos', listId: 'todos', op: 'set', items: todos }
}

/** The error of a failure. If the text is the provider's response as JSON, its message is taken. */
export function errorOf(text: string | null | undefined): RunError {
  const message = text || 'The turn failed'
  if (!message.startsWith('{')) return { message }
  try {
    const { error } = parseJson(message) as { readonly error?: { readonly message?: string; readonly type?: string } }
    if (textIn(error?.message) === undefined) return { message }
    return { message: error?.message as string, ...present({ code: isText(error?.type) ? error.type : undefined }) }
  } catch {
    return { message }
  }
}

/** Whether an error message reports a retry. Codex uses the same record for retries and failures. */
export function isRetry(message: string): boolean {
  return /^(re-?connecting|stream (error|disconnected).*retrying)/i.test(message)
}

/** `input_tokens` includes cached tokens. */
const SPELLINGS = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  reasoningTokens: ['reasoning_output_tokens'],
  cacheReadTokens: ['cached_input_tokens'],
  cacheWriteTokens: ['cache_write_input_tokens'],
}

/** Turns report the total usage of their thread. The usage of one turn is the difference. */
export function createTurnUsage() {
  let lastTotal: UsageCounts = {}
  let thread: string | undefined
  return {
    events(raw: object): StreamEvent[] {
      const total = Object.entries(countsOf(raw, SPELLINGS)) as [keyof UsageCounts, number][]
      // Counts that fall belong to different threads, even if the thread id is the same.
      const isSameThread = total.every(([count, value]) => value >= (lastTotal[count] ?? 0))
      const base = isSameThread ? lastTotal : {}
      const counts = Object.fromEntries(total.map(([count, value]) => [count, value - (base[count] ?? 0)]))
      lastTotal = { ...base, ...Object.fromEntries(total) }
      return usageEvents(counts, { scope: 'step' })
    },
    /** Another thread counts from zero. */
    startThread(threadId: string | undefined): void {
      if (threadId !== thread) lastTotal = {}
      thread = threadId
    },
  }
}
