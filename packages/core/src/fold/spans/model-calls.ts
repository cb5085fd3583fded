import type { EventOf } from '../../events.ts'
import { usedAfter } from '../../meaning/usage-total.ts'
import { endSpan, enterPhase, failPhase, failWhole, noteWriting, type SpanDraft, touchSpan } from './span-draft.ts'
import { type AgentState, beginSpan, messageOf, type SpanRun } from './span-state.ts'

/**
 * The model of an agent writes. A call begins when the agent was last idle, because that is when the model could be
 * asked: formats name the moment of the request differently, or not at all.
 */
export function write(run: SpanRun, agent: AgentState, event: { readonly messageId?: string }): SpanDraft {
  endStatus(run, agent)
  const messageId = messageOf(run, event)
  const call = openCall(agent) ?? beginCall(run, agent)
  enterPhase(call, 'output', run.seq, run.now)
  agent.stepCall = call
  agent.wroteAt = run.now
  if (messageId !== undefined) {
    const calls = run.callsOfMessages.get(messageId) ?? new Set()
    run.callsOfMessages.set(messageId, calls.add(call))
  }
  return call
}

/** So many characters more. */
export function addWritten(run: SpanRun, agent: AgentState, length: number): void {
  const call = openCall(agent)
  if (call === undefined) return
  call.fields.written = (call.fields.written ?? 0) + length
  noteWriting(call, length, run.now)
  agent.wroteAt = run.now
  touchSpan(call, run.seq)
}

const openCall = ({ call }: AgentState): SpanDraft | undefined =>
  call?.fields.endedAt === undefined ? call : undefined

export const isWriting = (agent: AgentState): boolean => openCall(agent) !== undefined

function beginCall(run: SpanRun, agent: AgentState): SpanDraft {
  const { agentId, parent, idleSince } = agent
  agent.call = beginSpan(run, 'model', run.model, 'first-token', Math.min(idleSince, run.now), { agentId, parent })
  return agent.call
}

/** The call of the agent ends with what was written last, unless it is still writing. */
export function endCall(run: SpanRun, agent: AgentState): void {
  const call = openCall(agent)
  if (call === undefined || agent.writing.size > 0) return
  close(run, agent, call)
}

function close(run: SpanRun, agent: AgentState, call: SpanDraft): void {
  const hasOutput = hasWritten(call)
  const hasFailed = !hasOutput && call.fields.failures !== undefined
  endSpan(call, hasFailed ? 'failed' : 'done', run.seq, hasOutput ? agent.wroteAt : run.now)
  run.open.delete(call)
  run.changed.add(call.position)
  agent.idleSince = Math.max(agent.idleSince, call.fields.endedAt ?? run.now)
}

const hasWritten = ({ beginnings }: SpanDraft) => beginnings.some(({ kind }) => kind === 'output')

/** At the end of the run. */
export function endCallForGood(run: SpanRun, agent: AgentState): void {
  agent.writing.clear()
  endCall(run, agent)
}

/** An attempt has failed. If the model had not written yet, the same call goes on. */
export function failCall(run: SpanRun, agent: AgentState): void {
  endStatus(run, agent)
  const call = openCall(agent) ?? beginCall(run, agent)
  const hasOutput = hasWritten(call)
  failPhase(call, run.seq)
  call.fields.failures = (call.fields.failures ?? 0) + 1
  if (!hasOutput) {
    enterPhase(call, 'first-token', run.seq, run.now)
    return
  }
  agent.writing.clear()
  endSpan(call, 'failed', run.seq, run.now)
  run.open.delete(call)
  run.changed.add(call.position)
  agent.idleSince = run.now
}

/** A message was taken back: the calls that have written it were in vain. */
export function failMessage(run: SpanRun, messageId: string): void {
  for (const call of run.callsOfMessages.get(messageId) ?? []) {
    failWhole(call)
    run.changed.add(call.position)
  }
}

/**
 * The counts of a step belong to the latest model call that has written in it. If none has, they are the first sign of
 * a call.
 */
export function countUsage(run: SpanRun, agent: AgentState, event: EventOf<'usage'>): void {
  const call = agent.stepCall ?? openCall(agent) ?? beginCall(run, agent)
  agent.step ??= { counts: {} }
  agent.step.counts = usedAfter(agent.step.counts, event)
  agent.stepCall = call
  if (agent.countedCall !== undefined && agent.countedCall !== call) {
    agent.countedCall.counts.delete(agent.step)
    changeCounts(run, agent.countedCall)
  }
  agent.countedCall = call
  call.counts.add(agent.step)
  changeCounts(run, call)
}

function changeCounts(run: SpanRun, call: SpanDraft): void {
  call.frozen = undefined
  run.changed.add(call.position)
}

/** The agent's next step begins: the counts of the last one are final. */
export function nextStep(run: SpanRun, agent: AgentState): void {
  run.usage.nextStep(agent.agentId)
  agent.step = undefined
  agent.countedCall = undefined
  agent.stepCall = undefined
}

/** Something else follows the statuses. Until then the agent has prepared, and no model was asked. */
export function endStatus(run: SpanRun, agent: AgentState): void {
  const { status } = agent
  if (status === undefined) return
  agent.status = undefined
  endSpan(status, 'done', status.lastSeq, run.now)
  run.open.delete(status)
  run.changed.add(status.position)
  agent.idleSince = run.now
}
