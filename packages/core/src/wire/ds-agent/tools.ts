import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { observationText } from '../../meaning/pane-routes.ts'
import { defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { observation, observed, summaryOf, type ToolCall, toolCall, toolInvocation } from './action-step.ts'
import type { RunContext } from './blocks.ts'
import { type Step, valueExtra } from './message.ts'
import type { Held } from './outbox.ts'
import { createStream, emitAtOnce, type MessageStream } from './stream.ts'
import { secondsBetween } from './times.ts'

export interface Tools {
  readonly rows: Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>
  /** Ends the streams of calls that have no output. */
  closeAll(): void
}

interface OpenCall extends ToolCall {
  readonly step: Step | undefined
  readonly badge: Held
  /** The id of the badge once it is sent. */
  badgeId: string | undefined
  args: string | undefined
  startedAt: number
  /** The output while it runs. */
  stream: MessageStream | undefined
}

export function createTools({ outbox, steps, answer, pacing }: RunContext): Tools {
  const calls = new Map<string, OpenCall>()

  /** The badge is held back until the arguments come, which is usually the next event. */
  function start(event: EventOf<'tool-start'>): void {
    const { callId, name, runBy, title, server, parentCallId, agentId, meta } = event
    if (agentId === undefined) answer.otherBegan()
    const step = agentId === undefined ? steps.ensure() : steps.current()
    const extra = { runBy: runBy === 'agent' ? undefined : runBy, title, server, parentCallId, agentId, meta }
    const badge = { release: () => emitBadge(call) }
    const call: OpenCall = {
      callId,
      name,
      extra,
      step,
      badge,
      badgeId: undefined,
      args: undefined,
      startedAt: outbox.now(),
      stream: undefined,
    }
    calls.set(callId, call)
    if (step !== undefined && agentId === undefined) steps.callBegan(step)
    outbox.hold(badge)
  }

  function emitBadge(call: OpenCall): void {
    call.badgeId = outbox.ids.next()
    const { content, metadata } = toolCall(call.step, call, call.args, false)
    outbox.emitAs(call.badgeId, content, metadata, call)
  }

  function input(event: EventOf<'tool-input'>): void {
    const call = calls.get(event.callId)
    if (call === undefined) return
    call.args = summaryOf(event.input ?? event.text)
    call.startedAt = outbox.now()
    if (outbox.unhold(call.badge)) emitBadge(call)
    outbox.emit(toolInvocation(call.step, call, event, call.args), call)
  }

  function addProgress({ callId, channel, text = '', data, percent }: EventOf<'tool-progress'>): void {
    const call = calls.get(callId)
    if (call === undefined) return
    const stream = streamOf(call)
    const extra = { channel: channel === 'stdout' ? undefined : channel, data, percent }
    const hasExtra = Object.values(extra).some((value) => value !== undefined)
    if (hasExtra) stream.addWith(text, { progress: defined(extra) })
    else stream.add(text)
    stream.open()
  }

  function streamOf(call: OpenCall): MessageStream {
    call.stream ??= createStream(outbox, pacing, observation(call.step, call), call, {})
    return call.stream
  }

  function output(event: EventOf<'tool-output'>): void {
    const { callId, status, output, meta } = event
    const call = calls.get(callId)
    if (call === undefined) return
    calls.delete(callId)
    const { stream } = call
    const text = outputText(event)
    if (stream !== undefined) addOutput(stream, text)
    const duration = secondsBetween(call.startedAt, outbox.now())
    const value = valueExtra('output', output, stream?.text() ?? text)
    const { agentId } = call.extra
    const extra = { agentId, ...value, status: status === 'ok' ? undefined : status, meta }
    const speech = observed(call.step, call, event, duration)
    if (stream === undefined) emitAtOnce(outbox, speech, text, call, extra)
    else stream.finish(speech, extra)
    if (status === 'error') markBadgeFailed(call)
    if (call.step !== undefined && agentId === undefined) steps.callEnded(call.step)
  }

  /** Sends the badge again under its id, marked as failed. */
  function markBadgeFailed(call: OpenCall): void {
    if (call.badgeId === undefined) return
    const { content, metadata } = toolCall(call.step, call, call.args, true)
    outbox.emitAs(call.badgeId, content, metadata, call)
  }

  return {
    rows: {
      'tool-start': start,
      'tool-input-delta'({ callId }) {
        const call = calls.get(callId)
        if (call !== undefined && outbox.unhold(call.badge)) emitBadge(call)
      },
      'tool-input': input,
      'tool-progress': addProgress,
      'tool-output': output,
    },
    closeAll() {
      for (const call of calls.values()) call.stream?.finish(observation(call.step, call), {})
      calls.clear()
    },
  }
}

/** Adds the output unless it was streamed: many tools stream what they print and return all of it again as their output. */
function addOutput(stream: MessageStream, text: string): void {
  const before = stream.text()
  if (text === '' || text.trim() === before.trim()) return
  stream.add(before === '' || before.endsWith('\n') ? text : `\n${text}`)
}

/** The text of a call that has no output and no error. */
const DEFAULT_MESSAGES: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

function outputText({ status, output, error }: EventOf<'tool-output'>): string {
  const text = observationText(output)
  if (error === undefined || text.includes(error)) return text === '' ? DEFAULT_MESSAGES[status] : text
  return text === '' ? error : `${text}${text.endsWith('\n') ? '' : '\n'}${error}`
}
