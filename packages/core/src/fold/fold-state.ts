import type { PatchedValues } from '../data/patched-values.ts'
import type { Entry } from '../entry.ts'
import type { Outcome, RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { createUsageTotal, type UsageTotal } from '../meaning/usage-total.ts'
import { addToRow, begin, type Container, createRow, type Draft, finish, type Row, touch, type Watch } from './draft.ts'
import type { ToolDraft } from './reduce-tools.ts'
import type {
  ApprovalSegment,
  ChatEvent,
  DataSegment,
  Folded,
  RawKept,
  ReasoningSegment,
  Segment,
  StatusSegment,
  SubagentSegment,
  TextSegment,
  TodosSegment,
} from './shapes.ts'
import { beginMessageOfStep, type CurrentStep, createChatSteps, freezeChat, type Steps } from './steps.ts'

export interface ChatDraft extends Container<ChatEvent> {
  readonly messageId: string
  readonly usage: UsageTotal
  readonly steps: Steps
}

interface ChatRow extends Row<ChatEvent> {
  readonly drafts: ChatDraft[]
}

/** The state of the fold of one run. */
export interface FoldState {
  readonly runId: string
  readonly watch: Watch | undefined
  readonly chats: ChatRow
  /** Open messages of the main agent, the latest last. */
  readonly openChats: ChatDraft[]
  readonly blocks: Map<string, Draft<TextSegment | ReasoningSegment>>
  readonly tools: Map<string, ToolDraft>
  readonly agents: Map<string, Container<SubagentSegment>>
  readonly todos: Map<string, Draft<TodosSegment>>
  readonly data: Map<string, Draft<DataSegment>>
  readonly sources: Set<string>
  readonly approvals: Map<string, Draft<ApprovalSegment>>
  readonly usage: UsageTotal
  /** The latest step of the main agent. */
  step: CurrentStep | undefined
  /** The latest call with which the main agent answered. */
  answerCall: ToolDraft | undefined
  metadata: JsonObject | undefined
  /** The state by channel; undefined before the first state event. */
  channels: PatchedValues | undefined
  outcome: Outcome | undefined
  error: RunError | undefined
  raw: RawKept | undefined
  startedAt: number | undefined
  endedAt: number | undefined
}

export function createFoldState(runId: string, watch?: Watch): FoldState {
  return {
    runId,
    watch,
    chats: { ...createRow<ChatEvent>(), drafts: [] },
    openChats: [],
    blocks: new Map(),
    tools: new Map(),
    agents: new Map(),
    todos: new Map(),
    data: new Map(),
    sources: new Set(),
    approvals: new Map(),
    usage: createUsageTotal(),
    step: undefined,
    answerCall: undefined,
    metadata: undefined,
    channels: undefined,
    outcome: undefined,
    error: undefined,
    raw: undefined,
    startedAt: undefined,
    endedAt: undefined,
  }
}

export function openChat(
  state: FoldState,
  entry: Entry,
  messageId: string,
  fields: Pick<ChatEvent, 'role' | 'model'>,
): ChatDraft {
  const id = `${state.runId}/${messageId}`
  const chatFields = {
    id,
    runId: state.runId,
    role: fields.role,
    ...(entry.by !== undefined && { by: entry.by }),
    state: 'live' as const,
    ...(fields.model !== undefined && { model: fields.model }),
  }
  const draft = begin<ChatEvent>(entry, undefined, freezeChat, chatFields, state.watch)
  const chat: ChatDraft = {
    ...draft,
    children: createRow(),
    messageId,
    usage: createUsageTotal(),
    steps: createChatSteps(),
  }
  addToRow(state.chats, chat)
  state.openChats.push(chat)
  beginMessageOfStep(state, chat, entry)
  return chat
}

/** The container in which an event is drawn: its subagent, the message that it names, or the one opened last. */
export function containerOf(state: FoldState, entry: Entry): Container {
  const { agentId, messageId } = entry.event
  const agent = agentId === undefined ? undefined : state.agents.get(agentId)
  return agent ?? chatOf(state, messageId) ?? openChat(state, entry, 'm0', { role: 'assistant' })
}

export function chatOf(state: FoldState, messageId: string | undefined): ChatDraft | undefined {
  const named =
    messageId === undefined ? undefined : state.chats.drafts.findLast((chat) => chat.messageId === messageId)
  return named ?? state.openChats.at(-1) ?? state.chats.drafts.at(-1)
}

/** Adds a segment. A group of statuses before it is finished. */
export function append<Shape extends Segment>(
  container: Container,
  entry: Entry,
  freeze: (draft: never) => Shape,
  fields: Omit<Shape, keyof Folded | 'segments'>,
): Draft<Shape> {
  finishStatus(container, entry)
  const draft = begin<Shape>(entry, container, freeze, fields)
  addToRow(container.children, draft as Draft<Segment>)
  touch(draft, entry.seq)
  return draft
}

/** The group of statuses that still grows; undefined if the container does not end with one. */
export function openStatus(container: Container): Draft<StatusSegment> | undefined {
  const last = container.children.drafts.at(-1) as Draft<StatusSegment> | undefined
  return last?.fields.type === 'status' && last.fields.endedAt === undefined ? last : undefined
}

export function finishStatus(container: Container, entry: Entry): void {
  const status = openStatus(container)
  if (status !== undefined) finish(status, entry)
}

/** The fields of an event without those that every event may carry. */
export function contentFieldsOf<Event extends StreamEvent>(
  event: Event,
): Omit<Event, 'messageId' | 'agentId' | 'sentAt' | 'meta'> {
  const { messageId: _message, agentId: _agent, sentAt: _sent, meta: _meta, ...contentFields } = event
  return contentFields
}
