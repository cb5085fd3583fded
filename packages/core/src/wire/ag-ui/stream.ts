import type { JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import { createChunkQueue, createPauses, type Pauses } from '../responses.ts'
import type { Chunk, WireOptions } from '../wire.ts'
import { createNesting, type Nesting } from './nesting.ts'
import type { Usage } from './usage.ts'

/** A question that ends a run of the protocol. A later run answers it. */
export type Interrupt = JsonObject & { readonly id: string; readonly subagentRunId?: string }

/**
 * The frame around the chunks. One of our runs is one run of the protocol or several: an open question finishes a run, and
 * the first chunk after it starts the next.
 */
export interface Stream {
  /** Ids of messages and calls must differ across all runs of a thread, because the client holds them all. */
  idOf(id: string): string
  /** Emits a chunk. If the run is finished, the next one is started first. */
  emit(chunk: Chunk): void
  start(metadata: JsonObject): void
  /** No run of the protocol finishes while a block or a call's input is open. */
  readonly pauses: Pauses<Interrupt>
  readonly nesting: Nesting
  /** The answer to a question, as a run's input would hold it. */
  answer(approvalId: string, answer: Fields): void
  /** The end of our run. */
  finish(outcome: JsonObject, fields: Fields): void
  /** The end of our run, with an error. */
  fail(message: string, fields: Fields): void
  isOpen(): boolean
  /** The chunks of an entry. The run finishes with them if questions are open and nothing else is. */
  take(): readonly Chunk[]
}

const PROTOCOL = '1.0'

/** Marks what is repeated only because a run must leave nothing open. */
const AGAIN = { millrace: { again: true } } as const

export function createStream({ runId, threadId }: WireOptions, usage: Usage): Stream {
  const { add, take } = createChunkQueue()
  const pauses = createPauses<Interrupt>()
  const nesting = createNesting()
  let isOpen = false
  let isEnded = false
  let continuations = 0
  let currentId = runId

  function emit(chunk: Chunk): void {
    if (!isOpen) startNextRun([])
    add(chunk)
  }

  /** Starts the next run, in which everything that the pause closed is open again. */
  function startNextRun(resume: readonly JsonObject[]): void {
    const parentRunId = currentId
    currentId = `${runId}.${++continuations}`
    isOpen = true
    const emptyInput = { messages: [], tools: [], context: [] }
    const input = resume.length === 0 ? undefined : { threadId, runId: currentId, ...emptyInput, resume }
    const metadata = AGAIN
    add(chunkOf('RUN_STARTED', { threadId, runId: currentId, protocolVersion: PROTOCOL, parentRunId, input, metadata }))
    for (const chunk of nesting.reopen()) add({ ...chunk, metadata })
  }

  function pause(): void {
    const interrupts = pauses.questions()
    for (const chunk of nesting.suspend(interrupts)) add({ ...chunk, metadata: AGAIN })
    finish({ type: 'interrupt', interrupts }, { metadata: AGAIN })
    isOpen = false
  }

  function finish(outcome: JsonObject, fields: Fields): void {
    emit(chunkOf('RUN_FINISHED', { threadId, runId: currentId, ...fields, outcome, usage: usage.takeUnreported() }))
  }

  return {
    idOf: (id) => `${runId}/${id}`,
    emit,
    start(metadata) {
      isOpen = true
      const millrace = { version: 1, ...metadata }
      add(chunkOf('RUN_STARTED', { threadId, runId, protocolVersion: PROTOCOL, metadata: { millrace } }))
    },
    pauses,
    nesting,
    answer(approvalId, answer) {
      if (pauses.answer(approvalId) && !isOpen) startNextRun([defined({ interruptId: approvalId, ...answer })])
    },
    finish(outcome, fields) {
      finish(outcome, fields)
      isEnded = true
    },
    fail(message, fields) {
      emit(chunkOf('RUN_ERROR', { message, ...fields, usage: usage.takeUnreported() }))
      isEnded = true
    },
    isOpen: () => isOpen,
    take() {
      if (isOpen && !isEnded && pauses.isWaiting()) pause()
      return take()
    },
  }
}
