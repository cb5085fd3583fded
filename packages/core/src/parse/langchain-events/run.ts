import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Call } from '../langchain/calls.ts'
import type { GraphScope } from '../langchain/emitted-message.ts'
import type { Graph } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import type { MessageOrigin } from '../langchain/message-emitter.ts'
import { graphOf } from '../langchain/namespaces.ts'
import type { RawEvent } from './raw.ts'

/** The state of the runs that are under way. */
export interface Run {
  readonly graph: Graph
  /** The call of each tool run, by run id. */
  readonly tools: Map<string, Call>
  /** Recent texts and prompts, because chains repeat them in their inputs and outputs. */
  readonly recentTexts: Set<string>
  /** The ids of the messages of chains and models. */
  readonly messageIds: Set<string>
  /** Whether a message of the user was read. If not, the first prompt of a model may be it. */
  hasQuestion: boolean
  /** The outermost run. */
  root: string | undefined
  isEnded: boolean
}

/** How many texts are remembered, and the longest of them in characters. */
const MAX_TEXTS = 256
const MAX_TEXT = 64 * 1024

export function rememberText({ recentTexts }: Run, text: string): void {
  if (text.length <= MAX_TEXT) rememberOne(recentTexts, text, MAX_TEXTS)
}

export function rememberMessageId({ messageIds }: Run, id: string | undefined): void {
  if (id !== undefined) rememberOne(messageIds, id)
}

/** Whether a chain runs inside a tool. Its messages are then not those of the agent that called the tool. */
export function isInsideTool({ tools }: Run, { parent_ids, metadata, name }: RawEvent): boolean {
  if (Array.isArray(parent_ids)) return parent_ids.some((parent) => tools.has(parent))
  return tools.size > 0 && name !== objectOf(metadata).langgraph_node
}

/** The namespace of an agent that a tool runs: inside that of the agent that called the tool. */
function namespaceIn({ scope }: Call, part: string, graph: readonly string[]): readonly string[] {
  return [...(scope.key === '' ? graph : scope.key.split('|')), part]
}

/** The scope of a tool that an agent inside another tool calls; undefined if there is no such agent. */
export function scopeInTool(run: Run, { parent_ids }: RawEvent): GraphScope | undefined {
  const outer = parent_ids?.findLast((parent) => run.tools.has(parent)) ?? ''
  const call = run.tools.get(outer)
  return call && run.graph.namespaces.scopeOf(namespaceIn(call, `tools:${outer}`, []))
}

/** The origin of an event: the graph of its task, or the tool that a model runs inside. */
export function originOf(run: Run, { metadata, parent_ids, run_id }: RawEvent, isModel: boolean) {
  const details = objectOf(metadata)
  const task = wordOf(details.langgraph_checkpoint_ns) ?? wordOf(details.checkpoint_ns)
  const graph = task === undefined ? [] : graphOf(task, isModel)
  const tool = isModel ? parent_ids?.findLast((parent) => run.tools.has(parent)) : undefined
  const call = tool === undefined || graph.some((part) => part.startsWith('tools:')) ? undefined : run.tools.get(tool)
  const { namespaces } = run.graph
  if (call !== undefined) namespaces.link(`tools:${tool}`, call.callId)
  const namespace = call === undefined ? graph : namespaceIn(call, `tools:${tool}`, graph)
  const { scope, events } = namespaces.enter(namespace, { agentName: wordOf(details.lc_agent_name) })
  const origin: MessageOrigin = {
    scope,
    task: wordOf(run_id),
    isOneMessage: true,
    metadata: details,
    opening: {
      model: wordOf(details.ls_model_name),
      node: wordOf(details.langgraph_node),
      step: typeof details.langgraph_step === 'number' ? details.langgraph_step : undefined,
    },
  }
  return { place: origin, events: events as readonly StreamEvent[] }
}
