import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import { extraFields, fileParts, metaOf, originOf, scopeOf, sentAtOf, textOf } from './fields.ts'
import type { Base, CallStart, Result } from './raw.ts'
import { canonicalArgs, type Seen, type SeenCall } from './seen.ts'
import type { TurnTracker } from './turn-tracker.ts'

export interface Calls {
  start(out: Out, raw: CallStart): void
  add(out: Out, callId: string, delta: string, raw: Base): void
  end(out: Out, callId: string, raw: Base): void
  result(out: Out, callId: string, result: Result, raw: Base): void
  /** The encrypted value that a provider requires back with a call. */
  encrypt(out: Out, callId: string, encryptedValue: string, raw: Base): void
  /** Calls of the run without a result. They are cleared when the agent continues without these results. */
  readonly unanswered: Set<string>
}

/** The maximum number of calls without a result: memory must stay bounded on an endless stream. */
const MAX_UNANSWERED = 4096

export function createCalls(seen: Seen, turnTracker: TurnTracker): Calls {
  const unanswered = new Set<string>()

  return {
    unanswered,
    start(out, raw) {
      const { toolCallId: callId, toolCallName: name = 'unknown', parentMessageId, subagentRunId: agentId } = raw
      const before = seen.calls.get(callId)
      if (before !== undefined && !before.hasOutput) {
        if (before.isInputDone) before.repeated = ''
        return
      }
      const turn = agentId === undefined ? turnTracker.takeCall(parentMessageId, callId, raw, out) : undefined
      seen.hasContent = true
      seen.addCall({ callId, name, agentId, args: '', isInputDone: false, hasOutput: false })
      rememberOne(unanswered, callId, MAX_UNANSWERED)
      const message = turn === undefined ? {} : { messageId: turn.messageId }
      out.push({ ...scopeOf(raw), type: 'tool-start', callId, name, runBy: 'agent', ...message })
    },
    add(out, callId, text, raw) {
      const call = seen.calls.get(callId)
      if (call !== undefined) seen.growArgs(call, text)
      if (call?.repeated === undefined) out.push({ ...sentAtOf(raw), type: 'tool-input-delta', callId, text })
    },
    end(out, callId, raw) {
      const call = seen.calls.get(callId)
      const { encrypted, repeated } = call ?? {}
      if (call !== undefined && repeated !== undefined) return endRepeated(out, call, repeated)
      // A bridge may send the input of an announced call only with the result: without an input the call has not ended.
      if (call?.isInputDone || (call?.args === '' && encrypted === undefined)) return
      if (call !== undefined) call.isInputDone = true
      const extra = { ...extraFields(raw), ...present({ encryptedValue: encrypted }) }
      out.push({ ...originOf(raw), ...agentOf(call), ...metaOf(extra), type: 'tool-input', callId })
    },
    result(out, callId, result, raw) {
      const call = seen.calls.get(callId)
      const output = result.content ?? result.result ?? ''
      const error = errorOf(result, raw, output)
      const outcome = error === undefined ? ({ status: 'ok' } as const) : ({ status: 'error', error } as const)
      out.push({ ...scopeOf(raw), ...agentOf(call), type: 'tool-output', callId, output, ...outcome })
      for (const file of fileParts(output, callId)) out.push({ ...originOf(raw), ...agentOf(call), ...file, callId })
      if (call !== undefined) {
        call.isInputDone = true
        call.hasOutput = true
      }
      unanswered.delete(callId)
    },
    encrypt(out, callId, encryptedValue, raw) {
      const call = seen.calls.get(callId)
      if (call?.isInputDone === false) call.encrypted = encryptedValue
      else out.push({ ...sentAtOf(raw), type: 'metadata', metadata: { [`encryptedValue:${callId}`]: encryptedValue } })
    },
  }
}

/** Some servers send a call again before its result. An input that differs from the first is kept. */
function endRepeated(out: Out, call: SeenCall, repeated: string): void {
  call.repeated = undefined
  if (repeated === '' || canonicalArgs(repeated) === canonicalArgs(call.args)) return
  out.push({ type: 'raw', value: { toolCallId: call.callId, repeated }, reason: 'unmapped' })
}

function agentOf(call: SeenCall | undefined): { readonly agentId?: string } {
  return call?.agentId === undefined ? {} : { agentId: call.agentId }
}

/** The protocol marks a failure only by convention in the metadata; a message of a snapshot has an `error`. */
function errorOf({ error }: Result, { metadata }: Base, output: Json): string | undefined {
  if (typeof error === 'string' && error !== '') return error
  if (isJsonObject(error)) return typeof error.message === 'string' ? error.message : JSON.stringify(error)
  if (metadata?.isError !== true && metadata?.is_error !== true) return undefined
  return textOf(output) || 'The tool failed.'
}
