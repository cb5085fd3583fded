import type { JsonObject } from '../../json.ts'
import { chunkOf } from '../chunk-fields.ts'
import { createChunkQueue, createPauses, type Pauses } from '../responses.ts'
import type { Chunk } from '../wire.ts'
import type { Ending } from './profile.ts'
import { withSafeKeys } from './safe-keys.ts'

/**
 * The frame around the parts: `start`, steps, `finish`. Open questions finish the response; the first part after them
 * starts another response of the same message.
 */
export interface Response {
  /** Whether an earlier run began its message, which the client then holds already. */
  readonly isContinued: boolean
  /** The id of a data part in the message, for ids that are counted in each run. */
  partId(id: string): string
  /** Emits a chunk. If the response is finished, another one of the same message is started first. */
  emit(chunk: Chunk): void
  /** The same for a chunk of texts alone, as most are: it has no keys but ours (bench/rows/wire.ts). */
  emitDelta(chunk: { readonly [field: string]: string }): void
  start(metadata: JsonObject): void
  /** No step and no response ends while a block or a tool's input is open. */
  readonly pauses: Pauses<string>
  startStep(): void
  endStep(): void
  /** Emits what was postponed, if nothing is open any more. */
  settle(ending: Ending): void
  /** The end of the run. */
  finish(finishReason: string, metadata: JsonObject): void
  isOpen(): boolean
  take(): readonly Chunk[]
}

/** `messageId` is another than the run's id if an earlier run began the message. */
export function createResponse(runId: string, messageId: string): Response {
  const isContinued = messageId !== runId
  const queue = createChunkQueue()
  const pauses = createPauses<string>()
  let isOpen = false
  let isEnded = false
  let isStepOpen = false
  /**
   * A client looks for a tool part in the current step only, and older ones forget open parts at a step's end. So a
   * change of step waits until nothing is open; one that begins and ends meanwhile is left out.
   */
  let isStepEndDue = false
  let isStepStartDue = false

  function emit(chunk: Chunk): void {
    if (!isOpen) start({})
    queue.add(withSafeKeys(chunk))
  }

  function start(metadata: JsonObject): void {
    isOpen = true
    const hasMetadata = Object.keys(metadata).length > 0
    queue.add(chunkOf('start', { messageId, messageMetadata: hasMetadata ? metadata : undefined }))
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
    partId: isContinued ? (id) => `${id}/${runId}` : (id) => id,
    emit,
    emitDelta(chunk) {
      if (!isOpen) start({})
      queue.add(chunk)
    },
    start,
    pauses,
    startStep() {
      isStepStartDue = true
    },
    endStep() {
      if (isStepStartDue) isStepStartDue = false
      else isStepEndDue = isStepOpen
    },
    settle(ending) {
      if (pauses.hasOpen()) return
      if (isStepEndDue || isStepStartDue) changeStep()
      if (!isOpen || isEnded || !pauses.isWaiting()) return
      ending.closeLoose()
      finish('tool-calls', ending.finishMetadata())
      isOpen = false
    },
    finish(finishReason, metadata) {
      finish(finishReason, metadata)
      isEnded = true
    },
    isOpen: () => isOpen,
    take: queue.take,
  }
}
