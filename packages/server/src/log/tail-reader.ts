import type { EntryLines } from './entry-lines.ts'
import type { GivingReader, ReadingReceiver } from './lines-reader.ts'
import type { ReadOptions } from './log.ts'
import { recent, type Tail, type WaitingReader } from './tail-state.ts'

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
export class TailReader<Item> implements AsyncIterableIterator<Item>, GivingReader<Item>, WaitingReader {
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
  #unheed: (() => void) | undefined
  #receiver: ReadingReceiver<Item> | undefined
  /** Whether the receiver is still in its call. */
  #isAsked = false

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
    if (this.#receiver !== undefined) return this.#nextBehind()
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Item, undefined>>()
    this.#last = promise
    this.give({ add: resolve, fail: reject })
    return promise
  }

  give(receiver: ReadingReceiver<Item>): void {
    this.#receiver = receiver
    this.#isAsked = true
    this.goOn()
    this.#isAsked = false
  }

  /** The call after one that still waits. */
  async #nextBehind(): Promise<IteratorResult<Item, undefined>> {
    await this.#last?.catch(() => undefined)
    return this.next()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true
    // What is being read settles the waiting call when it has arrived.
    if (this.#receiver === undefined) this.#leave()
    else this.#wakeUp()
    return { done: true, value: undefined }
  }

  #enter(): Tail {
    const { signal } = this.#options
    if (signal !== undefined) this.#heed(signal)
    return this.#source.enter(this.#runId)
  }

  #heed(signal: AbortSignal): void {
    const wakeUp = () => this.#wakeUp()
    signal.addEventListener('abort', wakeUp)
    this.#unheed = () => signal.removeEventListener('abort', wakeUp)
  }

  /** Answers the receiver, if something is there to answer it with. Called by its tail. */
  goOn(): void {
    this.#isWaiting = false
    try {
      if (this.#isStopped()) this.#end()
      else this.#readOn()
    } catch (error) {
      this.#fail(error)
    }
  }

  #readOn(): void {
    this.#tail ??= this.#enter()
    this.#readFrom(this.#tail)
  }

  #isStopped(): boolean {
    return this.#isOver || this.#options.signal?.aborted === true
  }

  #readFrom(tail: Tail): void {
    this.#source.check(this.#runId, tail)
    if (!tail.isHeadRead || this.#mustLook) {
      this.#mustLook = false
      this.#source.catchUp(this.#runId, tail).then(
        () => this.goOn(),
        (error: unknown) => this.#fail(error),
      )
    } else if (this.#position < tail.seq) {
      const lines = recent(tail, this.#position)
      if (lines === undefined) void this.#readStored()
      else this.#give(lines)
    } else if (!this.#options.live || tail.isEnded) this.#end()
    else {
      this.#isWaiting = true
      // Most runs have one reader, and a first push would make room for seventeen.
      if (tail.waiting.length === 0) tail.waiting = [this]
      else tail.waiting.push(this)
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
    this.#answer({ done: false, value: this.#itemOf(lines) })
  }

  #answer(result: IteratorResult<Item, undefined>): void {
    const receiver = this.#receiver
    this.#receiver = undefined
    if (this.#isAsked) queueMicrotask(() => receiver?.add(result))
    else receiver?.add(result)
  }

  #wakeUp(): void {
    if (!this.#isWaiting || this.#tail === undefined) return
    this.#tail.waiting = this.#tail.waiting.filter((each) => each !== this)
    this.goOn()
  }

  #end(): void {
    this.#leave()
    this.#answer({ done: true, value: undefined })
  }

  #fail(error: unknown): void {
    this.#leave()
    const receiver = this.#receiver
    this.#receiver = undefined
    if (this.#isAsked) queueMicrotask(() => receiver?.fail(error))
    else receiver?.fail(error)
  }

  #leave(): void {
    this.#isOver = true
    this.#unheed?.()
    if (this.#tail !== undefined) this.#source.leave(this.#runId, this.#tail)
    this.#tail = undefined
  }
}
