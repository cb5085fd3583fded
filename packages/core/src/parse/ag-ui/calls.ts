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
  /** Ends the input of a call that needs an approval, if it has not ended. */
  complete(callId: string): StreamEvent[]
  result(callId: string, result: Result, raw: Base): StreamEvent[]
  /** The encrypted value that a provider requires back with a call. */
  encrypt(callId: string, encryptedValue: string, raw: Base): StreamEvent[]
  /** Calls of the run without a result, as long as no other content follows them. */
  readonly unanswered: ReadonlySet<string>
  /** Called when the agent continues without these results, or when another run begins. */
  clearUnanswered(): void
}

/** The maximum number of calls without a result: memory must stay bounded on an endless stream. */
const MAX_UNANSWERED = 4096

export function createCalls(seen: Seen, turnTracker: TurnTracker): Calls {
  const unanswered = new Set<string>()
  /** Encrypted values of calls whose input has not ended. */
  const encrypted = new Map<string, string>()

  function end(callId: string, raw: Base): StreamEvent[] {
    const call = seen.calls.get(callId)
    if (call?.repeated !== undefined) return endRepeated(call, call.repeated)
    // A bridge may send the input of an announced call only with the result: without an input the call has not ended.
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

/** Some servers send a call again before its result. An input that differs from the first is kept. */
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

/** The protocol marks a failure only by convention in the metadata; a message of a snapshot has an `error`. */
function errorOf({ error }: Result, { metadata }: Base, output: Json): string | undefined {
  if (typeof error === 'string' && error !== '') return error
  if (isJsonObject(error)) return typeof error.message === 'string' ? error.message : JSON.stringify(error)
  if (metadata?.isError !== true && metadata?.is_error !== true) return undefined
  return typeof output === 'string' && output !== '' ? output : textOf(output) || 'The tool failed.'
}

/** The text of content, which may be a list of parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: Json) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
