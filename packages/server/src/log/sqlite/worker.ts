import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { cargoOf, type Handover } from './append.ts'
import {
  type Answer,
  answerMessageOf,
  answersOf,
  createTransaction,
  failureOf,
  type Perform,
  type Request,
  requestsIn,
} from './batch.ts'
import { emptyJournal, lockFolder, openForReading, openForWriting } from './database.ts'
import { release } from './handed-text.ts'
import { createReads, type Reads } from './reads.ts'
import { createWrites, type Writes } from './writes.ts'

/** A thread with its own connection: `node:sqlite` blocks, and the server must not. */

const { folder, role } = workerData as { readonly folder: string; readonly role: 'read' | 'write' }
const port = parentPort
if (port === null) throw new Error('This module is the thread of a log.')

/** The first message says whether the file is open, or why not; every later one answers a batch. */
try {
  if (role === 'write') {
    const lock = lockFolder(folder)
    const database = openForWriting(folder)
    const writes = createWrites(database)
    serve(port, [database, lock], writes, writes.forgetHeads, writes.isMergeDue)
  } else {
    const database = openForReading(folder)
    serve(
      port,
      [database],
      createReads(database),
      () => {},
      () => false,
    )
  }
  port.postMessage({ value: 'ready' } satisfies Answer)
} catch (error) {
  port.postMessage(failureOf(error))
}

function serve(
  port: MessagePort,
  connections: readonly [DatabaseSync, ...DatabaseSync[]],
  operations: Reads | Writes,
  forgetHeads: () => void,
  isMergeDue: () => boolean,
): void {
  const [database] = connections
  const transaction = createTransaction(database, forgetHeads)
  const table = operations as unknown as { readonly [name: string]: (...values: readonly unknown[]) => unknown }
  const perform: Perform = ({ name, values }) => {
    if (name !== 'append') forgetHeads()
    return table[name]?.(...values)
  }
  port.on('message', (message: readonly Request[] | string) => {
    if (message === 'close') {
      for (const connection of connections) connection.close()
      port.close()
      return
    }
    const requests = requestsIn(message)
    const answers = role === 'write' ? transaction.answer(requests, perform) : answersOf(requests, perform)
    if (requests.some(({ name }) => name === 'deleteThread')) emptyJournal(database)
    port.postMessage(answerMessageOf(message, answers))
    for (const { name, values } of requests) if (name === 'append') release(cargoOf(values[0] as Handover).buffers)
    // Nobody waits for its answer. If it fails, everything stays where it is, and the next batch tries again.
    if (isMergeDue()) transaction.answer([{ name: 'mergeAll', values: [] }], perform)
  })
}
