import { once } from 'node:events'
import { wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Frame, framesOf, reading } from './frames.ts'
import {
  createGate,
  createTiming,
  ingested,
  type Serving,
  scripted,
  started,
  startServer,
  text,
  until,
} from './serving.ts'

const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))

/** The frames behind a cursor, by each way to name one. A cursor in the address that is older does not count. */
const ways: { readonly [name: string]: (server: Serving, path: string, id: string) => Promise<readonly Frame[]> } = {
  query: async ({ ask }, path, id) => framesOf(await (await ask(`${path}&after=${id}`)).text()),
  header: async ({ ask }, path, id) => {
    const response = await ask(`${path}&after=1`, { headers: { 'last-event-id': id } })
    return framesOf(await response.text())
  },
}

describe('a stream that is resumed again and again', () => {
  it.each(Object.keys(wires).flatMap((wire) => Object.keys(ways).map((way) => [wire, way] as const)))(
    'has every chunk of %s once and in order, by %s',
    async (wire, way) => {
      const server = await startServer()
      const path = `/api/runs/${await ingested(server, 'agent-lines', recording?.bytes ?? '')}/stream?wire=${wire}`
      const whole = framesOf(await (await server.ask(path)).text())
      const ends = whole.filter(({ id }) => id === undefined)
      const last = whole.findLastIndex(({ id }) => id !== undefined)
      let at = 0
      for (let time = 0; at < last; time++) {
        at = Math.min(last, at + 1 + (time % 7))
        const rest = await ways[way]?.(server, path, whole[at]?.id ?? '')
        // An EventSource that has every chunk is sent nothing more, or it would come back for ever.
        expect(rest).toEqual(way === 'header' && at === last ? [] : whole.slice(at + 1))
      }
      // The end is sent again to any other client that has everything but the end.
      expect(whole.slice(last + 1)).toEqual(ends)
    },
  )

  it('by two viewers in turn, while the run goes on, has everything once for both', async () => {
    const gates = Array.from({ length: 6 }, createGate)
    const agent = scripted('stepping', async function* () {
      for (const [step, gate] of gates.entries()) {
        yield text(`step ${step} `)
        await gate.opened
      }
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const seen: Frame[][] = [[], []]
    for (const [step, gate] of gates.entries()) {
      const frames = seen[step % 2] ?? []
      const cursor = frames.at(-1)?.id
      const headers: { [name: string]: string } = cursor === undefined ? {} : { 'last-event-id': cursor }
      const viewer = reading(await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`, { headers }))
      const arrived = framesOf(await viewer.until(`step ${step} `))
      frames.push(...arrived)
      await viewer.leave()
      gate.open()
    }
    await until(async () => (await server.log.run(runId))?.state === 'ended')
    const whole = framesOf(await (await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`)).text())
    for (const frames of seen) {
      const headers = { 'last-event-id': frames.at(-1)?.id ?? '' }
      const rest = framesOf(await (await server.ask(`/api/runs/${runId}/stream?wire=ai-sdk`, { headers })).text())
      expect([...frames, ...rest]).toEqual(whole)
    }
  })
})

/** An agent that speaks when the test says so, and never ends by itself. */
function onCommand() {
  let speak = createGate()
  const agent = scripted('on-command', async function* ({ signal }) {
    yield text('first ')
    for (let nth = 0; ; nth++) {
      await Promise.race([speak.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))])
      if (signal.aborted) return
      speak = createGate()
      yield text(`word-${nth} `)
    }
  })
  return { agent, speak: () => speak.open() }
}

describe('a silent connection', () => {
  it('gets a sign of life in each silence of 15 seconds, also in the later ones', async () => {
    const timing = createTiming()
    const { agent, speak } = onCommand()
    const server = await startServer({ agents: [agent], timing })
    const runId = await started(server)
    const viewer = reading(await server.ask(`/api/runs/${runId}/stream`))
    await viewer.until('first ')
    let pings = 0
    for (let word = 0; word < 3; word++) {
      for (let silence = 0; silence < 3; silence++) {
        timing.advance(15_000)
        pings++
        while (viewer.text().split(': ping\n\n').length - 1 < pings) await viewer.until(`${viewer.text()}:`)
        pings = viewer.text().split(': ping\n\n').length - 1
      }
      speak()
      await viewer.until(`word-${word} `)
    }
    await viewer.leave()
  })

  it('stays open as long as its client answers, and is closed after two pings without an answer', async () => {
    const timing = createTiming()
    const { agent } = onCommand()
    const server = await startServer({ agents: [agent], timing })
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/runs/${await started(server)}/ws`, {
      headers: { authorization: `Bearer ${server.token}` },
      autoPong: false,
    })
    let pings = 0
    let isAnswering = true
    socket.on('ping', () => {
      pings++
      if (isAnswering) socket.pong()
    })
    await once(socket, 'message')
    // The first period was not silent.
    timing.advance(7_500)
    for (let round = 1; round <= 6; round++) {
      timing.advance(7_500)
      await until(() => pings === round)
      // The answer to the client's own ping follows what the server has received before.
      socket.ping()
      await once(socket, 'pong')
    }
    expect(socket.readyState).toBe(WebSocket.OPEN)
    const closed = once(socket, 'close')
    isAnswering = false
    for (let round = 7; round <= 8; round++) {
      timing.advance(7_500)
      await until(() => pings === round)
      expect(socket.readyState).toBe(WebSocket.OPEN)
    }
    timing.advance(7_500)
    expect((await closed)[0]).toBe(1006)
    expect(pings).toBe(8)
  })
})
