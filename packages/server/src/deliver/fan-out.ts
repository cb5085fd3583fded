import { getWire } from '@millrace/core/wire'
import { LogError } from '../log/errors.ts'
import type { Log } from '../log/log.ts'
import { type ChunkBatch, selectChunks } from './chunk-batch.ts'
import { type Convoy, createConvoy } from './convoy.ts'
import { type Cursor, cursorText, follows } from './cursor.ts'

export interface Watch {
  readonly runId: string
  readonly threadId: string
  /** The registry name of a wire. */
  readonly wire: string
  readonly profile?: string
  /** The client's message that the run continues, if it is not the run's own. */
  readonly messageId?: string
  /** Only chunks behind this cursor; without it, all chunks. */
  readonly after?: Cursor
  readonly signal: AbortSignal
}

/** One viewer of a run. It is not a generator: allocations for each event and viewer are measurable (`bench/rows/serve.ts`). */
export interface Viewer {
  /** The next batch; undefined if there is none yet or no more. Throws the error of the log. */
  take(): ChunkBatch | undefined
  /** Whether the run has ended and the viewer has taken all of it. */
  isOver(): boolean
  /** Resolves when there may be more to take, or the signal has fired. */
  wait(): Promise<void>
  /** MUST be called when nothing more is taken. */
  leave(): void
}

/** Delivers runs to viewers. What many viewers need is read, written to the wire and encoded once. */
export interface FanOut {
  watch(watch: Watch): Viewer
}

/**
 * Viewers at about the same position form a convoy. A viewer that reaches the position of another convoy joins it; one that
 * falls behind starts its own. A wire's state is deterministic, so chunks and cursors are the same in every convoy.
 */
export function createFanOut(log: Pick<Log, 'read'>): FanOut {
  const all = new Map<string, Set<Convoy>>()

  function createConvoyFor({ runId, threadId, wire, profile, messageId }: Watch, after: number): Convoy {
    const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
    const member = getWire(wire)
    return createConvoy({
      wireState: member.create({ runId, threadId, ...options }),
      after,
      read: (signal) => log.read(runId, { after, live: true, signal }),
      cursorOf: cursorText(member),
    })
  }

  /** The convoy that has what a viewer needs next: its own, another one that is further, or a new one. */
  function convoyFor(watch: Watch, convoys: Set<Convoy>, own: Convoy | undefined, position: number): Convoy {
    if (own?.covers(position) && position < own.after()) return own
    let isElder = true
    for (const other of convoys) {
      if (other === own) isElder = false
      // Of two convoys at the same position the older one stays, so that no viewer moves back and forth.
      else if (other.covers(position) && (isElder || other.after() > position)) return other
    }
    if (own !== undefined && own.after() <= position) return own
    const isWhole = getWire(watch.wire).hasWholeEntries === true
    for (const other of convoys) if (!isWhole && other.isUnderWay() && other.after() <= position) return other
    const convoy = createConvoyFor(watch, isWhole ? position : 0)
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
    const onAbort = () => wake()
    signal.addEventListener('abort', onAbort, { once: true })

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

    function next(): ChunkBatch | undefined {
      const batch = travelWith(convoyFor(options, convoys, own, position)).batchAfter(position)
      if (batch === undefined) return undefined
      const from = position
      position = batch.through
      if (batch.after >= from && batch.after >= (cursor?.seq ?? 0)) return batch
      return selectChunks(batch, ({ entry, index }) => isWanted(entry.seq, index, from, cursor))
    }

    /** Some entries have no chunk on a wire, so a batch may be empty. */
    function take(): ChunkBatch | undefined {
      let batch = next()
      while (batch?.chunks.length === 0) batch = next()
      return batch
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
        // The signal may outlive the viewer: a connection watches one run after the other.
        signal.removeEventListener('abort', onAbort)
        leaveOwn()
        if (convoys.size === 0 && all.get(key) === convoys) all.delete(key)
      },
    }
  }

  return { watch }
}

/** The entry behind which a viewer needs everything. A viewer may have only some chunks of an entry. */
function positionOf(wire: string, cursor: Cursor | undefined): number {
  if (cursor === undefined) return 0
  return getWire(wire).hasWholeEntries || cursor.index === undefined ? cursor.seq : Math.max(0, cursor.seq - 1)
}

function isWanted(seq: number, index: number, position: number, cursor: Cursor | undefined): boolean {
  return seq > position && (cursor === undefined || follows(cursor, seq, index))
}

/**
 * Delivers each batch as it comes, until the run is over, the viewer is gone, or `deliver` resolves with `ENOUGH`. Nothing is
 * awaited if `deliver` returns undefined.
 */
export async function follow(
  fanOut: FanOut,
  watch: Watch,
  deliver: (batch: ChunkBatch) => Promise<unknown> | undefined,
): Promise<void> {
  const viewer = fanOut.watch(watch)
  try {
    while (!watch.signal.aborted) {
      const batch = viewer.take()
      if (batch === undefined) {
        if (viewer.isOver()) return
        await viewer.wait()
        continue
      }
      const delivery = deliver(batch)
      if (delivery !== undefined && (await delivery) === ENOUGH) return
    }
  } finally {
    viewer.leave()
  }
}

/** The log reports its own errors, and a deleted run is none; any other error is a fault of the wire or of this server. */
export function throwUnlessOfLog(error: unknown): void {
  if (!(error instanceof LogError)) throw error
}

/** What `deliver` resolves with when no more is wanted. */
export const ENOUGH = Symbol('enough')
