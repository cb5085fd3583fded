import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { CandidateScope, Mint } from './message-scope.ts'
import { keep } from './meta.ts'
import { createPartialInput, type PartialInput } from './partial-args.ts'
import type { FunctionCall, PartialArg } from './raw.ts'

type Signature = string | null | undefined

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
  read(call: FunctionCall, signature: Signature): StreamEvent[] | undefined
  /** Whether it continues the open call. */
  isContinuation(call: FunctionCall): boolean
  /** Completes the open call, because a stream may leave out its end. */
  close(): StreamEvent[]
}

export function createCalls(scope: CandidateScope, mint: Mint): Calls {
  let open: OpenCall | undefined

  /** Begins a call. Adds the end of the one before to the events. */
  function start({ id, args }: FunctionCall, name: string, signature: Signature, events: StreamEvent[]): OpenCall {
    events.push(...close())
    const callId = id ?? mint('call')
    open = { callId, name, wholeArgs: args ?? undefined, input: undefined }
    events.push(startCall(scope, callId, name, 'client', { thoughtSignature: signature }))
    return open
  }

  function add(call: OpenCall, partialArgs: readonly PartialArg[]): StreamEvent[] {
    const { callId } = call
    const input = call.input ?? createPartialInput()
    call.input = input
    const events: StreamEvent[] = []
    for (const partialArg of partialArgs) {
      const text = input.add(partialArg)
      if (text === undefined) events.push({ type: 'raw', value: partialArg as never, reason: 'unmapped' })
      else if (text !== '') events.push({ type: 'tool-input-delta', callId, text })
    }
    return events
  }

  /** The open call, if this is a part of it. */
  function continuedCall({ id, name, args, partialArgs }: FunctionCall): OpenCall | undefined {
    if (open === undefined || !name) return open
    const isSame = open.name === name && (id === null || id === undefined || id === open.callId)
    return isSame && Array.isArray(partialArgs) && (args === null || args === undefined) ? open : undefined
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
      const continued = continuedCall(call)
      // An empty call ends the call before it, which may have ended already.
      if (continued === undefined && !name) return Object.keys(present(call)).length === 0 ? [] : undefined
      const events: StreamEvent[] = []
      const target = continued ?? start(call, name ?? '', signature, events)
      if (Array.isArray(partialArgs)) events.push(...add(target, partialArgs))
      if (willContinue !== true) events.push(...close())
      const isSkipped = events.length === 0 && !isPartial(call)
      return isSkipped ? undefined : events
    },
    isContinuation: (call) => continuedCall(call) !== undefined,
    close,
  }
}

/** Whether a call without a name has partial arguments or none. Whole arguments would be skipped. */
function isPartial({ args, partialArgs }: FunctionCall): boolean {
  return !args && (!partialArgs || Array.isArray(partialArgs))
}

/** Begins a call and remembers it as unanswered. */
export function startCall(
  { messageId, unanswered, response }: CandidateScope,
  callId: string,
  name: string,
  runBy: EventOf<'tool-start'>['runBy'],
  kept: { readonly [field: string]: unknown },
): StreamEvent {
  unanswered.add(callId, { name, awaitedBy: runBy === 'client' ? response : undefined })
  return { type: 'tool-start', callId, messageId, name, runBy, ...keep(kept) }
}
