import type { Worker } from 'node:worker_threads'
import { LogError } from '../errors.ts'
import { type Answer, answersIn, type Cargo, countNext, parcelOf, type Shipment } from './batch.ts'
import { troubleOf } from './failures.ts'

/** The server's connection to one thread of a log. */
export interface Channel<Operations> {
  /** Resolves once the thread is ready for requests. */
  readonly ready: Promise<void>
  call<Name extends keyof Operations & string>(
    name: Name,
    ...values: Values<Operations[Name]>
  ): Promise<Result<Operations[Name]>>
  /** Like `call`, for a request that may be large. */
  ship<Name extends keyof Operations & string>(
    cargo: Cargo,
    name: Name,
    ...values: Values<Operations[Name]>
  ): Promise<Result<Operations[Name]>>
  /** Accepts no more requests. Resolves when all earlier ones are finished. */
  drain(): Promise<void>
  /** Ends the thread. */
  end(): Promise<void>
  /** Rejects all current and later requests. */
  fail(failure: LogError): void
  onFailure(listener: (failure: LogError) => void): void
}

type Values<Operation> = Operation extends (...values: infer Passed) => unknown ? Passed : never
type Result<Operation> = Operation extends (...values: never[]) => infer Returned ? Returned : never

const SMALL: Cargo = { characters: 0, buffers: [] }

interface Pending extends Shipment {
  resolve(value: unknown): void
  reject(reason: Error): void
}

/**
 * Sends requests in batches: requests that arrive while a batch is under way go into the next one. An idle thread gets
 * a request at once. If the thread dies, all pending and later requests reject with the cause.
 */
export function createChannel<Operations>(worker: Worker): Channel<Operations> {
  const ready = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<void>()
  const idle = Promise.withResolvers<void>()
  let waiting: Pending[] = []
  let underWay: Pending[] = []
  const listeners: ((failure: LogError) => void)[] = []
  /** How many of the next requests are sent one by one. */
  let singleSends = 0
  let isScheduled = false
  let isClosing = false
  let failure: LogError | undefined

  function flush(): void {
    isScheduled = false
    if (underWay.length > 0 || failure !== undefined) return
    if (waiting.length === 0) {
      if (isClosing) idle.resolve()
      return
    }
    const batch = waiting.splice(0, singleSends > 0 ? 1 : countNext(waiting))
    singleSends = Math.max(0, singleSends - 1)
    try {
      const { message, transfer } = parcelOf(batch)
      worker.postMessage(message, transfer)
      underWay = batch
    } catch (error) {
      returnUnsent(batch, error)
      flush()
    }
  }

  /** One of these requests cannot be sent, such as one that holds a function. The others must not fail with it. */
  function returnUnsent(batch: readonly Pending[], error: unknown): void {
    if (batch.length > 1) {
      waiting.unshift(...batch)
      singleSends = batch.length
    } else for (const { reject } of batch) reject(troubleOf(error))
  }

  /** Requests of one turn of the event loop are sent together. */
  function schedule(): void {
    if (isScheduled || underWay.length > 0) return
    isScheduled = true
    queueMicrotask(flush)
  }

  function fail(reason: LogError): void {
    if (failure !== undefined) return
    failure = reason
    for (const { reject } of [...underWay, ...waiting]) reject(reason)
    underWay = []
    waiting = []
    ready.reject(reason)
    idle.resolve()
    for (const listener of listeners) listener(reason)
  }

  const crash = (cause: unknown) => fail(troubleOf(cause))

  worker.on('message', (message: readonly Answer[] | string | Answer) => {
    const answers = answersIn(message)
    if (!isBatch(answers)) return 'value' in answers ? ready.resolve() : fail(errorOf(answers))
    const answered = underWay
    underWay = []
    // The next batch is sent before this one's promises settle.
    flush()
    for (const [index, pending] of answered.entries()) settle(pending, answers[index])
  })
  worker.on('error', crash)
  worker.on('messageerror', crash)
  worker.on('exit', (code) => {
    if (!isClosing || underWay.length > 0) crash(`its thread ended with code ${code}`)
    exited.resolve()
  })
  // Only the function that opens the log awaits it.
  ready.promise.catch(() => {})

  function ship(cargo: Cargo, name: string, values: readonly unknown[]): Promise<never> {
    if (failure !== undefined) return Promise.reject(failure)
    if (isClosing) return Promise.reject(new LogError('log-closed', `answer "${name}"`))
    const { promise, resolve, reject } = Promise.withResolvers<never>()
    waiting.push({ name, values, cargo, resolve: resolve as (value: unknown) => void, reject })
    schedule()
    return promise
  }

  return {
    ready: ready.promise,
    call: (name, ...values) => ship(SMALL, name, values),
    ship: (cargo, name, ...values) => ship(cargo, name, values),
    drain() {
      isClosing = true
      schedule()
      return idle.promise
    },
    async end() {
      if (failure === undefined) worker.postMessage('close')
      else await worker.terminate()
      await exited.promise
    },
    fail,
    onFailure(listener) {
      listeners.push(listener)
      if (failure !== undefined) listener(failure)
    },
  }
}

const isBatch = (message: readonly Answer[] | Answer): message is readonly Answer[] => Array.isArray(message)

function settle(pending: Pending, answer: Answer | undefined): void {
  if (answer === undefined) pending.reject(troubleOf('a request was not answered'))
  else if ('value' in answer) pending.resolve(answer.value)
  else pending.reject(errorOf(answer))
}

function errorOf(answer: Exclude<Answer, { readonly value: unknown }>): LogError {
  if ('refused' in answer) return new LogError(answer.refused.code, answer.refused.detail)
  const { code, detail, cause } = answer.failed
  return new LogError(code, detail, { cause })
}
