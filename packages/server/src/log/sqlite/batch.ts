import type { DatabaseSync } from 'node:sqlite'
import { LogError, type LogErrorCode } from '../errors.ts'
import { troubleOf } from './failures.ts'

/** The messages between the server and a thread of the log: many requests in one, as many answers in one. */

export interface Request {
  readonly name: string
  readonly values: readonly unknown[]
}

/** The approximate size of a request, and the memory that is transferred with it. */
export interface Cargo {
  readonly characters: number
  readonly buffers: readonly ArrayBuffer[]
}

export interface Shipment extends Request {
  readonly cargo: Cargo
}

/** No batch is larger unless one request alone is: one run must not make the messages of others too large. */
const MOST_CHARACTERS = 1024 * 1024

/** How many of the waiting requests are sent next, in order. At least one. */
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

/** A batch as it is sent, and the memory that is transferred with it. */
export interface Parcel {
  readonly message: readonly Request[] | string
  readonly transfer: ArrayBuffer[]
}

/**
 * Appends are sent as one text: a text is copied at once, objects field by field (`bench/rows/log.ts`). What text
 * cannot express, such as bytes, is sent as objects.
 */
export function parcelOf(batch: readonly Shipment[]): Parcel {
  const requests = batch.map(({ name, values }): Request => ({ name, values }))
  const transfer = batch.flatMap(({ cargo }) => cargo.buffers)
  const isText = transfer.length === 0 && batch.every(({ name }) => name === 'append')
  return { message: isText ? JSON.stringify(requests) : requests, transfer }
}

export const requestsIn = (message: readonly Request[] | string): readonly Request[] =>
  typeof message === 'string' ? (JSON.parse(message) as Request[]) : message

/** Answers are sent as text if their requests were, unless one has failed. */
export const answerMessageOf = (message: readonly Request[] | string, answers: readonly Answer[]) =>
  typeof message === 'string' && !answers.some((answer) => 'failed' in answer) ? JSON.stringify(answers) : answers

export const answersIn = (message: readonly Answer[] | string | Answer): readonly Answer[] | Answer =>
  typeof message === 'string' ? (JSON.parse(message) as Answer[]) : message

/** Runs one request by its name. */
export type Perform = (request: Request) => unknown

/** A refusal or a failure. A failure keeps its cause, with the stack of its thread. */
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
   * One commit for the whole batch. Each request is all or nothing, and a refused one does not affect the others: a
   * refusal (a `LogError`) MUST come before the request has written anything.
   */
  answer(batch: readonly Request[], perform: Perform): Answer[]
}

/** `onRollback` is called when what was performed did not happen. */
export function createTransaction(database: DatabaseSync, onRollback: () => void = () => {}): Transaction {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')

  function commitAll(batch: readonly Request[], perform: Perform): Answer[] {
    try {
      const answers = batch.map((request) => answerOf(request, perform))
      commit.run()
      return answers
    } catch (error) {
      if (database.isTransaction) rollback.run()
      onRollback()
      if (batch.length === 1) return [failureOf(error)]
      // One request failed and may be half written: all are rolled back, and each gets its own commit.
      return batch.flatMap((request) => answer([request], perform))
    }
  }

  function answer(batch: readonly Request[], perform: Perform): Answer[] {
    try {
      begin.run()
    } catch (error) {
      return batch.map(() => failureOf(error))
    }
    return commitAll(batch, perform)
  }

  return { answer }
}

/** Throws if the request has failed; a refusal is an answer. */
function answerOf(request: Request, perform: Perform): Answer {
  try {
    return { value: perform(request) }
  } catch (error) {
    if (error instanceof LogError) return failureOf(error)
    throw error
  }
}
