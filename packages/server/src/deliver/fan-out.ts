import { getWire } from '@millrace/core/wire'
import type { Log } from '../log/log.ts'
import { type Convoy, createConvoy } from './convoy.ts'
import { type Cursor, cursorText, follows } from './cursor.ts'
import { type Piece, pick } from './piece.ts'

export interface Watch {
  readonly runId: string
  readonly threadId: string
  /** A registry name of the formats. */
  readonly wire: string
  readonly profile?: string
  /** The client's message that the run goes on with, where that is not its own. */
  readonly messageId?: string
  /** Only what follows this cursor; without it, everything from the first chunk. */
  readonly after?: Cursor
  readonly signal: AbortSignal
}

/** One who watches. No generator: what is made for each event and each viewer counts (`bench/rows/serve.ts`). */
export interface Viewer {
  /** What comes next; nothing where it has not come yet, or nothing will. Throws what the log throws. */
  take(): Piece | undefined
  /** Whether the run has ended and all of it was taken. */
  isOver(): boolean
  /** Resolves when there may be more to take, or the signal has fired. */
  wait(): Promise<void>
  /** MUST be called when nothing more is taken. */
  leave(): void
}

/** Says a run to its viewers: what is the same for many is read, formatted and encoded once. */
export interface FanOut {
  watch(watch: Watch): Viewer
}

/**
 * Viewers at about the same place form a convoy; who comes to another's place joins it, and who falls behind founds one
 * of his own. A formatter is deterministic: whichever convoy a viewer is in, the chunks and their cursors are the same.
 */
export function createFanOut(log: Pick<Log, 'read'>): FanOut {
  const all = new Map<string, Set<Convoy>>()

  function found({ runId, threadId, wire, profile, messageId }: Watch, after: number): Convoy {
    const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
    const member = getWire(wire)
    return createConvoy({
      wireState: member.create({ runId, threadId, ...options }),
      after,
      read: (signal) => log.read(runId, { after, live: true, signal }),
      cursorOf: cursorText(member),
    })
  }

  /** The convoy that brings a viewer on: its own as long as it leads there, another that is further, or a new one. */
  function convoyFor(watch: Watch, convoys: Set<Convoy>, own: Convoy | undefined, position: number): Convoy {
    if (own?.covers(position) && position < own.after()) return own
    let isElder = true
    for (const other of convoys) {
      if (other === own) isElder = false
      // Of two that stand at the same place the elder stays: nobody changes to and fro.
      else if (other.covers(position) && (isElder || other.after() > position)) return other
    }
    if (own !== undefined && own.after() <= position) return own
    const isWhole = getWire(watch.wire).hasWholeEntries === true
    for (const other of convoys) if (!isWhole && other.isUnderWay() && other.after() <= position) return other
    const convoy = found(watch, isWhole ? position : 0)
    convoys.add(convoy)
    return convoy
  }

  function watch(options: Watch): Viewer {
    const { wire, after: cursor, signal } = options
    const key = [options.runId, wire, options.profile ?? '', options.messageId ?? ''].join('\n')
    const convoys = all.get(key) ?? new Set()
    all.set(key, convoys)
    let position = positionOf(wire, cursor)
    let own: Convoy | undefined
    let wake = () => {}
    signal.addEventListener('abort', () => wake(), { once: true })

    function travelWith(convoy: Convoy): Convoy {
      if (convoy === own) return convoy
      convoy.join()
      leaveOwn()
      own = convoy
      return convoy
    }

    function leaveOwn(): void {
      if (own?.leave() === 0) convoys.delete(own)
      own = undefined
    }

    function next(): Piece | undefined {
      const piece = travelWith(convoyFor(options, convoys, own, position)).pieceAfter(position)
      if (piece === undefined) return undefined
      const from = position
      position = piece.through
      if (piece.after >= from && piece.after >= (cursor?.seq ?? 0)) return piece
      return pick(piece, ({ entry, index }) => isWanted(entry.seq, index, from, cursor))
    }

    /** Some entries say nothing on a wire. */
    function take(): Piece | undefined {
      let piece = next()
      while (piece?.placed.length === 0) piece = next()
      return piece
    }

    return {
      take,
      isOver: () => own?.isOver() === true && position >= own.after(),
      async wait() {
        if (signal.aborted || own === undefined) return
        const convoy = own
        await new Promise<void>((resolve) => {
          wake = resolve
          convoy.readOn(position, resolve)
        })
        if (signal.aborted) convoy.forget(wake)
      },
      leave() {
        leaveOwn()
        if (convoys.size === 0 && all.get(key) === convoys) all.delete(key)
      },
    }
  }

  return { watch }
}

/** The entry behind which a viewer needs everything. Of an entry with several chunks it may have seen only some. */
function positionOf(wire: string, cursor: Cursor | undefined): number {
  if (cursor === undefined) return 0
  return getWire(wire).hasWholeEntries || cursor.index === undefined ? cursor.seq : Math.max(0, cursor.seq - 1)
}

function isWanted(seq: number, index: number, position: number, cursor: Cursor | undefined): boolean {
  return seq > position && (cursor === undefined || follows(cursor, seq, index))
}

/**
 * Gives each piece as it comes, until the run is over, the viewer is gone, or it is enough. Only where `give` has
 * something to wait for is it waited for.
 */
export async function follow(
  fanOut: FanOut,
  watch: Watch,
  give: (piece: Piece) => Promise<unknown> | undefined,
): Promise<void> {
  const viewer = fanOut.watch(watch)
  try {
    while (!watch.signal.aborted) {
      const piece = viewer.take()
      if (piece === undefined) {
        if (viewer.isOver()) return
        await viewer.wait()
        continue
      }
      const given = give(piece)
      if (given !== undefined && (await given) === ENOUGH) return
    }
  } finally {
    viewer.leave()
  }
}

/** What `give` answers where nothing more is wanted. */
export const ENOUGH = Symbol('enough')
