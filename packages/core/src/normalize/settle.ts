import { inputOf, MAX_INPUT } from '../data/tool-input.ts'
import type { EventOf } from '../events.ts'
import { type CreatePass, type PassRows, rowOf, scopeOf } from './pass.ts'

/**
 * Settles what a stream sends twice. A tool input that was streamed is completed from its deltas, once. A block's
 * authoritative text that only repeats what was streamed is dropped; one that continues it becomes a delta.
 * At most `maxStreamed` characters of open blocks are kept to compare with.
 */
export const createSettle =
  (maxStreamed: number): CreatePass =>
  (emit) => {
    const inputs = new Map<string, string>()
    const texts = createStreamedTexts(maxStreamed)

    function completeInput(event: EventOf<'tool-input'>): void {
      const text = inputs.get(event.callId)
      inputs.delete(event.callId)
      const hasInput = event.input !== undefined || event.text !== undefined
      emit(hasInput ? event : { ...event, ...inputOf(text ?? '') })
    }

    /** After an output, or the stream's end, no more of the input follows. */
    function finishInput(callId: string): void {
      if (inputs.has(callId)) completeInput({ type: 'tool-input', callId })
    }

    function patch(event: EventOf<'block-patch'>): void {
      const { text, ...rest } = event
      const more = text === undefined ? undefined : texts.addedBy(event.blockId, text)
      if (more === undefined) {
        if (text !== undefined) texts.replace(event.blockId, text)
        emit(event)
        return
      }
      if (more !== '') {
        texts.add(event.blockId, more)
        emit({ ...scopeOf(event), type: 'block-delta', blockId: event.blockId, text: more })
      }
      if (rest.citations ?? rest.signature ?? rest.encrypted ?? rest.answer ?? rest.meta) emit(rest)
    }

    const rows: PassRows = {
      'block-start'(event) {
        texts.start(event.blockId)
        emit(event)
      },
      'block-delta'(event) {
        texts.add(event.blockId, event.text)
        emit(event)
      },
      'block-patch': patch,
      'block-end'(event) {
        texts.forget(event.blockId)
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
        const row = rowOf(rows, event) ?? emit
        row(event)
      },
      end() {
        for (const callId of [...inputs.keys()]) finishInput(callId)
        texts.clear()
      },
    }
  }

export const settle: CreatePass = createSettle(4 * 1024 * 1024)

/** The text of an open block: parts of some length, in order, and the deltas since. */
interface StreamedText {
  readonly parts: string[]
  deltas: string[]
  deltasLength: number
  length: number
}

/** Deltas are joined up to this length: one string for each of them would cost more than their characters. */
const PART_LENGTH = 4096

/**
 * The texts of open blocks as they were streamed. If they have more than `max` characters, the oldest are forgotten: an
 * authoritative text of such a block is then passed on unchanged, which is correct but longer.
 */
function createStreamedTexts(max: number) {
  const texts = new Map<string, StreamedText>()
  let size = 0

  function start(blockId: string): void {
    forget(blockId)
    texts.set(blockId, { parts: [], deltas: [], deltasLength: 0, length: 0 })
  }

  function forget(blockId: string): void {
    size -= texts.get(blockId)?.length ?? 0
    texts.delete(blockId)
  }

  function add(blockId: string, text: string): void {
    const streamed = texts.get(blockId)
    if (streamed === undefined) return
    append(streamed, text)
    size += text.length
    for (const [oldest] of texts) {
      if (size <= max) return
      forget(oldest)
    }
  }

  return {
    start,
    add,
    /** Replaces the text of a block. A block that is not open stays closed. */
    replace(blockId: string, text: string): void {
      if (!texts.has(blockId)) return
      start(blockId)
      add(blockId, text)
    },
    /** What a whole text adds to the streamed text of the block; undefined if it does not begin with that text. */
    addedBy(blockId: string, whole: string): string | undefined {
      const streamed = texts.get(blockId)
      return streamed !== undefined && beginsWith(whole, streamed) ? whole.slice(streamed.length) : undefined
    },
    forget,
    clear(): void {
      texts.clear()
      size = 0
    },
  }
}

function append(streamed: StreamedText, text: string): void {
  streamed.length += text.length
  streamed.deltasLength += text.length
  streamed.deltas.push(text)
  if (streamed.deltasLength < PART_LENGTH) return
  streamed.parts.push(streamed.deltas.join(''))
  streamed.deltas = []
  streamed.deltasLength = 0
}

function beginsWith(whole: string, { parts, deltas }: StreamedText): boolean {
  let at = 0
  for (const part of parts) {
    if (!whole.startsWith(part, at)) return false
    at += part.length
  }
  return whole.startsWith(deltas.join(''), at)
}
