import type { EntryLines } from './entry-lines.ts'
import type { ReadOptions } from './log.ts'
import { recent, type Tail } from './tail-state.ts'

/** What readers need of the tails that they read. */
export interface TailSource {
  /** Whether others write the store: hints say what they have added, sooner or later. */
  readonly isShared: boolean
  enter(runId: string): Tail
  leave(runId: string, tail: Tail): void
  /** Reads the run's position from the store. */
  catchUp(runId: string, tail: Tail): Promise<void>
  /** Throws the error that the tail's readers get, if there is one. */
  check(runId: string, tail: Tail): void
  stored(runId: string, after: number): Promise<EntryLines>
}

/**
 * One reader of a run. Not a generator: that would cost as much as the rest of a read, and could not be returned while it
 * waits (`bench/rows/serve.ts`).
 */
export class TailReader<Item> implements AsyncIterableIterator<Item> {
  readonly #source: TailSource
  readonly #runId: string
  readonly #options: ReadOptions
  readonly #itemOf: (lines: EntryLines) => Item
  #position: number
  /** Who does not wait for hints must see what was stored before: its own look at the store is still to come. */
  #mustLook: boolean
  #tail: Tail | undefined
  #isOver = false
  #isWaiting = false
  #last: Promise<unknown> | undefined
  #resolve: ((result: IteratorResult<Item, undefined>) => void) | undefined
  #reject: ((error: unknown) => void) | undefined

  constructor(source: TailSource, runId: string, options: ReadOptions, itemOf: (lines: EntryLines) => Item) {
    this.#source = source
    this.#runId = runId
    this.#options = options
    this.#itemOf = itemOf
    this.#position = options.after
    this.#mustLook = source.isShared && !options.live
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#resolve !== undefined) return this.#nextBehind()
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Item, undefined>>()
    this.#resolve = resolve
    this.#reject = reject
    this.#last = promise
    this.#begin()
    return promise
  }

  /** The call after one that still waits. */
  async #nextBehind(): Promise<IteratorResult<Item, undefined>> {
    await this.#last?.catch(() => undefined)
    return this.next()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true
    // What is being read settles the waiting call when it has arrived.
    if (this.#resolve === undefined) this.#leave()
    else this.#wakeUp()
    return { done: true, value: undefined }
  }

  #begin(): void {
    const { signal } = this.#options
    if (this.#tail === undefined) {
      signal?.addEventListener('abort', this.#wakeUp)
      this.#tail = this.#source.enter(this.#runId)
    }
    this.#goOn()
  }

  /** Settles the waiting call, if something is there to settle it with. */
  readonly #goOn = (): void => {
    this.#isWaiting = false
    const tail = this.#tail
    try {
      if (tail === undefined || this.#isStopped()) this.#end()
      else this.#readFrom(tail)
    } catch (error) {
      this.#fail(error)
    }
  }

  #isStopped(): boolean {
    return this.#isOver || this.#options.signal?.aborted === true
  }

  #readFrom(tail: Tail): void {
    this.#source.check(this.#runId, tail)
    if (!tail.isHeadRead || this.#mustLook) {
      this.#mustLook = false
      this.#source.catchUp(this.#runId, tail).then(this.#goOn, this.#fail)
    } else if (this.#position < tail.seq) {
      const lines = recent(tail, this.#position)
      if (lines === undefined) void this.#readStored()
      else this.#give(lines)
    } else if (!this.#options.live || tail.isEnded) this.#end()
    else {
      this.#isWaiting = true
      // Most runs have one reader, and a first push would make room for seventeen.
      if (tail.waiting.length === 0) tail.waiting = [this.#goOn]
      else tail.waiting.push(this.#goOn)
    }
  }

  async #readStored(): Promise<void> {
    try {
      const lines = await this.#source.stored(this.#runId, this.#position)
      if (this.#isStopped()) this.#end()
      else this.#give(lines)
    } catch (error) {
      this.#fail(error)
    }
  }

  #give(lines: EntryLines): void {
    this.#position = lines.after + lines.lines.length
    const value = this.#itemOf(lines)
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.({ done: false, value })
  }

  readonly #wakeUp = (): void => {
    if (!this.#isWaiting || this.#tail === undefined) return
    this.#tail.waiting = this.#tail.waiting.filter((each) => each !== this.#goOn)
    this.#goOn()
  }

  #end(): void {
    this.#leave()
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.({ done: true, value: undefined })
  }

  readonly #fail = (error: unknown): void => {
    this.#leave()
    const reject = this.#reject
    this.#resolve = undefined
    reject?.(error)
  }

  #leave(): void {
    this.#isOver = true
    this.#options.signal?.removeEventListener('abort', this.#wakeUp)
    if (this.#tail !== undefined) this.#source.leave(this.#runId, this.#tail)
    this.#tail = undefined
  }
}
