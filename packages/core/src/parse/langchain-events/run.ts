import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Call } from '../langchain/calls.ts'
import type { Graph } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import { graphOf } from '../langchain/namespaces.ts'
import type { Place } from '../langchain/teller.ts'
import type { RawEvent } from './raw.ts'

/** What is remembered of the runs that are under way. */
export interface Run {
  readonly graph: Graph
  /** By the run of its tool, the call that it is. */
  readonly tools: Map<string, Call>
  /** Texts and prompts that were told lately: chains hand them up and down. */
  readonly said: Set<string>
  /** The ids of the messages that chains and models have given. */
  readonly seen: Set<string>
  /** Whether anybody has asked anything: the first prompt of a model may be the question itself. */
  hasQuestion: boolean
  /** The outermost run. */
  root: string | undefined
  isEnded: boolean
}

/** How many texts are remembered, and how long ones. */
const MAX_SAID = 256
const MAX_TEXT = 64 * 1024

export function hear({ said }: Run, text: string): void {
  if (text.length <= MAX_TEXT) rememberOne(said, text, MAX_SAID)
}

export function see({ seen }: Run, id: string | undefined): void {
  if (id !== undefined) rememberOne(seen, id)
}

/** Whether a chain runs inside a tool: then what it says is not said by the agent that called the tool. */
export function isInsideTool({ tools }: Run, { parent_ids, metadata, name }: RawEvent): boolean {
  if (Array.isArray(parent_ids)) return parent_ids.some((parent) => tools.has(parent))
  return tools.size > 0 && name !== objectOf(metadata).langgraph_node
}

/** Where an event belongs: in the graph that its task is of, or in the tool that a model runs inside. */
export function placeOf(run: Run, { metadata, parent_ids, run_id }: RawEvent, isModel: boolean) {
  const details = objectOf(metadata)
  const task = wordOf(details.langgraph_checkpoint_ns) ?? wordOf(details.checkpoint_ns)
  const graph = task === undefined ? [] : graphOf(task, isModel)
  const tool = isModel ? parent_ids?.findLast((parent) => run.tools.has(parent)) : undefined
  const isInside = tool !== undefined && !graph.some((part) => part.startsWith('tools:'))
  const { namespaces } = run.graph
  if (isInside) namespaces.link(`tools:${tool}`, run.tools.get(tool)?.callId ?? tool)
  const around = isInside ? [...graph, `tools:${tool}`] : graph
  const { scope, events } = namespaces.enter(around, { agentName: wordOf(details.lc_agent_name) })
  const place: Place = {
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
  return { place, events: events as readonly StreamEvent[] }
}
