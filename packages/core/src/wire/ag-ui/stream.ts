import type { JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Chunk, WireOptions } from '../wire.ts'
import { createNesting, type Nesting } from './nesting.ts'
import type { Usage } from './usage.ts'

/** A question that the protocol's run ends with; a later run answers it. */
export type Interrupt = JsonObject & { readonly id: string; readonly subagentRunId?: string }

/**
 * The frame around what is said. A run of ours is one of the protocol's, or several: a question that is waited for
 * finishes one, and what comes after it starts the next.
 */
export interface Stream {
  /** The ids of messages and calls must differ across all runs of a thread, for the client holds them all. */
  idOf(id: string): string
  /** Says a chunk; where the run is finished, the next one is started first. */
  emit(chunk: Chunk): void
  start(metadata: JsonObject): void
  /** A block or a call's input has begun: no run finishes before it has ended. */
  opened(): void
  closed(): void
  readonly nesting: Nesting
  awaitAnswer(interrupt: Interrupt): void
  /** The answer of a question, as a run's input would hold it. */
  answered(approvalId: string, answer: Fields): void
  finish(outcome: JsonObject, fields: Fields): void
  fail(message: string, fields: Fields): void
  /** The questions that nobody has answered. */
  interrupts(): readonly Interrupt[]
  isOpen(): boolean
  /** What an entry says. The run finishes with it if a question is waited for and nothing is open any more. */
  take(): readonly Chunk[]
}

const PROTOCOL = '1.0'
const NONE: readonly Chunk[] = []

/** What is said again only because a run must leave nothing open. */
const AGAIN = { millrace: { again: true } } as const

export function createStream({ runId, threadId }: WireOptions, usage: Usage): Stream {
  let chunks: Chunk[] | undefined
  let isOpen = false
  let isPauseDue = false
  let pieces = 0
  let pauses = 0
  let currentId = runId
  const awaited = new Map<string, Interrupt>()
  const nesting = createNesting()

  /** Most events make one chunk: a list made with it is smaller and faster than one that grows. */
  function add(chunk: Chunk): void {
    if (chunks === undefined) chunks = [chunk]
    else chunks.push(chunk)
  }

  function emit(chunk: Chunk): void {
    if (!isOpen) goOn([])
    add(chunk)
  }

  /** The next run, in which everything that the pause had to close is open again. */
  function goOn(resume: readonly JsonObject[]): void {
    const parentRunId = currentId
    currentId = `${runId}.${++pauses}`
    isOpen = true
    const nothing = { messages: [], tools: [], context: [] }
    const input = resume.length === 0 ? undefined : { threadId, runId: currentId, ...nothing, resume }
    const metadata = AGAIN
    add(chunkOf('RUN_STARTED', { threadId, runId: currentId, protocolVersion: PROTOCOL, parentRunId, input, metadata }))
    for (const chunk of nesting.reopen()) add({ ...chunk, metadata })
  }

  function pause(): void {
    isPauseDue = false
    const interrupts = [...awaited.values()]
    for (const chunk of nesting.suspend(interrupts)) add({ ...chunk, metadata: AGAIN })
    finish({ type: 'interrupt', interrupts }, { metadata: AGAIN })
    isOpen = false
  }

  function finish(outcome: JsonObject, fields: Fields): void {
    emit(chunkOf('RUN_FINISHED', { threadId, runId: currentId, ...fields, outcome, usage: usage.untold() }))
  }

  return {
    idOf: (id) => `${runId}/${id}`,
    emit,
    start(metadata) {
      isOpen = true
      const millrace = { version: 1, ...metadata }
      add(chunkOf('RUN_STARTED', { threadId, runId, protocolVersion: PROTOCOL, metadata: { millrace } }))
    },
    opened() {
      pieces++
    },
    closed() {
      pieces--
    },
    nesting,
    awaitAnswer(interrupt) {
      awaited.set(interrupt.id, interrupt)
      isPauseDue = true
    },
    answered(approvalId, answer) {
      if (!awaited.delete(approvalId)) return
      if (awaited.size === 0) isPauseDue = false
      if (!isOpen) goOn([defined({ interruptId: approvalId, ...answer })])
    },
    finish,
    fail: (message, fields) => emit(chunkOf('RUN_ERROR', { message, ...fields, usage: usage.untold() })),
    interrupts: () => [...awaited.values()],
    isOpen: () => isOpen,
    take() {
      if (isPauseDue && pieces === 0) pause()
      const taken = chunks ?? NONE
      chunks = undefined
      return taken
    },
  }
}
