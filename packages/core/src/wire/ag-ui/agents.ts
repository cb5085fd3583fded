import type { SubagentStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { metadataOf, scopeOf, timestampOf } from './chunk.ts'
import type { Stream } from './stream.ts'
import type { Usage } from './usage.ts'

/** The message if a subagent did not finish its task and there is no summary. */
const DEFAULT_MESSAGES: { readonly [Status in Exclude<SubagentStatus, 'done'>]: string } = {
  failed: 'The subagent failed.',
  cancelled: 'The subagent was cancelled.',
  interrupted: 'The subagent was interrupted.',
}

/** Subagents and steps, which contain other events. */
export function agentRows(
  { emit, idOf, nesting }: Stream,
  usage: Usage,
): Pick<Rows, 'step-start' | 'step-end' | 'subagent-start' | 'subagent-end'> {
  function start(event: EventOf<'subagent-start'>): void {
    const { agentId, name, task, callId, parentAgentId, messageId, sentAt, meta } = event
    // The client ends the stream at a parent that the run has not started.
    const isUnknownParent = parentAgentId !== undefined && !nesting.hasStarted(parentAgentId)
    const chunk = chunkOf('SUBAGENT_STARTED', {
      subagentRunId: agentId,
      timestamp: timestampOf(sentAt),
      name,
      description: task,
      parentSubagentRunId: isUnknownParent ? undefined : parentAgentId,
      parentToolCallId: callId === undefined ? undefined : idOf(callId),
      metadata: metadataOf({ messageId, parentAgentId: isUnknownParent ? parentAgentId : undefined }, meta),
    })
    emit(chunk)
    nesting.startAgent(agentId, chunk)
  }

  function end(event: EventOf<'subagent-end'>): void {
    const { agentId, status, summary, sentAt, meta } = event
    if (!nesting.isOpen(agentId)) return
    const scope = { subagentRunId: agentId, timestamp: timestampOf(sentAt) }
    if (status === 'done') {
      const fields = { result: summary, outcome: { type: 'success' }, metadata: metadataOf({}, meta) }
      emit(chunkOf('SUBAGENT_FINISHED', { ...scope, ...fields }))
    } else {
      const code = status === 'failed' ? undefined : status
      const metadata = metadataOf({ status, summary }, meta)
      emit(chunkOf('SUBAGENT_ERROR', { ...scope, message: summary ?? DEFAULT_MESSAGES[status], code, metadata }))
    }
    nesting.endAgent(agentId)
  }

  return {
    'step-start'(event) {
      const { kind, name, number, agentId, meta } = event
      usage.nextStep(agentId)
      const stepName = name ?? (number === undefined ? kind : `${kind} ${number}`)
      const metadata = metadataOf({ kind, name, number }, meta)
      emit(chunkOf('STEP_STARTED', { ...scopeOf(event), stepName, metadata }))
      nesting.startStep(agentId, stepName)
    },
    'step-end'(event) {
      const { agentId, reason, meta } = event
      const stepName = nesting.stepOf(agentId)
      if (stepName === undefined) return
      emit(chunkOf('STEP_FINISHED', { ...scopeOf(event), stepName, metadata: metadataOf({ reason }, meta) }))
      nesting.endStep(agentId)
    },
    'subagent-start': start,
    'subagent-end': end,
  }
}
