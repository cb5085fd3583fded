// Viewers and producers in a process of their own: their CPU and their descriptors are not the server's.

import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Address, Content, Order, Report } from './words.ts'

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY, keepAlive: false })
/** Connections that are opened at once: more would overflow the queue of the listening socket. */
const AT_ONCE = 100
const report = (words: Report) => process.send?.(words)
const headersOf = ({ token }: Address) => ({ authorization: `Bearer ${token}` })

process.on('message', (order: Order) => void (order.do === 'view' ? view(order) : produce(order)))

interface Viewer {
  readonly runId: string
  readonly response: IncomingMessage
}

/** Takes the frames that carry an entry; signs of life are no part of a run. */
function createContent(): { readonly hash: Hash; take(piece: string): number } {
  const hash = createHash('sha256')
  let rest = ''
  return {
    hash,
    take(piece) {
      const frames = `${rest}${piece}`.split('\n\n')
      rest = frames.pop() ?? ''
      const entries = frames.filter((frame) => frame.includes('data: {"seq":'))
      for (const frame of entries) hash.update(`${frame}\n\n`)
      return entries.length
    },
  }
}

async function view({ views }: Extract<Order, { do: 'view' }>): Promise<void> {
  const viewers: Viewer[] = []
  const left = [...views]
  const connect = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      viewers.push({ runId: next.runId, response: await opened(next.node, next.runId) })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, connect))
  let frames = 0
  const counts = new Map<string, Content>()
  const ended = viewers.map(async ({ runId, response }) => {
    const content = createContent()
    response.setEncoding('utf8').on('data', (piece: string) => {
      frames += content.take(piece)
    })
    await once(response, 'end')
    const digest = content.hash.digest('hex')
    const before = counts.get(`${runId} ${digest}`)?.viewers ?? 0
    counts.set(`${runId} ${digest}`, { runId, digest, viewers: before + 1 })
  })
  report({ state: 'open' })
  await Promise.all(ended)
  report({ state: 'viewed', contents: [...counts.values()], frames })
}

/** The run exists once its producer's first line has come. */
async function opened(node: Address, runId: string): Promise<IncomingMessage> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const asked = get(`${node.url}/api/runs/${runId}/stream?wire=native`, { agent, headers: headersOf(node) })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    if (response.statusCode === 200) return response
    response.resume()
    await setTimeout(25)
  }
  throw new Error(`There is no ${runId} to watch.`)
}

const line = (nth: number) => `${JSON.stringify({ type: 'text', data: { content: `word ${nth} of the mill, ` } })}\n`

async function produce({ runs, lines, pause, silence }: Extract<Order, { do: 'produce' }>): Promise<void> {
  const refused: string[] = []
  const producing = runs.map(async ({ node, runId }, index) => {
    // Runs do not begin in the same millisecond.
    await setTimeout((index * Math.max(pause, 1)) / runs.length)
    const query = `format=agent-lines&threadId=thread-${runId}&runId=${runId}`
    const sent = request(`${node.url}/api/ingest?${query}`, { method: 'POST', agent, headers: headersOf(node) })
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>
    for (let nth = 0; nth < lines; nth++) await written(sent, line(nth), pause)
    await setTimeout(silence)
    sent.end(line(lines))
    const [response] = await answer
    const body = await text(response)
    if (response.statusCode !== 200) refused.push(`${runId}: ${response.statusCode} ${body}`)
  })
  report({ state: 'open' })
  await Promise.all(producing)
  report({ state: 'produced', refused })
}

async function written(sent: ClientRequest, piece: string, pause: number): Promise<void> {
  if (!sent.write(piece)) await once(sent, 'drain')
  if (pause > 0) await setTimeout(pause)
}
