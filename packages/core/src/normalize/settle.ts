import type { EventOf, StreamEvent } from '../events.ts'
import { inputOf, MAX_INPUT } from '../tool-input.ts'
import type { CreatePass } from './pass.ts'
import { placeOf } from './place.ts'

/**
 * Settles what a stream says twice. A tool input that was streamed is completed from its deltas, once. A block's
 * authoritative text that only repeats what was streamed is dropped; one that goes on from there becomes a delta.
 * At most `maxStreamed` characters of open blocks are kept to compare with.
 */
export const createSettle =
  (maxStreamed: number): CreatePass =>
  (emit) => {
    const inputs = new Map<string, string>()
    const texts = createStreamed(maxStreamed)

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
      const { text, ...rest } = event
      const more = text === undefined ? undefined : texts.addedBy(event.blockId, text)
      if (more === undefined) {
        if (text !== undefined) texts.replace(event.blockId, text)
        emit(event)
        return
      }
      if (more !== '') {
        texts.add(event.blockId, more)
        emit({ ...placeOf(event), type: 'block-delta', blockId: event.blockId, text: more })
      }
      if (rest.citations ?? rest.signature ?? rest.encrypted ?? rest.meta) emit(rest)
    }

    const rows: Rows = {
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

export const settle: CreatePass = createSettle(16 * 1024 * 1024)

type Rows = { readonly [Type in StreamEvent['type']]?: (event: EventOf<Type>) => void }

/**
 * The texts of open blocks as they were streamed. Where they are more than the bound, the oldest are forgotten: an
 * authoritative text of such a block is then passed on as it is, which is right but longer.
 */
function createStreamed(max: number) {
  const texts = new Map<string, string>()
  let size = 0

  function forget(blockId: string): void {
    size -= texts.get(blockId)?.length ?? 0
    texts.delete(blockId)
  }

  function add(blockId: string, text: string): void {
    const before = texts.get(blockId)
    if (before === undefined) return
    texts.set(blockId, before + text)
    size += text.length
    for (const [oldest] of texts) {
      if (size <= max) return
      forget(oldest)
    }
  }

  return {
    start(blockId: string): void {
      forget(blockId)
      texts.set(blockId, '')
    },
    add,
    /** The block's text is another one now. A block that is not open stays so. */
    replace(blockId: string, text: string): void {
      if (!texts.has(blockId)) return
      forget(blockId)
      texts.set(blockId, '')
      add(blockId, text)
    },
    /** What a whole text adds to what was streamed of the block; undefined if it does not begin with that. */
    addedBy(blockId: string, whole: string): string | undefined {
      const text = texts.get(blockId)
      return text !== undefined && whole.startsWith(text) ? whole.slice(text.length) : undefined
    },
    forget,
    clear(): void {
      texts.clear()
      size = 0
    },
  }
}
