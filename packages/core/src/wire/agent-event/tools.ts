import type { EventOf } from '../../events.ts'
import type { Rows } from '../rows.ts'
import { type Emitter, withAgentOf } from './emitter.ts'
import { progressData, resultOf } from './result.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'
import { adaptToolEvent, type OpenCall, type OpenCalls } from './tool-events.ts'

type ToolRows = Pick<
  Rows,
  'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output' | 'approval'
>

/** A call is sent once its arguments are complete. Its progress and result name it: its tool may run twice at once. */
export function toolRows(stream: Stream, emitter: Emitter, roles: Roles, calls: OpenCalls): ToolRows {
  /** The call if its `tool_call` was sent and it has no result. */
  function findEmitted(callId: string | undefined): OpenCall | undefined {
    const call = callId === undefined ? undefined : calls.get(callId)
    return call?.isEmitted ? call : undefined
  }

  function emitCall(event: EventOf<'tool-input'>): void {
    const { callId } = event
    const open = calls.get(callId)
    const start = open?.start
    if (open === undefined || start === undefined || !open.isVisible) {
      stream.riders.add(event)
      return
    }
    open.start = undefined
    open.isEmitted = true
    const { name: toolName, parentCallId } = start
    const { input, text, error } = event
    const isPlain = input !== undefined && text === undefined && error === undefined
    const toolArgs = isPlain ? JSON.stringify(input) : (text ?? JSON.stringify(input ?? {}))
    const chunk = { type: 'tool_call', toolName, toolArgs } as const
    const ids = parentCallId === undefined ? { callId } : { callId, parentCallId }
    if (!isPlain) {
      emitter.emitForDisplay(withAgentOf(event, open), chunk, ids)
      return
    }
    // The chunk of a call implies its start, unless the start has further fields.
    if (isImplied(start, event)) stream.riders.removeLast(start)
    emitter.emit(withAgentOf(event, open), chunk, ids)
  }

  return {
    'tool-start'(event) {
      const { callId, name, agentId } = event
      const isVisible = agentId !== undefined || roles.of(event) === 'assistant'
      calls.set(callId, { callId, name, agentId, isVisible, isEmitted: false, start: event })
      stream.riders.add(event)
    },
    'tool-input-delta'() {},
    'tool-input': emitCall,
    'tool-progress'(event) {
      const { callId } = event
      const open = findEmitted(callId)
      if (open === undefined) {
        stream.riders.add(event)
        return
      }
      const { data, isPlain } = progressData(event)
      const chunk = adaptToolEvent({ type: 'progress', toolName: open.name, data })
      if (isPlain) emitter.emit(withAgentOf(event, open), chunk, { callId })
      else emitter.emitForDisplay(withAgentOf(event, open), chunk, { callId })
    },
    'tool-output'(event) {
      const { callId, status } = event
      const open = findEmitted(callId)
      calls.delete(callId)
      if (open === undefined) {
        stream.riders.add(event)
        return
      }
      const { output, extra } = resultOf(event)
      const result = { type: 'result', toolName: open.name, output } as const
      const chunk = adaptToolEvent(status === 'ok' ? result : { ...result, isError: true })
      emitter.emit(withAgentOf(event, open), chunk, { callId }, extra)
    },
    approval(event) {
      const { callId, approvalId, state, message } = event
      const open = findEmitted(callId)
      if (open !== undefined) {
        const data = { subtype: 'approval', approvalId, state, ...(message !== undefined && { message }) }
        const chunk = adaptToolEvent({ type: 'progress', toolName: open.name, data })
        emitter.emitForDisplay(withAgentOf(event, open), chunk, { callId })
      } else if (callId === undefined && state === 'requested') {
        emitter.emitForDisplay(event, { type: 'thought', content: message || 'The agent waits for an answer.' })
      } else stream.riders.add(event)
    },
  }
}

/** Whether a start contains nothing besides the call's id and name. */
function isImplied(start: EventOf<'tool-start'>, { agentId, sentAt }: EventOf<'tool-input'>): boolean {
  if (start.agentId !== agentId || start.sentAt !== sentAt || start.runBy !== 'agent') return false
  const { title, server, messageId, meta } = start
  return title === undefined && server === undefined && messageId === undefined && meta === undefined
}
