import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the way to a service does with its answers. */
export type Harm = 'none' | 'cut' | 'drip' | 'endless' | 'redirect'

/** A way to a service that can be harmed. It lies between the server and the service, and on this machine only. */
export interface Gate {
  /** The address of the service behind the gate. */
  readonly url: string
  set(harm: Harm): void
  /** How many answers are open, and how many requests came since the harm was set. */
  open(): number
  requests(): number
  close(): void
}

/** So many bytes of an answer pass before it is cut. */
const CUT_AFTER = 900

/** A stream; answers of one document are never harmed, so that a conversation begins at all. */
const isStream = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('text/event-stream') === true

export async function openGate(serviceUrl: string, elsewhere: string): Promise<Gate> {
  const target = new URL(serviceUrl)
  let harm: Harm = 'none'
  let open = 0
  let requests = 0

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    requests++
    if (harm === 'redirect') {
      answer.writeHead(307, { location: elsewhere }).end()
      return
    }
    const { method, url, headers } = asked
    const onward = send(
      { host: target.hostname, port: target.port, method, path: url, headers, agent: false },
      (response) => {
        open++
        answer.on('close', () => {
          open--
          response.destroy()
        })
        answer.writeHead(response.statusCode ?? 502, response.headers)
        // An answer is cut once: what follows the cut comes whole.
        const own = isStream(response) ? harm : 'none'
        if (own === 'cut') harm = 'none'
        ways[own](response, answer).catch(() => answer.destroy())
      },
    )
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${target.pathname === '/' ? '' : target.pathname}`,
    set(next) {
      harm = next
      requests = 0
    },
    open: () => open,
    requests: () => requests,
    close: () => server.close().closeAllConnections(),
  }
}

type Way = (from: IncomingMessage, to: ServerResponse) => Promise<void>

const whole: Way = async (from, to) => {
  for await (const bytes of from) to.write(bytes)
  to.end()
}

const ways: { readonly [Name in Harm]: Way } = {
  none: whole,
  redirect: whole,
  async cut(from, to) {
    let left = CUT_AFTER
    for await (const bytes of from as AsyncIterable<Buffer>) {
      to.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) break
    }
    await sleep(50)
    to.destroy()
  },
  async drip(from, to) {
    for await (const bytes of from as AsyncIterable<Buffer>)
      for (const byte of bytes) {
        if (to.destroyed) return
        to.write(Buffer.of(byte))
        await sleep(50)
      }
    to.end()
  },
  /** The answer never ends: its first bytes come again and again, in comments, which every reader passes over. */
  async endless(from, to) {
    for await (const bytes of from) to.write(bytes)
    while (!to.destroyed) {
      to.write(`: ${'again '.repeat(1000)}\n\n`)
      await sleep(1)
    }
  },
}
