import type { SubagentStatus, ToolStatus } from '../../event-fields.ts'
import type { EventOf, EventType } from '../../events.ts'
import { addWritten, endCall, endCallForGood, endStatus, write } from './model-calls.ts'
import type { SpanState } from './span.ts'
import { enterPhase, touchSpan } from './span-draft.ts'
import { agentOf, beginSpan, finishSpan, mark, roleOf, type SpanRun } from './span-state.ts'

type Reduce<Type extends EventType> = (run: SpanRun, event: EventOf<Type>) => void

const STATE_AFTER_OUTPUT: { readonly [Status in ToolStatus]: SpanState } = {
  ok: 'done',
  error: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
}

const STATE_OF_SUBAGENT: { readonly [Status in SubagentStatus]: SpanState } = {
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'cancelled',
}

export const startTool: Reduce<'tool-start'> = (run, event) => {
  const { callId, name, agentId, parentCallId } = event
  const agent = agentOf(run, agentId)
  const outer = parentCallId === undefined ? undefined : run.tools.get(parentCallId)
  const isWritten = outer === undefined && roleOf(run, event) === 'assistant'
  if (!isWritten) endStatus(run, agent)
  const asked = isWritten ? write(run, agent, event).fields.id : undefined
  if (isWritten) agent.writing.add(`call ${callId}`)
  const parent = outer?.fields.id ?? agent.parent
  run.tools.set(callId, beginSpan(run, 'tool', name, 'input', run.now, { callId, agentId, parent, asked }))
  mark(run, 'tool', name)
}

export const addToolInput: Reduce<'tool-input-delta'> = (run, { callId, text }) => {
  const tool = run.tools.get(callId)
  if (tool === undefined) return
  const agent = agentOf(run, tool.maker)
  if (agent.writing.has(`call ${callId}`)) addWritten(run, agent, text.length)
  touchSpan(tool, run.seq)
}

export const completeToolInput: Reduce<'tool-input'> = (run, { callId, input }) => {
  const tool = run.tools.get(callId)
  if (tool === undefined || tool.fields.endedAt !== undefined) return
  const agent = agentOf(run, tool.maker)
  if (agent.writing.delete(`call ${callId}`)) agent.wroteAt = run.now
  if (input !== undefined) tool.fields.input = input
  tool.fields.readyAt = run.now
  enterPhase(tool, 'run', run.seq, run.now)
}

export const reduceApproval: Reduce<'approval'> = (run, event) => {
  const { approvalId, callId, agentId, message = '', state } = event
  const tool = callId === undefined ? undefined : run.tools.get(callId)
  if (state === 'requested') mark(run, 'approval', message)
  if (tool !== undefined) {
    if (tool.fields.endedAt === undefined) enterPhase(tool, state === 'requested' ? 'person' : 'run', run.seq, run.now)
    return
  }
  const agent = agentOf(run, agentId)
  const question = run.approvals.get(approvalId)
  if (state === 'requested') {
    endStatus(run, agent)
    const { parent } = agent
    run.approvals.set(approvalId, beginSpan(run, 'approval', message, 'person', run.now, { parent, agentId }))
  } else if (question !== undefined && question.fields.endedAt === undefined) {
    finishSpan(run, question, state === 'expired' ? 'cancelled' : 'done')
    agent.idleSince = run.now
  }
}

export const noteProgress: Reduce<'tool-progress'> = (run, { callId }) => {
  const tool = run.tools.get(callId)
  if (tool !== undefined) touchSpan(tool, run.seq)
}

export const completeTool: Reduce<'tool-output'> = (run, { callId, status, error }) => {
  const tool = run.tools.get(callId)
  if (tool === undefined) return
  if (status === 'error') mark(run, 'failure', error ?? tool.fields.name)
  const agent = agentOf(run, tool.maker)
  if (agent.writing.delete(`call ${callId}`)) agent.wroteAt = run.now
  // A subagent may still be at work when its call has returned.
  if (tool.fields.endedAt === undefined && run.subagents.get(tool.fields.agentId ?? '') !== tool)
    finishSpan(run, tool, STATE_AFTER_OUTPUT[status])
  endCall(run, agent)
  agent.idleSince = run.now
}

export const startSubagent: Reduce<'subagent-start'> = (run, { agentId, name, callId, parentAgentId }) => {
  const call = callId === undefined ? undefined : run.tools.get(callId)
  const outer = agentOf(run, parentAgentId)
  endStatus(run, outer)
  if (call !== undefined && call.fields.kind === 'tool' && call.fields.endedAt === undefined) {
    // The call and the subagent are one thing: what is drawn is the subagent.
    Object.assign(call.fields, { kind: 'subagent', name, agentId })
    touchSpan(call, run.seq)
    run.subagents.set(agentId, call)
    agentOf(run, agentId, call.fields.id)
    return
  }
  const fields = { parent: outer.parent, agentId }
  const span = beginSpan(run, 'subagent', name, 'run', run.now, fields, parentAgentId)
  run.subagents.set(agentId, span)
  agentOf(run, agentId, span.fields.id)
}

export const endSubagent: Reduce<'subagent-end'> = (run, { agentId, status }) => {
  const agent = agentOf(run, agentId)
  endStatus(run, agent)
  endCallForGood(run, agent)
  if (status === 'failed') mark(run, 'failure')
  const span = run.subagents.get(agentId)
  if (span === undefined || span.fields.endedAt !== undefined) return
  finishSpan(run, span, STATE_OF_SUBAGENT[status])
  agentOf(run, span.maker).idleSince = run.now
}
