import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How often each stream is cut, and behind how many bytes. */
const CUTS = 3
const BYTES = 900
const FRAME_END = '\n\n'

/** In the URL of a stream that is cut only between its frames. */
export const BETWEEN_FRAMES = 'cut=frames'

export interface Cutter {
  readonly url: string
  close(): Promise<void>
}

/**
 * A server in front of two: what is below `/api` goes to the first, with the headers, the rest to the second. Each stream is
 * cut three times: a URL is one stream. A WebSocket is passed on whole.
 */
export async function openCutter(
  api: string,
  headers: { readonly [name: string]: string },
  rest: string,
): Promise<Cutter> {
  const cuts = new Map<string, number>()

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    const isApi = path.startsWith('/api/')
    const target = new URL(path, isApi ? api : rest)
    const sent = { ...incoming.headers, ...(isApi && headers), host: target.host }
    const isCut = isApi && (cuts.get(path) ?? 0) < CUTS
    if (isCut) cuts.set(path, (cuts.get(path) ?? 0) + 1)
    const passed = ask(target, { method: incoming.method ?? 'GET', headers: sent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      const betweenFrames = path.includes(BETWEEN_FRAMES)
      let text = ''
      response.on('data', (part: Buffer) => {
        if (!isCut) return void outgoing.write(part)
        const before = text.length
        text += part.toString('latin1')
        if (before >= BYTES) return
        const frame = text.indexOf(FRAME_END, BYTES)
        const end = betweenFrames && frame !== -1 ? frame + FRAME_END.length : betweenFrames ? text.length : BYTES
        outgoing.write(Buffer.from(text.slice(before, end), 'latin1'))
        if (text.length >= BYTES) setTimeout(() => outgoing.destroy(), 20)
      })
      response.on('end', () => outgoing.end())
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
