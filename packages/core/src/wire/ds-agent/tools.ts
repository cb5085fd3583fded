import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { observationText } from '../../meaning/pane-routes.ts'
import { defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { observation, observed, summaryOf, type ToolCall, toolCall, toolInvocation } from './action-step.ts'
import type { Tellers } from './blocks.ts'
import { type Step, valueBeside } from './message.ts'
import type { Held } from './outbox.ts'
import { createStream, type MessageStream, sayAtOnce } from './stream.ts'
import { secondsBetween } from './times.ts'

export interface Tools {
  readonly rows: Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>
  /** Ends the streams of calls that have no output. */
  closeAll(): void
}

interface OpenCall extends ToolCall {
  readonly step: Step | undefined
  readonly badge: Held
  /** Under which id the badge stands, once it is said. */
  badgeId: string | undefined
  args: string | undefined
  startedAt: number
  /** What it says while it runs. */
  stream: MessageStream | undefined
}

export function createTools({ outbox, steps, answer, pacing }: Tellers): Tools {
  const calls = new Map<string, OpenCall>()

  /** The badge is held back for the arguments, which mostly come at once. */
  function start(event: EventOf<'tool-start'>): void {
    const { callId, name, runBy, title, server, parentCallId, agentId, meta } = event
    if (agentId === undefined) answer.begin()
    const step = agentId === undefined ? steps.ensure() : steps.current()
    const own = { runBy: runBy === 'agent' ? undefined : runBy, title, server, parentCallId, agentId, meta }
    const badge = { release: () => sayBadge(call) }
    const call: OpenCall = {
      callId,
      name,
      own,
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

  function sayBadge(call: OpenCall): void {
    call.badgeId = outbox.ids.next()
    const { content, metadata } = toolCall(call.step, call, call.args, false)
    outbox.put(call.badgeId, content, metadata, call)
  }

  function input(event: EventOf<'tool-input'>): void {
    const call = calls.get(event.callId)
    if (call === undefined) return
    call.args = summaryOf(event.input ?? event.text)
    call.startedAt = outbox.now()
    if (outbox.unhold(call.badge)) sayBadge(call)
    outbox.say(toolInvocation(call.step, call, event, call.args), call)
  }

  function progress({ callId, channel, text = '', data, percent }: EventOf<'tool-progress'>): void {
    const call = calls.get(callId)
    if (call === undefined) return
    const stream = streamOf(call)
    const own = { channel: channel === 'stdout' ? undefined : channel, data, percent }
    const hasOwn = Object.values(own).some((value) => value !== undefined)
    if (hasOwn) stream.addWith(text, { progress: defined(own) })
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
    const words = outputWords(event)
    if (stream !== undefined) addOutput(stream, words)
    const duration = secondsBetween(call.startedAt, outbox.now())
    const value = valueBeside('output', output, stream?.text() ?? words)
    const { agentId } = call.own
    const own = { agentId, ...value, status: status === 'ok' ? undefined : status, meta }
    const speech = observed(call.step, call, event, duration)
    if (stream === undefined) sayAtOnce(outbox, speech, words, call, own)
    else stream.finish(speech, own)
    if (status === 'error') turnRed(call)
    if (call.step !== undefined && agentId === undefined) steps.callEnded(call.step)
  }

  /** The badge again, under its id. */
  function turnRed(call: OpenCall): void {
    if (call.badgeId === undefined) return
    const { content, metadata } = toolCall(call.step, call, call.args, true)
    outbox.put(call.badgeId, content, metadata, call)
  }

  return {
    rows: {
      'tool-start': start,
      'tool-input-delta'({ callId }) {
        const call = calls.get(callId)
        if (call !== undefined && outbox.unhold(call.badge)) sayBadge(call)
      },
      'tool-input': input,
      'tool-progress': progress,
      'tool-output': output,
    },
    closeAll() {
      for (const call of calls.values()) call.stream?.finish(observation(call.step, call), {})
      calls.clear()
    },
  }
}

/** Many tools stream what they print and then give all of it again as their output. */
function addOutput(stream: MessageStream, words: string): void {
  const before = stream.text()
  if (words === '' || words.trim() === before.trim()) return
  stream.add(before === '' || before.endsWith('\n') ? words : `\n${words}`)
}

/** What it is called that a call gave nothing, where nobody said why. */
const WORDS: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

function outputWords({ status, output, error }: EventOf<'tool-output'>): string {
  const words = observationText(output)
  if (error === undefined || words.includes(error)) return words === '' ? WORDS[status] : words
  return words === '' ? error : `${words}${words.endsWith('\n') ? '' : '\n'}${error}`
}
