import type { EventOf, StreamEvent } from '../events.ts'
import { inputOf, MAX_INPUT } from '../tool-input.ts'
import type { CreatePass } from './pass.ts'
import { placeOf } from './place.ts'

/**
 * Settles what a stream says twice. A tool input that was streamed is completed from its deltas, once. A block's
 * authoritative text that only repeats what was streamed is dropped; one that goes on from there becomes a delta.
 */
export const settle: CreatePass = (emit) => {
  const inputs = new Map<string, string>()
  const texts = new Map<string, Streamed>()

  function completeInput(event: EventOf<'tool-input'>): void {
    const text = inputs.get(event.callId)
    inputs.delete(event.callId)
    const isGiven = event.input !== undefined || event.text !== undefined
    emit(isGiven ? event : { ...event, ...inputOf(text ?? '') })
  }

  /** An output, or the stream's end, means that no more of the input will come. */
  function finishInput(callId: string): void {
    if (inputs.has(callId)) completeInput({ type: 'tool-input', callId })
  }

  function patch(event: EventOf<'block-patch'>): void {
    const streamed = texts.get(event.blockId)
    if (event.text === undefined || streamed === undefined || !continues(streamed, event.text)) {
      emit(event)
      return
    }
    const { text, ...rest } = event
    const more = text.slice(streamed.length)
    if (more !== '') {
      add(streamed, more)
      emit({ ...placeOf(event), type: 'block-delta', blockId: event.blockId, text: more })
    }
    if (rest.citations ?? rest.signature ?? rest.encrypted ?? rest.meta) emit(rest)
  }

  const rows: Rows = {
    'block-start'(event) {
      texts.set(event.blockId, { length: 0, low: 0, high: 0 })
      emit(event)
    },
    'block-delta'(event) {
      const streamed = texts.get(event.blockId)
      if (streamed !== undefined) add(streamed, event.text)
      emit(event)
    },
    'block-patch': patch,
    'block-end'(event) {
      texts.delete(event.blockId)
      emit(event)
    },
    'tool-input-delta'(event) {
      const before = inputs.get(event.callId) ?? ''
      if (before.length <= MAX_INPUT) inputs.set(event.callId, before + event.text)
      emit(event)
    },
    'tool-input': completeInput,
    'tool-output'(event) {
      finishInput(event.callId)
      emit(event)
    },
  }

  return {
    push(event) {
      const row = rows[event.type]
      if (row === undefined) emit(event)
      else row(event as never)
    },
    end() {
      for (const callId of [...inputs.keys()]) finishInput(callId)
      texts.clear()
    },
  }
}

type Rows = { readonly [Type in StreamEvent['type']]?: (event: EventOf<Type>) => void }

/** What was streamed of a block, by length and two hashes: a block may be larger than memory. */
interface Streamed {
  length: number
  low: number
  high: number
}

function add(streamed: Streamed, text: string): void {
  let { low, high } = streamed
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high + code + 1, 0x85ebca6b) ^ (high >>> 15)
  }
  streamed.low = low
  streamed.high = high
  streamed.length += text.length
}

function continues(streamed: Streamed, text: string): boolean {
  if (text.length < streamed.length) return false
  const start = { length: 0, low: 0, high: 0 }
  add(start, text.slice(0, streamed.length))
  return start.low === streamed.low && start.high === streamed.high
}
