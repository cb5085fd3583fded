import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { MessageScope, Mint } from './message-scope.ts'
import { keep } from './meta.ts'
import { createPartialInput, type PartialInput } from './partial-args.ts'
import type { FunctionCall, PartialArg } from './raw.ts'

/** A call whose arguments are not complete. */
interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly wholeArgs: Json | undefined
  input: PartialInput | undefined
}

/** The function calls of one candidate. */
export interface Calls {
  /** The events of a call or of a part of one; undefined if it is not understood. */
  read(call: FunctionCall, signature: string | null | undefined): StreamEvent[] | undefined
  /** Whether it continues the open call. */
  isContinuation(call: FunctionCall): boolean
  /** Completes the open call, because a stream may leave out its end. */
  close(): StreamEvent[]
}

export function createCalls(scope: MessageScope, mint: Mint): Calls {
  let open: OpenCall | undefined

  function start({ id, args }: FunctionCall, name: string, signature: string | null | undefined): StreamEvent[] {
    const callId = id ?? mint('call')
    open = { callId, name, wholeArgs: args ?? undefined, input: undefined }
    return [startCall(scope, callId, name, 'client', { thoughtSignature: signature })]
  }

  function add(partialArgs: readonly PartialArg[]): StreamEvent[] | undefined {
    if (open === undefined) return undefined
    const { callId } = open
    open.input ??= createPartialInput()
    const events: StreamEvent[] = []
    for (const partialArg of partialArgs) {
      const text = open.input.add(partialArg)
      if (text === undefined) events.push({ type: 'raw', value: partialArg as never, reason: 'unmapped' })
      else if (text !== '') events.push({ type: 'tool-input-delta', callId, text })
    }
    return events
  }

  function isContinuation({ id, name, args, partialArgs }: FunctionCall): boolean {
    if (open === undefined) return false
    if (!name) return true
    const isSame = open.name === name && (id === null || id === undefined || id === open.callId)
    return isSame && Array.isArray(partialArgs) && (args === null || args === undefined)
  }

  function close(): StreamEvent[] {
    if (open === undefined) return []
    const { callId, wholeArgs, input } = open
    const whole = input?.end()
    open = undefined
    const lastDelta: StreamEvent[] = whole?.text ? [{ type: 'tool-input-delta', callId, text: whole.text }] : []
    return [...lastDelta, { type: 'tool-input', callId, input: whole?.input ?? wholeArgs ?? {} }]
  }

  return {
    read(call, signature) {
      const { name, partialArgs, willContinue } = call
      const continuesOpen = isContinuation(call)
      // An empty call ends the call before it, which may have ended already.
      if (!continuesOpen && !name) return Object.keys(present(call)).length === 0 ? [] : undefined
      const events = continuesOpen ? [] : [...close(), ...start(call, name ?? '', signature)]
      if (Array.isArray(partialArgs)) events.push(...(add(partialArgs) ?? []))
      if (willContinue !== true) events.push(...close())
      const isSkipped = events.length === 0 && !isPartial(call)
      return isSkipped ? undefined : events
    },
    isContinuation,
    close,
  }
}

/** Whether a call without a name has partial arguments or none. Whole arguments would be skipped. */
function isPartial({ args, partialArgs }: FunctionCall): boolean {
  return !args && (!partialArgs || Array.isArray(partialArgs))
}

/** Begins a call and remembers it as unanswered. */
export function startCall(
  { messageId, unanswered, response }: MessageScope,
  callId: string,
  name: string,
  runBy: EventOf<'tool-start'>['runBy'],
  kept: { readonly [field: string]: unknown },
): StreamEvent {
  unanswered.add(callId, { name, isForClient: runBy === 'client', response })
  return { type: 'tool-start', callId, messageId, name, runBy, ...keep(kept) }
}
