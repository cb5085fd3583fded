import type { DatabaseSync } from 'node:sqlite'
import { LogError, type LogErrorCode } from '../errors.ts'

/** What the two threads of a log say to each other: many requests in one message, as many answers in one. */

export interface Request {
  readonly name: string
  readonly values: readonly unknown[]
}

export type Answer =
  | { readonly value: unknown }
  | { readonly refused: { readonly code: LogErrorCode; readonly detail: string } }
  | { readonly failed: unknown }

/**
 * A batch on its way. Appends go as one text: a text is copied at once, while objects are taken apart and put together
 * again field by field (`bench/rows/log.ts`). What text cannot say goes as it is.
 */
export const messageOf = (batch: readonly Request[]): readonly Request[] | string =>
  batch.every(({ name }) => name === 'append') ? JSON.stringify(batch) : batch

export const requestsIn = (message: readonly Request[] | string): readonly Request[] =>
  typeof message === 'string' ? (JSON.parse(message) as Request[]) : message

/** The answers, on the same terms. */
export const answerMessageOf = (message: readonly Request[] | string, answers: readonly Answer[]) =>
  typeof message === 'string' && !answers.some((answer) => 'failed' in answer) ? JSON.stringify(answers) : answers

export const answersIn = (message: readonly Answer[] | string | Answer): readonly Answer[] | Answer =>
  typeof message === 'string' ? (JSON.parse(message) as Answer[]) : message

/** Runs one request, by its name. */
export type Perform = (request: Request) => unknown

export const failureOf = (error: unknown): Answer =>
  error instanceof LogError ? { refused: { code: error.code, detail: error.detail } } : { failed: error }

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
