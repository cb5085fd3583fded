import { present } from '../../data/present.ts'
import type { Outcome, Role, UsageCounts } from '../../event-fields.ts'
import { createUsageTotal, type UsageTotal } from '../../meaning/usage-total.ts'
import type { Mark, MarkKind, PhaseKind, Span, SpanState } from './span.ts'
import { createSpan, endSpan, limitSpan, type SpanDraft } from './span-draft.ts'

/** Who writes: the main agent, or a subagent. */
export interface AgentState {
  readonly agentId: string | undefined
  /** The span of a subagent. */
  readonly parent: string | undefined
  /** Its latest model call, open or not. */
  call: SpanDraft | undefined
  /** Blocks, and inputs of calls, that the model is writing. */
  readonly writing: Set<string>
  /** When it was last certain that no model was writing: a call ended, an answer came, the agent began. */
  idleSince: number
  /** When the model last wrote. */
  wroteAt: number
  /** The statuses that nothing has followed yet. */
  status: SpanDraft | undefined
  /** The counts of the current step, and the model call that has them. */
  step: { counts: UsageCounts } | undefined
  countedCall: SpanDraft | undefined
  /** The latest model call that has written in the current step. */
  stepCall: SpanDraft | undefined
}

/** The state of the spans of one run. */
export interface SpanRun {
  readonly runId: string
  readonly drafts: SpanDraft[]
  readonly open: Set<SpanDraft>
  /** The positions of those that have changed since the last snapshot, besides those that are open. */
  readonly changed: Set<number>
  readonly agents: Map<string, AgentState>
  readonly tools: Map<string, SpanDraft>
  readonly subagents: Map<string, SpanDraft>
  /** Thoughts that are being written, by block. */
  readonly thoughts: Map<string, SpanDraft>
  readonly approvals: Map<string, SpanDraft>
  /** The model calls that have written each message, for those that are taken back. */
  readonly callsOfMessages: Map<string, Set<SpanDraft>>
  readonly messages: Map<string, { readonly role: Role; startedAt: number }>
  readonly openMessages: string[]
  readonly marks: Mark[]
  readonly usage: UsageTotal
  model: string
  outcome: Outcome | undefined
  startedAt: number | undefined
  /** The latest end of a message of the main agent: the run ends no earlier. */
  messagesEndedAt: number
  /** The latest time of an entry. A framework's clock may go back; this does not. */
  now: number
  /** The time of the last entry. */
  at: number
  seq: number
}

export function createSpanRun(runId: string): SpanRun {
  return {
    runId,
    drafts: [],
    open: new Set(),
    changed: new Set(),
    agents: new Map(),
    tools: new Map(),
    subagents: new Map(),
    thoughts: new Map(),
    approvals: new Map(),
    callsOfMessages: new Map(),
    messages: new Map(),
    openMessages: [],
    marks: [],
    usage: createUsageTotal(),
    model: '',
    outcome: undefined,
    startedAt: undefined,
    messagesEndedAt: 0,
    now: 0,
    at: 0,
    seq: 0,
  }
}

/** An agent that is met for the first time has been idle since then, or since the run began if it is the main one. */
export function agentOf(run: SpanRun, agentId: string | undefined, parent?: string): AgentState {
  const key = agentId ?? ''
  const before = run.agents.get(key)
  if (before !== undefined) return before
  const idleSince = agentId === undefined ? (run.startedAt ?? run.now) : run.now
  const agent: AgentState = {
    agentId,
    parent,
    call: undefined,
    writing: new Set(),
    idleSince,
    wroteAt: idleSince,
    status: undefined,
    step: undefined,
    countedCall: undefined,
    stepCall: undefined,
  }
  run.agents.set(key, agent)
  return agent
}

type OptionalFields = Partial<Pick<Span, 'parent' | 'asked' | 'agentId' | 'callId'>>

export function beginSpan(
  run: SpanRun,
  kind: Span['kind'],
  name: string,
  phase: PhaseKind,
  at: number,
  fields: { readonly [Field in keyof OptionalFields]: OptionalFields[Field] | undefined },
  maker = fields.agentId,
): SpanDraft {
  const draft = createSpan(run.drafts.length, run.seq, at, phase, maker, { ...present(fields), kind, name })
  run.drafts.push(draft)
  run.open.add(draft)
  return draft
}

export function finishSpan(run: SpanRun, draft: SpanDraft, state: SpanState): void {
  endSpan(draft, state, run.seq, run.now)
  run.open.delete(draft)
  run.changed.add(draft.position)
}

export function mark(run: SpanRun, kind: MarkKind, text = ''): void {
  run.marks.push({ kind, seq: run.seq, at: run.now, text })
}

/** Nothing so far was later: the framework's clock begins, or the run ends. */
export function limitTimes(run: SpanRun, latest: number): void {
  for (const draft of run.drafts) {
    limitSpan(draft, latest)
    run.changed.add(draft.position)
  }
  for (const agent of run.agents.values()) {
    agent.idleSince = Math.min(agent.idleSince, latest)
    agent.wroteAt = Math.min(agent.wroteAt, latest)
  }
  run.marks.splice(0, run.marks.length, ...run.marks.map((each) => ({ ...each, at: Math.min(each.at, latest) })))
  if (run.startedAt !== undefined) run.startedAt = Math.min(run.startedAt, latest)
  for (const message of run.messages.values()) message.startedAt = Math.min(message.startedAt, latest)
  run.messagesEndedAt = Math.min(run.messagesEndedAt, latest)
  run.now = Math.min(run.now, latest)
}

/** The message that an event of the main agent belongs to. */
export const messageOf = (run: SpanRun, event: { readonly messageId?: string }): string | undefined =>
  event.messageId ?? run.openMessages.at(-1)

/** The role of the message that an event belongs to. What a subagent writes is an assistant's. */
export function roleOf(run: SpanRun, event: { readonly messageId?: string; readonly agentId?: string }): Role {
  if (event.agentId !== undefined) return 'assistant'
  const messageId = messageOf(run, event)
  return (messageId === undefined ? undefined : run.messages.get(messageId)?.role) ?? 'assistant'
}
