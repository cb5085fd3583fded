import { type WireName, wires } from '@millrace/core/wire'
import { sseFrame } from '@millrace/core/wire/sse-frames'
import type { Chunk } from '@millrace/core/wire/wire'
import { measure } from '../measure.ts'
import type { Figure, Row } from '../row.ts'
import { entriesOf, mixedRun } from '../streams.ts'

const BATCH = 64
const encoder = new TextEncoder()

function encodeAll(frames: (emit: (frame: string) => void) => void): number {
  let batch = ''
  let count = 0
  let bytes = 0
  const flush = () => {
    bytes += encoder.encode(batch).length
    batch = ''
    count = 0
  }
  frames((frame) => {
    batch += frame
    count++
    if (count === BATCH) flush()
  })
  flush()
  return bytes
}

function figureOf(wire: WireName): Figure {
  const entries = entriesOf(mixedRun(20))
  const options = { runId: 'run', threadId: 'thread' }
  const wireState = wires[wire].create(options)
  const chunks: Chunk[] = entries.flatMap((entry) => [...wireState.push(entry)])
  const times = measure(
    {
      floor: () =>
        encodeAll((emit) => {
          for (const chunk of chunks) emit(`data: ${JSON.stringify(chunk)}\n\n`)
        }),
      ours: () =>
        encodeAll((emit) => {
          const live = wires[wire].create(options)
          for (const entry of entries) for (const chunk of live.push(entry)) emit(sseFrame(chunk))
        }),
    },
    25,
  )
  return { row: '4', what: wire, value: times.ours / times.floor, bound: 1.5 }
}

export const wire: Row = {
  title: 'entries become bytes of a wire (floor: JSON.stringify of the same chunks, 64 encoded at once)',
  run: () => (Object.keys(wires) as WireName[]).map(figureOf),
}
