// Producers and viewers, in a process of their own: their CPU is not the server's.

import { once } from 'node:events'
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { seeded, words } from '../streams.ts'
import type { WholeCrowd } from './words.ts'

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
const random = seeded(10)
const line = () => `${JSON.stringify({ type: 'text', data: { content: words(random, 40) } })}\n`

process.on('message', (crowd: WholeCrowd) => void play(crowd))

async function play(crowd: WholeCrowd): Promise<void> {
  const ids = Array.from({ length: crowd.runs }, (_, nth) => `run-${nth}`)
  const producers = ids.map((id) => startProducer(crowd, id))
  const viewers = await Promise.all(
    ids.flatMap((id) => Array.from({ length: crowd.viewersOfRun }, () => openViewer(crowd, id))),
  )
  const ended = viewers.map((viewer) => once(viewer.resume(), 'end'))
  process.send?.('open')
  await Promise.all(producers.map((producer) => produce(producer, crowd)))
  await Promise.all(ended)
  process.send?.('ended')
}

function startProducer({ url, token, serving }: WholeCrowd, id: string): ClientRequest {
  const path = serving === 'ours' ? `/api/ingest?format=agent-lines&threadId=${id}&runId=${id}` : `/${id}`
  const producer = request(new URL(path, url), { method: 'POST', agent, headers: { authorization: `Bearer ${token}` } })
  producer.on('response', (response: IncomingMessage) => {
    if ((response.statusCode ?? 500) >= 300) throw new Error(`The producer of ${id} got ${response.statusCode}.`)
    response.resume()
  })
  producer.write(line())
  return producer
}

/** Line by line, as an agent writes them. */
async function produce(producer: ClientRequest, { lines, pause }: WholeCrowd): Promise<void> {
  for (let nth = 0; nth < lines; nth++) {
    if (!producer.write(line())) await once(producer, 'drain')
    await setTimeout(pause)
  }
  producer.end()
}

/** The run exists once its producer's first line has come. */
async function openViewer({ url, token, serving }: WholeCrowd, id: string): Promise<IncomingMessage> {
  const path = serving === 'ours' ? `/api/runs/${id}/stream` : `/${id}`
  for (let attempt = 0; attempt < 200; attempt++) {
    const asked = get(new URL(path, url), { agent, headers: { authorization: `Bearer ${token}` } })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    if (response.statusCode === 200) return response
    response.resume()
    await setTimeout(25)
  }
  throw new Error(`There is no ${id} to watch.`)
}
