import { getWire } from '@millrace/core/wire'
import type { ChunkBatch } from './chunk-batch.ts'
import type { Convoy, Waiting } from './convoy.ts'
import { type Cursor, follows } from './cursor.ts'

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

/** The convoys of the same run on the same wire. */
export interface ConvoyGroup {
  convoys: readonly Convoy[]
}

/** The convoys of all runs. */
export interface ConvoySource {
  enter(key: string): ConvoyGroup
  leave(key: string, group: ConvoyGroup, watch: Watch): void
  convoyFor(watch: Watch, group: ConvoyGroup, own: Convoy | undefined, position: number): Convoy
}

/** One viewer of a run. It is not a generator: allocations for each event and viewer are measurable (`bench/rows/serve.ts`). */
export class Viewer implements Waiting {
  readonly #source: ConvoySource
  readonly #watch: Watch
  readonly #key: string
  readonly #group: ConvoyGroup
  #position: number
  #own: Convoy | undefined
  #waiting: Waiting | undefined

  constructor(source: ConvoySource, watch: Watch) {
    this.#source = source
    this.#watch = watch
    this.#key = [watch.runId, watch.wire, watch.profile ?? '', watch.messageId ?? ''].join('\n')
    this.#group = source.enter(this.#key)
    this.#position = positionOf(watch.wire, watch.after)
    watch.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The next batch; undefined if there is none yet or no more. Throws the error of the log. */
  take(): ChunkBatch | undefined {
    // Some entries have no chunk on a wire, so a batch may be empty.
    let batch = this.#next()
    while (batch?.isEmpty) batch = this.#next()
    return batch
  }

  /** Whether the run has ended and the viewer has taken all of it. */
  isOver(): boolean {
    return this.#own?.isOver === true && this.#position >= this.#own.after
  }

  /** The entry up to which it has everything. */
  get position(): number {
    return this.#position
  }

  /** Wakes the waiting one once, when there may be more to take or the signal has fired. */
  wait(waiting: Waiting): void {
    if (this.#watch.signal.aborted || this.#own === undefined) queueMicrotask(() => waiting.wake())
    else {
      this.#waiting = waiting
      this.#own.readOn(this)
    }
  }

  /** Called by its convoy. */
  wake(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.wake()
  }

  /** MUST be called when nothing more is taken. */
  leave(): void {
    // The signal may outlive the viewer: a connection watches one run after the other.
    this.#watch.signal.removeEventListener('abort', this.#onAbort)
    this.#leaveOwn()
    this.#source.leave(this.#key, this.#group, this.#watch)
  }

  readonly #onAbort = (): void => {
    this.#own?.forget(this)
    this.wake()
  }

  #next(): ChunkBatch | undefined {
    const { after: cursor } = this.#watch
    const position = this.#position
    const convoy = this.#source.convoyFor(this.#watch, this.#group, this.#own, position)
    if (convoy !== this.#own) this.#travelWith(convoy)
    const batch = convoy.batchAfter(position)
    if (batch === undefined) return undefined
    this.#position = batch.through
    if (batch.after >= position && batch.after >= (cursor?.seq ?? 0)) return batch
    return batch.select(({ entry, index }) => isWanted(entry.seq, index, position, cursor))
  }

  #travelWith(convoy: Convoy): void {
    convoy.join()
    this.#leaveOwn()
    this.#own = convoy
  }

  #leaveOwn(): void {
    const own = this.#own
    if (own?.leave() === 0) this.#group.convoys = this.#group.convoys.filter((each) => each !== own)
    this.#own = undefined
  }
}

/** The entry behind which a viewer needs everything. A viewer may have only some chunks of an entry. */
function positionOf(wire: string, cursor: Cursor | undefined): number {
  if (cursor === undefined) return 0
  return getWire(wire).hasWholeEntries || cursor.index === undefined ? cursor.seq : Math.max(0, cursor.seq - 1)
}

function isWanted(seq: number, index: number, position: number, cursor: Cursor | undefined): boolean {
  return seq > position && (cursor === undefined || follows(cursor, seq, index))
}
