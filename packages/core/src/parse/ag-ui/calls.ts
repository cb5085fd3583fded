import { remember, rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { scopeOf, sentAtOf } from './fields.ts'
import { fileParts } from './parts.ts'
import type { Base, CallStart, Result } from './raw.ts'
import { canonicalArgs, type Seen, type SeenCall } from './seen.ts'
import type { TurnTracker } from './turn-tracker.ts'

export interface Calls {
  start(raw: Omit<CallStart, 'type'>): StreamEvent[]
  add(callId: string, delta: string, raw: Base): StreamEvent[]
  end(callId: string, raw: Base): StreamEvent[]
  /** Ends the input of a call that is asked about, where it has not ended. */
  complete(callId: string): StreamEvent[]
  result(callId: string, result: Result, raw: Base): StreamEvent[]
  /** What the provider wants back with a call. */
  encrypt(callId: string, encryptedValue: string, raw: Base): StreamEvent[]
  /** Calls of the run that nothing has answered, while nothing else was said after them. */
  readonly unanswered: ReadonlySet<string>
  /** The agent goes on without these answers, or another run has begun. */
  clearUnanswered(): void
}

/** Nobody waits for more answers than that: an endless stream must not grow. */
const MAX_UNANSWERED = 4096

export function createCalls(seen: Seen, turnTracker: TurnTracker): Calls {
  const unanswered = new Set<string>()
  /** Values for calls whose input is still to end. */
  const encrypted = new Map<string, string>()

  function end(callId: string, raw: Base): StreamEvent[] {
    const call = seen.calls.get(callId)
    if (call?.repeated !== undefined) return endRepeated(call, call.repeated)
    // A bridge may announce a call without its input and tell the input with the result: no input is no end yet.
    if (call?.isInputDone || (call?.args === '' && !encrypted.has(callId))) return []
    if (call !== undefined) call.isInputDone = true
    const encryptedValue = encrypted.get(callId)
    encrypted.delete(callId)
    const scope = scopeOf(raw)
    const meta = encryptedValue === undefined ? {} : { meta: { 'ag-ui': { ...scope.meta?.['ag-ui'], encryptedValue } } }
    return [{ ...scope, ...agentOf(call), ...meta, type: 'tool-input', callId }]
  }

  return {
    unanswered,
    clearUnanswered: () => unanswered.clear(),
    start(raw) {
      const { toolCallId: callId, toolCallName: name = 'unknown', parentMessageId } = raw
      const before = seen.calls.get(callId)
      if (before !== undefined && !before.hasOutput) {
        if (before.isInputDone) before.repeated = ''
        return []
      }
      const events: StreamEvent[] = []
      const agentId = raw.subagentRunId
      const turn = agentId === undefined ? turnTracker.takeCall(parentMessageId, callId, raw, events) : undefined
      seen.hasContent = true
      seen.addCall({ callId, name, agentId, args: '', repeated: undefined, isInputDone: false, hasOutput: false })
      rememberOne(unanswered, callId, MAX_UNANSWERED)
      const message = turn === undefined ? {} : { messageId: turn.messageId }
      return [...events, { ...scopeOf(raw), type: 'tool-start', callId, name, runBy: 'agent', ...message }]
    },
    add(callId, delta, raw) {
      const call = seen.calls.get(callId)
      if (call?.repeated !== undefined) {
        seen.growRepeated(call, delta)
        return []
      }
      if (call !== undefined) seen.growArgs(call, delta)
      return [{ ...sentAtOf(raw), type: 'tool-input-delta', callId, text: delta }]
    },
    end,
    complete: (callId) => (seen.calls.has(callId) ? end(callId, {}) : []),
    result(callId, result, raw) {
      const events = outputEvents(callId, result, raw, seen.calls.get(callId))
      const call = seen.calls.get(callId)
      if (call !== undefined) {
        call.isInputDone = true
        call.hasOutput = true
      }
      unanswered.delete(callId)
      return events
    },
    encrypt(callId, encryptedValue, raw) {
      if (seen.calls.get(callId)?.isInputDone === false) {
        remember(encrypted, callId, encryptedValue, MAX_UNANSWERED)
        return []
      }
      return [{ ...sentAtOf(raw), type: 'metadata', metadata: { [`encryptedValue:${callId}`]: encryptedValue } }]
    },
  }
}

/** Some say a call again before its result. What they say otherwise than the first time is kept. */
function endRepeated(call: SeenCall, repeated: string): StreamEvent[] {
  call.repeated = undefined
  if (repeated === '' || canonicalArgs(repeated) === canonicalArgs(call.args)) return []
  return [{ type: 'raw', value: { toolCallId: call.callId, repeated }, reason: 'unmapped' }]
}

function agentOf(call: SeenCall | undefined): { readonly agentId?: string } {
  return call?.agentId === undefined ? {} : { agentId: call.agentId }
}

function outputEvents(callId: string, result: Result, raw: Base, call: SeenCall | undefined): StreamEvent[] {
  const output = result.content ?? result.result ?? ''
  const error = errorOf(result, raw, output)
  const scope = { ...scopeOf(raw), ...agentOf(call) }
  const status = error === undefined ? ('ok' as const) : ('error' as const)
  const events: StreamEvent[] = [
    { ...scope, type: 'tool-output', callId, status, output, ...(error !== undefined && { error }) },
  ]
  const { meta: _meta, ...fileScope } = scope
  return [...events, ...fileParts(output, callId).map((file) => ({ ...fileScope, ...file, callId }))]
}

/** The protocol has no sign of failure but an agreement on metadata; a snapshot's message has an `error`. */
function errorOf({ error }: Result, { metadata }: Base, output: Json): string | undefined {
  if (typeof error === 'string' && error !== '') return error
  if (isJsonObject(error)) return typeof error.message === 'string' ? error.message : JSON.stringify(error)
  if (metadata?.isError !== true && metadata?.is_error !== true) return undefined
  return typeof output === 'string' && output !== '' ? output : textOf(output) || 'The tool failed.'
}

/** The words of content that is a list of parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: Json) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
