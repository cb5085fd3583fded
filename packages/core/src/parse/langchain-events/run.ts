import { rememberOne } from '../../data/remember.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import type { Call } from '../langchain/calls.ts'
import type { GraphScope } from '../langchain/emitted-message.ts'
import { createGraph, graphOf, originIn, taskOf } from '../langchain/graph.ts'
import type { MessageOrigin } from '../langchain/message-emitter.ts'

/** One event of a runnable. */
export interface RawEvent {
  readonly event: string
  readonly name?: string | null
  readonly run_id?: string | null
  /** The outer runs, outermost first. Not in every version. */
  readonly parent_ids?: readonly string[] | null
  readonly metadata?: JsonObject | null
  readonly data?: JsonObject | null
  readonly tags?: Json
}

const EVENT = /^on_(?:(?:chat_model|llm|chain|tool|prompt|retriever|parser)_(?:start|stream|end|error)|custom_event)$/

export function isEvent(value: unknown): value is RawEvent & JsonObject {
  return isJsonObject(value) && typeof value.event === 'string' && EVENT.test(value.event)
}

/** The state of the runs that are under way. */
export type Run = ReturnType<typeof createRun>

/** Emits the events of one raw event, with its data. */
export type Row = (out: Out, run: Run, raw: RawEvent, data: JsonObject) => void

/** How many texts are remembered, and the longest of them in characters. */
const MAX_TEXTS = 256
const MAX_TEXT = 64 * 1024

export function createRun() {
  const graph = createGraph()
  /** The call of each tool run, by run id. */
  const tools = new Map<string, Call>()
  /** Recent texts and prompts, because chains repeat them in their inputs and outputs. */
  const recentTexts = new Set<string>()
  /** The ids of the messages of chains and models. */
  const messageIds = new Set<string>()

  const innermostTool = ({ parent_ids }: RawEvent) => parent_ids?.findLast((parent) => tools.has(parent))

  /** The graph of an event's task, or the tool that a model runs inside. It is entered. */
  function enter(out: Out, raw: RawEvent, isModel: boolean): GraphScope {
    const metadata = objectIn(raw.metadata)
    const task = taskOf(metadata)
    const around = task === undefined ? [] : graphOf(task, isModel)
    const tool = isModel ? innermostTool(raw) : undefined
    const call = tool === undefined || around.some((part) => part.startsWith('tools:')) ? undefined : tools.get(tool)
    if (call !== undefined) graph.namespaces.link(`tools:${tool}`, call.callId)
    const namespace = call === undefined ? around : namespaceIn(call, `tools:${tool}`, around)
    return graph.namespaces.enter(out, namespace, { agentName: textIn(metadata.lc_agent_name) })
  }

  return {
    graph,
    tools,
    recentTexts,
    messageIds,
    /** Whether a message of the user was read. If not, the first prompt of a model may be it. */
    hasQuestion: false,
    /** The outermost run. */
    root: undefined as string | undefined,
    rememberText(text: string): void {
      if (text.length <= MAX_TEXT) rememberOne(recentTexts, text, MAX_TEXTS)
    },
    rememberMessageId(id: string | undefined): void {
      if (id !== undefined) rememberOne(messageIds, id)
    },
    enter,
    /** Whether a chain runs inside a tool. Its messages are then not those of the agent that called the tool. */
    isInsideTool({ parent_ids, metadata, name }: RawEvent): boolean {
      if (Array.isArray(parent_ids)) return parent_ids.some((parent) => tools.has(parent))
      return tools.size > 0 && name !== objectIn(metadata).langgraph_node
    },
    /** The scope of a tool that an agent inside another tool calls; undefined if there is no such agent. */
    scopeInTool(raw: RawEvent): GraphScope | undefined {
      const outer = innermostTool(raw) ?? ''
      const call = tools.get(outer)
      return call && graph.namespaces.scopeOf(namespaceIn(call, `tools:${outer}`, []))
    },
    /** The origin of a model's message. One run of a model is one message. */
    originOf(out: Out, raw: RawEvent): MessageOrigin {
      const scope = enter(out, raw, true)
      return { scope, task: textIn(raw.run_id), isOneMessage: true, ...originIn(objectIn(raw.metadata)) }
    },
  }
}

/** The namespace of an agent that a tool runs: inside that of the agent that called the tool. */
function namespaceIn({ scope }: Call, part: string, around: readonly string[]): readonly string[] {
  return [...(scope.key === '' ? around : scope.key.split('|')), part]
}
