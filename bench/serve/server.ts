// One way of serving, in a process of its own: only its own CPU and heap are counted.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Entry } from '@millrace/core/entry'
import { getWire } from '@millrace/core/wire'
import type { Chunk, Wire } from '@millrace/core/wire/wire'
import { createFanOut } from '@millrace/server/deliver/fan-out'
import { createNodeSink } from '@millrace/server/deliver/node-sink'
import { streamRun } from '@millrace/server/deliver/sse'
import { EntryLines } from '@millrace/server/log/entry-lines'
import { createTails } from '@millrace/server/log/tail'
import { entriesOf, textRun } from '../streams.ts'
import type { Order, Setup, Told } from './words.ts'

const { serving, wire, events } = JSON.parse(process.argv[2] ?? '{}') as Setup
const tell = (told: Told) => process.send?.(told)
const entries = entriesOf(textRun(events))

interface Feed {
  push(entries: readonly Entry[]): void
  end(): void
}

const feeds = new Map<string, Feed>()
let viewers = 0

/** What the wire says of each entry: the floor only has to write it. */
const chunksOf = new Map<Entry, readonly Chunk[]>()
if (serving === 'floor') {
  const wireState = getWire(wire).create({ runId: 'run', threadId: 'thread' })
  for (const entry of entries) chunksOf.set(entry, wireState.push(entry))
}

/** The floor: a chunk is a frame, and a frame is a write. */
function bare(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  feeds.set(String(viewers++), {
    push: (batch) => {
      for (const entry of batch) {
        for (const chunk of chunksOf.get(entry) ?? []) {
          response.write(`data: ${JSON.stringify(chunk)}\nid: ${entry.seq}\n\n`)
        }
      }
    },
    end: () => response.end(),
  })
}

/** The log's own readers over a store without content: storing is another row's. */
const tails = createTails({
  head: async () => ({ seq: 0, isEnded: false }),
  page: async (_runId, after) => new EntryLines(after, []),
})

/** Each append is encoded once, as a run's owner does it. */
function feedOf(runId: string): Feed {
  return {
    push(batch) {
      const lines = batch.map((entry) => JSON.stringify(entry))
      tails.wake(runId, new EntryLines((batch[0]?.seq ?? 1) - 1, lines), batch.at(-1)?.event.type === 'run-end')
    },
    end() {},
  }
}

const formatted = { calls: 0, time: 0 }
if (serving === 'counted') countFormatting(getWire(wire))

function countFormatting(format: Wire): void {
  const { create } = format
  format.create = (options) => {
    const wireState = create(options)
    return {
      push(entry) {
        const began = performance.now()
        const chunks = wireState.push(entry)
        formatted.time += (performance.now() - began) * 1_000
        formatted.calls++
        return chunks
      },
    }
  }
}

const fanOut = createFanOut(tails)

function ours(response: ServerResponse): void {
  const runId = serving === 'own' ? `run-${viewers++}` : 'run'
  if (!feeds.has(runId)) feeds.set(runId, feedOf(runId))
  void streamRun({ fanOut, runId, threadId: 'thread', wire, sink: createNodeSink(response) })
}

async function play(atOnce: number): Promise<void> {
  for (let at = 0; at < entries.length; at += atOnce) {
    const batch = entries.slice(at, at + atOnce)
    for (const feed of feeds.values()) feed.push(batch)
    // Two turns: an event is out before the next one comes.
    await setImmediate()
    await setImmediate()
  }
  for (const feed of feeds.values()) feed.end()
}

const orders: { readonly [Do in Order['do']]: (order: Extract<Order, { do: Do }>) => void } = {
  cpu() {
    const { user, system } = process.cpuUsage()
    tell({ cpu: user + system })
  },
  heap() {
    globalThis.gc?.()
    tell({ heap: process.memoryUsage().heapUsed })
  },
  formatted: () => tell({ formatted }),
  play: ({ atOnce }) => void play(atOnce),
}

const server = createServer((_, response) => (serving === 'floor' ? bare(response) : ours(response)))
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
process.on('message', (order: Order) => orders[order.do](order as never))
