import { inputOf, MAX_INPUT } from '../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { type CreatePass, scopeOf } from './pass.ts'

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

export const settle: CreatePass = createSettle(4 * 1024 * 1024)

type Rows = { readonly [Type in StreamEvent['type']]?: (event: EventOf<Type>) => void }

/** The text of an open block as fragments, in order. */
interface StreamedText {
  readonly fragments: string[]
  /** How many of the last fragments are small and not yet joined, and their length. */
  smallFragments: number
  smallLength: number
  length: number
}

/** Small fragments are joined at this length: a thousand deltas would otherwise cost more than their characters. */
const JOIN_LENGTH = 4096

/**
 * The texts of open blocks as they were streamed. If they have more than `max` characters, the oldest are forgotten: an
 * authoritative text of such a block is then passed on unchanged, which is correct but longer.
 */
function createStreamedTexts(max: number) {
  const texts = new Map<string, StreamedText>()
  let size = 0

  function start(blockId: string): void {
    forget(blockId)
    texts.set(blockId, { fragments: [], smallFragments: 0, smallLength: 0, length: 0 })
  }

  function forget(blockId: string): void {
    size -= texts.get(blockId)?.length ?? 0
    texts.delete(blockId)
  }

  function add(blockId: string, text: string): void {
    const streamed = texts.get(blockId)
    if (streamed === undefined) return
    addFragment(streamed, text)
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

function addFragment(streamed: StreamedText, text: string): void {
  const { fragments } = streamed
  fragments.push(text)
  streamed.length += text.length
  streamed.smallFragments++
  streamed.smallLength += text.length
  if (streamed.smallLength < JOIN_LENGTH) return
  fragments.push(fragments.splice(-streamed.smallFragments).join(''))
  streamed.smallFragments = 0
  streamed.smallLength = 0
}

function beginsWith(whole: string, { fragments }: StreamedText): boolean {
  let at = 0
  for (const fragment of fragments) {
    if (!whole.startsWith(fragment, at)) return false
    at += fragment.length
  }
  return true
}
