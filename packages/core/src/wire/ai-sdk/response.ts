import type { JsonObject } from '../../json.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'
import type { Ending } from './dialect.ts'

/**
 * The frame around the parts: `start`, steps, `finish`. An approval that is waited for finishes the response; what
 * comes after it starts another one of the same message.
 */
export interface Response {
  /** Whether its message was begun by an earlier run, and is held by who reads. */
  readonly isContinued: boolean
  /** Says a chunk; where the response is finished, one of the same message is started first. */
  emit(chunk: Chunk): void
  start(metadata: JsonObject): void
  /** A block or a tool's input has begun: no step and no response ends before it has ended. */
  opened(): void
  closed(): void
  startStep(): void
  endStep(): void
  awaitAnswer(approvalId: string): void
  answered(approvalId: string): void
  /** Says what was postponed, if nothing is open any more. */
  settle(ending: Ending): void
  finish(finishReason: string, metadata: JsonObject): void
  isOpen(): boolean
  take(): readonly Chunk[]
}

const NONE: readonly Chunk[] = []

export function createResponse(messageId: string, isContinued = false): Response {
  let chunks: Chunk[] | undefined
  let isOpen = false
  let pieces = 0
  let isStepOpen = false
  /**
   * A client looks for a tool part in the current step only, and older ones forget open parts at a step's end. So a
   * change of step waits until nothing is open; one that begins and ends meanwhile is left out.
   */
  let isStepEndDue = false
  let isStepStartDue = false
  let isPauseDue = false
  const awaited = new Set<string>()

  /** Most events make one chunk: a list made with it is smaller and faster than one that grows. */
  function add(chunk: Chunk): void {
    if (chunks === undefined) chunks = [chunk]
    else chunks.push(chunk)
  }

  function emit(chunk: Chunk): void {
    if (!isOpen) start({})
    add(chunk)
  }

  function start(metadata: JsonObject): void {
    isOpen = true
    const hasMetadata = Object.keys(metadata).length > 0
    add(chunkOf('start', { messageId, messageMetadata: hasMetadata ? metadata : undefined }))
  }

  function changeStep(): void {
    if (isStepOpen) emit({ type: 'finish-step' })
    isStepOpen = isStepStartDue
    if (isStepOpen) emit({ type: 'start-step' })
    isStepEndDue = false
    isStepStartDue = false
  }

  function finish(finishReason: string, metadata: JsonObject): void {
    isStepStartDue = false
    changeStep()
    const hasMetadata = Object.keys(metadata).length > 0
    emit(chunkOf('finish', { finishReason, messageMetadata: hasMetadata ? metadata : undefined }))
  }

  return {
    isContinued,
    emit,
    start,
    opened() {
      pieces++
    },
    closed() {
      pieces--
    },
    startStep() {
      isStepStartDue = true
    },
    endStep() {
      if (isStepStartDue) isStepStartDue = false
      else isStepEndDue = isStepOpen
    },
    awaitAnswer(approvalId) {
      awaited.add(approvalId)
      isPauseDue = true
    },
    answered(approvalId) {
      awaited.delete(approvalId)
      if (awaited.size === 0) isPauseDue = false
    },
    settle(ending) {
      if (pieces > 0) return
      if (isStepEndDue || isStepStartDue) changeStep()
      if (!isPauseDue) return
      isPauseDue = false
      ending.closeLoose()
      finish('tool-calls', ending.finishMetadata())
      isOpen = false
    },
    finish,
    isOpen: () => isOpen,
    take() {
      const taken = chunks ?? NONE
      chunks = undefined
      return taken
    },
  }
}
