import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { keep } from './meta.ts'
import { createPartialInput, type PartialInput } from './partial-args.ts'
import type { Mint, Place } from './place.ts'
import type { FunctionCall, PartialArg } from './raw.ts'

/** A call whose arguments are still coming. */
interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly given: Json | undefined
  input: PartialInput | undefined
}

/** The function calls of one candidate. */
export interface Calls {
  /** The events of a call or of a piece of one; nothing where it is not understood. */
  read(call: FunctionCall, signature: string | null | undefined): StreamEvent[] | undefined
  /** Whether it goes on with the call that is open. */
  goesOn(call: FunctionCall): boolean
  /** Completes the call that is open: a stream may leave out its end. */
  close(): StreamEvent[]
}

export function createCalls(place: Place, mint: Mint): Calls {
  let open: OpenCall | undefined

  function start({ id, args }: FunctionCall, name: string, signature: string | null | undefined): StreamEvent[] {
    const callId = id ?? mint('call')
    open = { callId, name, given: args ?? undefined, input: undefined }
    return [startCall(place, callId, name, 'client', { thoughtSignature: signature })]
  }

  function add(pieces: readonly PartialArg[]): StreamEvent[] | undefined {
    if (open === undefined) return undefined
    const { callId } = open
    open.input ??= createPartialInput()
    const events: StreamEvent[] = []
    for (const piece of pieces) {
      const text = open.input.add(piece)
      if (text === undefined) events.push({ type: 'raw', value: piece as never, reason: 'unmapped' })
      else if (text !== '') events.push({ type: 'tool-input-delta', callId, text })
    }
    return events
  }

  function goesOn({ id, name, args, partialArgs }: FunctionCall): boolean {
    if (open === undefined) return false
    if (!name) return true
    const isSame = open.name === name && (id === null || id === undefined || id === open.callId)
    return isSame && Array.isArray(partialArgs) && (args === null || args === undefined)
  }

  function close(): StreamEvent[] {
    if (open === undefined) return []
    const { callId, given, input } = open
    const whole = input?.end()
    open = undefined
    const rest: StreamEvent[] = whole?.text ? [{ type: 'tool-input-delta', callId, text: whole.text }] : []
    return [...rest, { type: 'tool-input', callId, input: whole?.input ?? given ?? {} }]
  }

  return {
    read(call, signature) {
      const { name, partialArgs, willContinue } = call
      const isMore = goesOn(call)
      // An empty call ends the one before it, which may have ended already.
      if (!isMore && !name) return Object.keys(present(call)).length === 0 ? [] : undefined
      const events = isMore ? [] : [...close(), ...start(call, name ?? '', signature)]
      if (Array.isArray(partialArgs)) events.push(...(add(partialArgs) ?? []))
      if (willContinue !== true) events.push(...close())
      const isSkipped = events.length === 0 && !isPiece(call)
      return isSkipped ? undefined : events
    },
    goesOn,
    close,
  }
}

/** Whether a call without a name brings arguments in pieces, or none: whole ones would be skipped. */
function isPiece({ args, partialArgs }: FunctionCall): boolean {
  return !args && (!partialArgs || Array.isArray(partialArgs))
}

/** Begins a call and remembers that it wants a result. */
export function startCall(
  { messageId, unanswered, response }: Place,
  callId: string,
  name: string,
  runBy: EventOf<'tool-start'>['runBy'],
  kept: { readonly [field: string]: unknown },
): StreamEvent {
  unanswered.add(callId, { name, isForClient: runBy === 'client', response })
  return { type: 'tool-start', callId, messageId, name, runBy, ...keep(kept) }
}
