import type { EventOf, StreamEvent } from '../../events.ts'
import type { Rows } from '../rows.ts'
import type { OpenCall, OpenCalls } from './calls.ts'
import { progressOf, resultOf } from './result.ts'
import type { Roles } from './roles.ts'
import type { Stream } from './stream.ts'
import { adaptToolEvent } from './tool-events.ts'
import type { Voice } from './voice.ts'

type ToolRows = Pick<
  Rows,
  'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output' | 'approval'
>

/** A call is told once its arguments are whole; what comes of it names the call, for its tool may run twice at once. */
export function toolRows(stream: Stream, voice: Voice, roles: Roles, calls: OpenCalls): ToolRows {
  /** The call that a client knows and that has no result. */
  function known(callId: string | undefined): OpenCall | undefined {
    const call = callId === undefined ? undefined : calls.get(callId)
    return call?.isCalled ? call : undefined
  }

  function call(event: EventOf<'tool-input'>): void {
    const { callId } = event
    const open = calls.get(callId)
    const start = open?.start
    if (open === undefined || start === undefined || !open.isSaid) {
      stream.riders.add(event)
      return
    }
    open.start = undefined
    open.isCalled = true
    const { name: toolName, parentCallId } = start
    const { input, text, error } = event
    const isPlain = input !== undefined && text === undefined && error === undefined
    const toolArgs = isPlain ? JSON.stringify(input) : (text ?? JSON.stringify(input ?? {}))
    const words = { type: 'tool_call', toolName, toolArgs } as const
    const ids = parentCallId === undefined ? { callId } : { callId, parentCallId }
    if (!isPlain) {
      voice.show(placed(event, open), words, ids)
      return
    }
    // The words of a call tell that it starts, unless there is more to tell of that.
    if (isImplied(start, event)) stream.riders.removeLast(start)
    voice.say(placed(event, open), words, ids)
  }

  return {
    'tool-start'(event) {
      const { callId, name, agentId } = event
      const isSaid = agentId !== undefined || roles.of(event) === 'assistant'
      calls.set(callId, { callId, name, agentId, isSaid, isCalled: false, start: event })
      stream.riders.add(event)
    },
    'tool-input-delta'() {},
    'tool-input': call,
    'tool-progress'(event) {
      const { callId } = event
      const open = known(callId)
      if (open === undefined) {
        stream.riders.add(event)
        return
      }
      const { data, isPlain } = progressOf(event)
      const words = adaptToolEvent({ type: 'progress', toolName: open.name, data })
      if (isPlain) voice.say(placed(event, open), words, { callId })
      else voice.show(placed(event, open), words, { callId })
    },
    'tool-output'(event) {
      const { callId, status } = event
      const open = known(callId)
      calls.delete(callId)
      if (open === undefined) {
        stream.riders.add(event)
        return
      }
      const { output, marks } = resultOf(event)
      const result = { type: 'result', toolName: open.name, output } as const
      const words = adaptToolEvent(status === 'ok' ? result : { ...result, isError: true })
      voice.say(placed(event, open), words, { callId }, marks)
    },
    approval(event) {
      const { callId, approvalId, state, message } = event
      const open = known(callId)
      if (open !== undefined) {
        const data = { subtype: 'approval', approvalId, state, ...(message !== undefined && { message }) }
        const words = adaptToolEvent({ type: 'progress', toolName: open.name, data })
        voice.show(placed(event, open), words, { callId })
      } else if (callId === undefined && state === 'requested') {
        voice.show(event, { type: 'thought', content: message || 'The agent waits for an answer.' })
      } else stream.riders.add(event)
    },
  }
}

/** What is told of a call belongs to the agent that made it, whoever tells it. */
function placed<Event extends StreamEvent>(event: Event, { agentId }: OpenCall): Event {
  if (event.agentId === agentId) return event
  const { agentId: _other, ...rest } = event
  return { ...rest, ...(agentId !== undefined && { agentId }) } as Event
}

/** Whether a start says no more than that there is a call of this name. */
function isImplied(start: EventOf<'tool-start'>, { agentId, sentAt }: EventOf<'tool-input'>): boolean {
  if (start.agentId !== agentId || start.sentAt !== sentAt || start.runBy !== 'agent') return false
  const { title, server, messageId, meta } = start
  return title === undefined && server === undefined && messageId === undefined && meta === undefined
}
