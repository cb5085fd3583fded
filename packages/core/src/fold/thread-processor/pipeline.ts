import type { StreamEvent } from '../../events.ts'
import { createFold } from '../fold.ts'
import type { ChatEvent } from '../shapes.ts'

/** Creates the normalizer that separates thoughts from text. It is a parameter because no stage imports another. */
export type CreateNormalizer = (emit: (event: StreamEvent) => void) => {
  push(event: StreamEvent): void
  end(): void
}

/** Sends events through the normalizer into a fold, for stored and for streaming content alike. */
export interface Pipeline {
  push(events: readonly StreamEvent[], at: number): void
  chatEvents(): readonly ChatEvent[]
}

export function createPipeline(createNormalizer: CreateNormalizer): Pipeline {
  const fold = createFold({ runId: 'thread' })
  let seq = 0
  let at = 0
  const normalizer = createNormalizer((event) => {
    fold.push([{ seq: ++seq, at, event, rawThrough: 0 }])
  })
  return {
    push(events, now) {
      at = now
      for (const event of events) normalizer.push(event)
    },
    chatEvents: () => fold.snapshot().chatEvents,
  }
}
