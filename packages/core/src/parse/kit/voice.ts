import type { BlockKind, BlockVariant, Common } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

/** Collects the events of one record. */
export type Out = StreamEvent[]

/** The kind of a block, and the fields that its start carries. */
export interface Manner extends Common {
  readonly kind: BlockKind
  readonly variant?: BlockVariant | undefined
}

/**
 * The prose of one message, in a format that does not mark where a block begins and ends: text continues the open block
 * of its kind, and anything else ends it.
 */
export interface Voice {
  /** The open block, if there is one. */
  readonly openId: string | undefined
  /** The open block if it is of this kind, without a variant. */
  openOf(kind: BlockKind): string | undefined
  /** The last block of a kind, open or not: signatures and citations follow their text. */
  lastOf(kind: BlockKind): string | undefined
  /** Adds text to the open block if it is of this kind and variant; otherwise begins a block. Returns its id. */
  say(out: Out, manner: Manner, text: string): string
  /** Adds a block of its own. */
  sayWhole(out: Out, manner: Manner, text: string): string
  /** Ends the open block and begins another, which then is the open one. Returns its id. */
  begin(out: Out, manner: Manner): string
  /** Adds the start of a block without ending the open one. The caller ends it. */
  beginBeside(out: Out, manner: Manner): string
  /** Something else begins, or nothing follows: ends the open block. */
  pause(out: Out, fields?: Partial<EventOf<'block-end'>>): void
}

/** `mint` names a block by its kind and its number, which counts from 1. */
export function createVoice(mint: (kind: BlockKind, number: number) => string): Voice {
  let open: { readonly id: string; readonly kind: BlockKind; readonly variant: BlockVariant | undefined } | undefined
  const last: { [Kind in BlockKind]?: string } = {}
  let count = 0

  function pause(out: Out, fields?: Partial<EventOf<'block-end'>>): void {
    if (open === undefined) return
    out.push({ ...fields, type: 'block-end', blockId: open.id })
    open = undefined
  }

  function begin(out: Out, manner: Manner): string {
    pause(out)
    const id = beginBeside(out, manner)
    open = { id, kind: manner.kind, variant: manner.variant }
    return id
  }

  function beginBeside(out: Out, { kind, variant, ...scope }: Manner): string {
    const id = mint(kind, ++count)
    last[kind] = id
    const start: EventOf<'block-start'> = { type: 'block-start', blockId: id, kind, ...scope }
    out.push(variant === undefined ? start : { ...start, variant })
    return id
  }

  function say(out: Out, manner: Manner, text: string): string {
    const isSame = open?.kind === manner.kind && open.variant === manner.variant
    const blockId = isSame && open !== undefined ? open.id : begin(out, manner)
    out.push({ type: 'block-delta', blockId, text })
    return blockId
  }

  return {
    get openId() {
      return open?.id
    },
    openOf: (kind) => (open?.kind === kind && open.variant === undefined ? open.id : undefined),
    lastOf: (kind) => last[kind],
    say,
    sayWhole(out, manner, text) {
      pause(out)
      const blockId = say(out, manner, text)
      pause(out)
      return blockId
    },
    begin,
    beginBeside,
    pause,
  }
}
