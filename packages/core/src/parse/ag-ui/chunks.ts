import type { StreamEvent } from '../../events.ts'
import { understood } from '../parser.ts'
import type { Calls } from './calls.ts'
import type { Prose } from './prose.ts'
import type { RawEvent } from './raw.ts'

type Chunk = Extract<RawEvent, { type: `${string}_CHUNK` }>
type Kind = 'text' | 'reasoning' | 'tool'

/** Chunks mark neither the start nor the end of what they belong to. One without an id and a delta is not understood. */
export interface Chunks {
  text(raw: Extract<Chunk, { type: 'TEXT_MESSAGE_CHUNK' }>): readonly StreamEvent[]
  reasoning(raw: Extract<Chunk, { type: 'REASONING_MESSAGE_CHUNK' }>): readonly StreamEvent[]
  tool(raw: Extract<Chunk, { type: 'TOOL_CALL_CHUNK' }>): readonly StreamEvent[]
  /** Ends the text, thought or call of the last chunk. */
  close(): StreamEvent[]
}

export function createChunks(prose: Prose, calls: Calls): Chunks {
  let open: { readonly kind: Kind; readonly id: string } | undefined
  let minted = 0

  function close(): StreamEvent[] {
    if (open === undefined) return []
    const { kind, id } = open
    open = undefined
    return kind === 'tool' ? calls.end(id, {}) : prose.end(kind, id, {})
  }

  /** The id that a chunk belongs to: one without an id continues what is open. */
  function enter(
    kind: Kind,
    givenId: string | undefined,
    start: (id: string) => StreamEvent[],
  ): [string, StreamEvent[]] {
    if (open?.kind === kind && (givenId === undefined || givenId === open.id)) return [open.id, []]
    const closed = close()
    const id = givenId ?? `${kind}-chunk-${++minted}`
    open = { kind, id }
    return [id, [...closed, ...start(id)]]
  }

  return {
    close,
    text(raw) {
      const { messageId, delta } = raw
      if ((messageId ?? delta) === undefined) return []
      const [id, started] = enter('text', messageId, (id) => prose.startText({ ...raw, messageId: id }))
      return chunkEvents(started, delta, (text) => prose.add('text', id, text, raw))
    },
    reasoning(raw) {
      const { messageId, delta } = raw
      if ((messageId ?? delta) === undefined) return []
      const [id, started] = enter('reasoning', messageId, (id) => prose.startReasoning(id, raw))
      return chunkEvents(started, delta, (text) => prose.add('reasoning', id, text, raw))
    },
    tool(raw) {
      const { toolCallId, delta } = raw
      if ((toolCallId ?? delta) === undefined) return []
      const [id, started] = enter('tool', toolCallId, (id) => calls.start({ ...raw, toolCallId: id }))
      return chunkEvents(started, delta, (text) => calls.add(id, text, raw))
    },
  }
}

function chunkEvents(
  started: StreamEvent[],
  delta: string | undefined,
  add: (text: string) => StreamEvent[],
): readonly StreamEvent[] {
  return understood(delta === undefined || delta === '' ? started : [...started, ...add(delta)])
}
