import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Calls } from './calls.ts'
import { scopeOf, splitMetadata } from './metadata.ts'
import type { ApprovalRequest, ApprovalResponse } from './raw.ts'

const MARK_KEYS: ReadonlySet<string> = new Set(['approval', 'answer', 'runBy', 'server', 'parentCallId', 'agentId'])

export interface Approvals {
  request(raw: ApprovalRequest): StreamEvent[]
  respond(raw: ApprovalResponse): StreamEvent[]
  /** Notes an approval that came as a data part of Millrace. */
  noteApproval(event: StreamEvent): StreamEvent
  isAwaiting(): boolean
}

export function createApprovals(calls: Calls): Approvals {
  /** By approval id, the call that it is about. */
  const open = new Map<string, string | undefined>()

  return {
    request(raw) {
      const { approvalId, toolCall, reason, approvalDescriptor, inputSchemaInput, isAutomatic, signature } = raw
      const callId = raw.toolCallId ?? toolCall?.toolCallId
      if (typeof approvalId !== 'string') throw new TypeError('An approval has no id.')
      const started = toolCall?.toolName === undefined ? [] : calls.input(toolCall, { input: toolCall.input ?? {} })
      const requestMeta = present({ inputSchemaInput, isAutomatic: isAutomatic || undefined, signature })
      remember(open, approvalId, callId)
      return [
        ...started,
        ...(callId === undefined ? [] : calls.complete(callId)),
        {
          type: 'approval',
          approvalId,
          state: 'requested',
          ...present({ callId, message: reason, request: approvalDescriptor }),
          ...(Object.keys(requestMeta).length > 0 && { meta: { 'ai-sdk': requestMeta } }),
        },
      ]
    },
    respond(raw) {
      const { approvalId, approved, reason, toolCall } = raw
      if (typeof approvalId !== 'string') throw new TypeError('An approval has no id.')
      const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
      const callId = open.get(approvalId) ?? toolCall?.toolCallId
      open.delete(approvalId)
      const { agentId: _agentId, ...scope } = scopeOf(split)
      const { answer } = split.marks
      return [
        {
          ...scope,
          type: 'approval',
          approvalId,
          state: stateOf(approved, split.marks.approval),
          ...present({ callId, message: reason }),
          ...(answer !== undefined && { answer }),
        },
      ]
    },
    noteApproval(event) {
      if (event.type === 'approval') trackQuestion(open, event)
      return event
    },
    isAwaiting: () => open.size > 0,
  }
}

function trackQuestion(
  open: Map<string, string | undefined>,
  { approvalId, state, callId }: EventOf<'approval'>,
): void {
  if (state === 'requested') remember(open, approvalId, callId)
  else open.delete(approvalId)
}

function stateOf(approved: boolean, markedState: unknown): ApprovalState {
  if (markedState === 'answered' || markedState === 'expired') return markedState
  return approved === true ? 'approved' : 'denied'
}
