import type { EventOf, EventType } from '../../events.ts'
import {
  addWritten,
  countUsage,
  endCall,
  endCallForGood,
  endStatus,
  failCall,
  failMessage,
  isWriting,
  nextStep,
  write,
} from './model-calls.ts'
import { touchSpan } from './span-draft.ts'
import { agentOf, beginSpan, finishSpan, limitTimes, mark, roleOf, type SpanRun } from './span-state.ts'

type Reduce<Type extends EventType> = (run: SpanRun, event: EventOf<Type>) => void

export const endRun: Reduce<'run-end'> = (run, { outcome, error }) => {
  run.outcome = outcome
  if (error !== undefined) mark(run, 'failure', error.message)
  for (const agent of run.agents.values()) {
    endStatus(run, agent)
    endCallForGood(run, agent)
  }
  limitTimes(run, Math.max(run.messagesEndedAt, run.startedAt ?? run.at, run.at))
  for (const draft of run.open) finishSpan(run, draft, 'cancelled')
}

export const startMessage: Reduce<'message-start'> = (run, { messageId, role, model, agentId }) => {
  const agent = agentOf(run, agentId)
  nextStep(run, agent)
  if (agentId === undefined) {
    run.messages.set(messageId, { role, startedAt: run.at })
    run.openMessages.push(messageId)
    if (role === 'user') mark(run, 'message')
  }
  if (role !== 'assistant') return
  if (model !== undefined) run.model = model
  endCall(run, agent)
}

export const endMessage: Reduce<'message-end'> = (run, event) => {
  const { messageId, agentId } = event
  const agent = agentOf(run, agentId)
  if (roleOf(run, event) === 'assistant') endCall(run, agent)
  // A model is asked once what a person says is complete.
  else if (!isWriting(agent)) agent.idleSince = run.now
  if (agentId !== undefined) return
  const index = run.openMessages.lastIndexOf(messageId)
  if (index === -1) return
  run.openMessages.splice(index, 1)
  const startedAt = run.messages.get(messageId)?.startedAt ?? run.at
  run.messagesEndedAt = Math.max(run.messagesEndedAt, startedAt, run.at)
}

export const retractMessages: Reduce<'message-retract'> = (run, { messageIds }) => {
  mark(run, 'failure')
  for (const messageId of messageIds) failMessage(run, messageId)
}

export const startStep: Reduce<'step-start'> = (run, { agentId }) => {
  const agent = agentOf(run, agentId)
  nextStep(run, agent)
  endCall(run, agent)
}

export const betweenSteps: Reduce<'step-end'> = (run, { agentId }) => endCall(run, agentOf(run, agentId))

export const startBlock: Reduce<'block-start'> = (run, event) => {
  const { blockId, kind, agentId } = event
  if (roleOf(run, event) !== 'assistant') return
  const agent = agentOf(run, agentId)
  const call = write(run, agent, event)
  agent.writing.add(`block ${blockId}`)
  if (kind !== 'reasoning') return
  const parent = call.fields.id
  run.thoughts.set(blockId, beginSpan(run, 'thought', '', 'output', run.now, { parent, agentId }))
}

export const addText: Reduce<'block-delta'> = (run, { agentId, blockId, text }) => {
  const agent = agentOf(run, agentId)
  if (agent.writing.has(`block ${blockId}`)) addWritten(run, agent, text.length)
  const thought = run.thoughts.get(blockId)
  if (thought !== undefined) touchSpan(thought, run.seq)
}

export const endBlock: Reduce<'block-end'> = (run, { agentId, blockId, interrupted = false }) => {
  const agent = agentOf(run, agentId)
  const wasWriting = agent.writing.delete(`block ${blockId}`)
  // An interrupted block was ended by the reader: when it did so says nothing about the model.
  if (wasWriting && !interrupted) agent.wroteAt = run.now
  const thought = run.thoughts.get(blockId)
  run.thoughts.delete(blockId)
  if (thought !== undefined) finishSpan(run, thought, interrupted ? 'cancelled' : 'done')
}

export const addStatus: Reduce<'status'> = (run, { agentId, message }) => {
  const agent = agentOf(run, agentId)
  agent.status ??= beginSpan(run, 'status', message, 'run', run.now, { parent: agent.parent, agentId })
  agent.status.fields.name = message
  touchSpan(agent.status, run.seq)
}

export const addUsage: Reduce<'usage'> = (run, event) => {
  run.usage.add(event)
  if (event.scope === 'step') countUsage(run, agentOf(run, event.agentId), event)
}

export const nameModel: Reduce<'metadata'> = (run, { metadata, agentId }) => {
  if (agentId === undefined && typeof metadata.model === 'string') run.model = metadata.model
}

/** An error while a call runs says nothing about a model. */
export const failAttempt: Reduce<'error'> = (run, { message, agentId }) => {
  mark(run, 'failure', message)
  const isWaiting = [...run.open].some(
    ({ fields }) => fields.agentId === agentId && fields.kind !== 'model' && fields.kind !== 'thought',
  )
  if (!isWaiting) failCall(run, agentOf(run, agentId))
}
