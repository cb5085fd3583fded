import type { Worker } from 'node:worker_threads'
import { LogError } from '../errors.ts'
import { type Answer, answersIn, type Cargo, countNext, parcelOf, type Shipment } from './batch.ts'
import { troubleOf } from './failures.ts'

/** One thread of a log, seen from the server's. */
export interface Channel<Operations> {
  /** Resolves once the thread is ready for requests. */
  readonly ready: Promise<void>
  call<Name extends keyof Operations & string>(
    name: Name,
    ...values: Values<Operations[Name]>
  ): Promise<Result<Operations[Name]>>
  /** The same for a request that may be large. */
  ship<Name extends keyof Operations & string>(
    cargo: Cargo,
    name: Name,
    ...values: Values<Operations[Name]>
  ): Promise<Result<Operations[Name]>>
  /** Takes nothing more. Resolves when what was handed over is finished. */
  drain(): Promise<void>
  /** Ends the thread. */
  end(): Promise<void>
  /** Rejects everything, now and later. */
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
 * Hands requests over in batches: while one is under way, whatever comes is gathered for the next. An idle thread gets
 * its work at once. Where the thread dies, all that is asked then or later rejects with the cause.
 */
export function createChannel<Operations>(worker: Worker): Channel<Operations> {
  const ready = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<void>()
  const idle = Promise.withResolvers<void>()
  let waiting: Pending[] = []
  let underWay: Pending[] = []
  const listeners: ((failure: LogError) => void)[] = []
  /** How many of the next requests go one by one. */
  let alone = 0
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
    const batch = waiting.splice(0, alone > 0 ? 1 : countNext(waiting))
    alone = Math.max(0, alone - 1)
    try {
      const { message, transfer } = parcelOf(batch)
      worker.postMessage(message, transfer)
      underWay = batch
    } catch (error) {
      unsent(batch, error)
      flush()
    }
  }

  /** One of these cannot be sent, such as a value that is not data. The others must not fail for it. */
  function unsent(batch: readonly Pending[], error: unknown): void {
    if (batch.length > 1) {
      waiting.unshift(...batch)
      alone = batch.length
    } else for (const { reject } of batch) reject(troubleOf(error))
  }

  /** Requests of one turn of the event loop go together. */
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
    // The next batch is on its way before anybody hears of this one.
    flush()
    for (const [index, pending] of answered.entries()) settle(pending, answers[index])
  })
  worker.on('error', crash)
  worker.on('messageerror', crash)
  worker.on('exit', (code) => {
    if (!isClosing || underWay.length > 0) crash(`its thread ended with code ${code}`)
    exited.resolve()
  })
  // Whoever opens a log awaits it; nobody else needs to.
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
