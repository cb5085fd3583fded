import { mixedRun } from '../streams.ts'
import { loadPeer } from './packages.ts'
import type { Peer } from './peer.ts'
import { agUiEvents, aiSdkChunks, type Protocol, type Wired } from './protocols.ts'
import { streamOf } from './web-streams.ts'

/** The floor of row 4 encodes this many frames at once. */
const BATCH = 64

/** Twenty steps, as in row 4. */
const STEPS = 20

const encoder = new TextEncoder()

/** Frames encoded in batches; gives the bytes. */
function encodeAll(chunks: readonly Wired[], frameOf: (chunk: Wired) => string): number {
  let bytes = 0
  for (let at = 0; at < chunks.length; at += BATCH) {
    let batch = ''
    for (const chunk of chunks.slice(at, at + BATCH)) batch += frameOf(chunk)
    bytes += encoder.encode(batch).length
  }
  return bytes
}

const floorOf = (chunks: readonly Wired[]) => encodeAll(chunks, (chunk) => `data: ${JSON.stringify(chunk)}\n\n`)

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of stream) bytes += piece.length
  return bytes
}

const chunkStream = (chunks: readonly Wired[]) => streamOf(chunks.length, (index) => chunks[index] as Wired)

interface Ai {
  createUIMessageStreamResponse(options: { stream: ReadableStream<Wired> }): { body: ReadableStream<Uint8Array> }
}

interface AgUi {
  readonly EventEncoder: new () => { encodeSSE(event: Wired): string }
}

interface TanStack {
  toServerSentEventsStream(chunks: AsyncIterable<Wired>): ReadableStream<Uint8Array>
}

async function* each(chunks: readonly Wired[]): AsyncGenerator<Wired> {
  yield* chunks
}

function peerOf(
  name: string,
  protocol: Protocol,
  load: () => Promise<(chunks: readonly Wired[]) => number | Promise<number>>,
): Peer {
  const trial = {
    row: '4',
    what: name,
    async prepare() {
      const chunks = protocol(mixedRun(STEPS))
      const write = await load()
      const least = floorOf(chunks)
      return {
        floor: () => floorOf(chunks),
        peer: () => write(chunks),
        fault: (bytes: unknown) =>
          (bytes as number) >= least ? undefined : `it wrote ${bytes} bytes where its chunks alone are ${least}`,
      }
    },
  }
  return { name, trials: [trial] }
}

export const wire: readonly Peer[] = [
  peerOf('AG-UI EventEncoder, 64 encoded at once', agUiEvents, async () => {
    const { EventEncoder } = await loadPeer<AgUi>('@ag-ui/encoder')
    return (chunks) => {
      const encoder = new EventEncoder()
      return encodeAll(chunks, (chunk) => encoder.encodeSSE(chunk))
    }
  }),
  peerOf('TanStack toServerSentEventsStream', agUiEvents, async () => {
    const { toServerSentEventsStream } = await loadPeer<TanStack>('@tanstack/ai')
    return (chunks) => bytesOf(toServerSentEventsStream(each(chunks)))
  }),
  peerOf('ai createUIMessageStreamResponse', aiSdkChunks, async () => {
    const { createUIMessageStreamResponse } = await loadPeer<Ai>('ai')
    return (chunks) => bytesOf(createUIMessageStreamResponse({ stream: chunkStream(chunks) }).body)
  }),
]
