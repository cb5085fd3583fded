import type { DatabaseSync } from 'node:sqlite'
import { LogError, type LogErrorCode } from '../errors.ts'
import { troubleOf } from './failures.ts'

/** What the two threads of a log say to each other: many requests in one message, as many answers in one. */

export interface Request {
  readonly name: string
  readonly values: readonly unknown[]
}

/** What a request takes to send: about how many characters, and the memory that changes hands with it. */
export interface Cargo {
  readonly characters: number
  readonly buffers: readonly ArrayBuffer[]
}

export interface Shipment extends Request {
  readonly cargo: Cargo
}

/** No batch holds more unless one request alone does: what one run sends must not make a message too large for others. */
const MOST_CHARACTERS = 1024 * 1024

/** How many of the waiting requests go next, in order. At least one. */
export function countNext(waiting: readonly Shipment[]): number {
  let characters = 0
  const beyond = waiting.findIndex(({ cargo }) => {
    characters += cargo.characters
    return characters > MOST_CHARACTERS
  })
  return beyond === -1 ? waiting.length : Math.max(1, beyond)
}

export type Answer =
  | { readonly value: unknown }
  | { readonly refused: { readonly code: LogErrorCode; readonly detail: string } }
  | { readonly failed: { readonly code: LogErrorCode; readonly detail: string; readonly cause?: unknown } }

/** A batch on its way, and the memory that changes hands with it. */
export interface Parcel {
  readonly message: readonly Request[] | string
  readonly transfer: ArrayBuffer[]
}

/**
 * Appends go as one text: a text is copied at once, while objects are taken apart and put together again field by field
 * (`bench/rows/log.ts`). What text cannot say, such as bytes, goes as it is.
 */
export function parcelOf(batch: readonly Shipment[]): Parcel {
  const requests = batch.map(({ name, values }): Request => ({ name, values }))
  const transfer = batch.flatMap(({ cargo }) => cargo.buffers)
  const isText = transfer.length === 0 && batch.every(({ name }) => name === 'append')
  return { message: isText ? JSON.stringify(requests) : requests, transfer }
}

export const requestsIn = (message: readonly Request[] | string): readonly Request[] =>
  typeof message === 'string' ? (JSON.parse(message) as Request[]) : message

/** The answers, on the same terms. */
export const answerMessageOf = (message: readonly Request[] | string, answers: readonly Answer[]) =>
  typeof message === 'string' && !answers.some((answer) => 'failed' in answer) ? JSON.stringify(answers) : answers

export const answersIn = (message: readonly Answer[] | string | Answer): readonly Answer[] | Answer =>
  typeof message === 'string' ? (JSON.parse(message) as Answer[]) : message

/** Runs one request, by its name. */
export type Perform = (request: Request) => unknown

/** A refusal, or a failure: that one keeps its cause, with the stack of the thread that it happened in. */
export function failureOf(error: unknown): Exclude<Answer, { readonly value: unknown }> {
  const { code, detail, cause } = troubleOf(error)
  const isRefusal = error instanceof LogError && error.cause === undefined
  return isRefusal ? { refused: { code, detail } } : { failed: { code, detail, cause } }
}

export function answersOf(batch: readonly Request[], perform: Perform): Answer[] {
  return batch.map((request) => {
    try {
      return { value: perform(request) }
    } catch (error) {
      return failureOf(error)
    }
  })
}

export interface Transaction {
  /**
   * One commit for the whole batch. Each request is all or nothing by itself, and what one refuses harms no other: a
   * refusal (a `LogError`) MUST come before the request has written anything.
   */
  answer(batch: readonly Request[], perform: Perform): Answer[]
}

export function createTransaction(database: DatabaseSync): Transaction {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')

  function committed(batch: readonly Request[], perform: Perform): Answer[] {
    try {
      const answers = batch.map((request) => answerOf(request, perform))
      commit.run()
      return answers
    } catch (error) {
      if (database.isTransaction) rollback.run()
      if (batch.length === 1) return [failureOf(error)]
      // One broke off and may have written half of itself: all is undone, and each gets a commit of its own.
      return batch.flatMap((request) => answer([request], perform))
    }
  }

  function answer(batch: readonly Request[], perform: Perform): Answer[] {
    try {
      begin.run()
    } catch (error) {
      return batch.map(() => failureOf(error))
    }
    return committed(batch, perform)
  }

  return { answer }
}

/** Throws where the request has failed rather than been refused. */
function answerOf(request: Request, perform: Perform): Answer {
  try {
    return { value: perform(request) }
  } catch (error) {
    if (error instanceof LogError) return failureOf(error)
    throw error
  }
}
