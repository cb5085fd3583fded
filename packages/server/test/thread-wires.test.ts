import { describe, expect, it } from 'vitest'
import { done, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

interface Frame {
  readonly id: string
  readonly chunk: { readonly type: string; readonly content?: string }
}

/** A viewer of a thread on a wire; what it has read so far is in `frames`. */
async function watch(server: Serving, path: string, headers: { readonly [name: string]: string } = {}) {
  const gone = new AbortController()
  const response = await server.ask(path, { headers, signal: gone.signal })
  const frames: Frame[] = []
  const reading = (async () => {
    let rest = ''
    for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const events = (rest + piece).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const { data, id } = Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s, 2))) as Record<
          string,
          string
        >
        if (data !== undefined) frames.push({ id: id ?? '', chunk: JSON.parse(data) })
      }
    }
  })().catch(() => {})
  return {
    response,
    frames,
    async leave() {
      gone.abort()
      await reading
    },
  }
}

const created = async ({ send }: Serving) =>
  ((await (await send('POST', '/api/threads', {})).json()) as { readonly id: string }).id

const begin = async ({ send }: Serving, id: string, agent: string) =>
  ((await (await send('POST', `/api/threads/${id}/runs`, { agent, input: 'go' })).json()) as { readonly runId: string })
    .runId

const finals = (frames: readonly Frame[]) => frames.filter(({ chunk }) => chunk.type === 'final').length

describe('a thread on a wire', () => {
  it('is one stream that is there before the first run, and has every run after another', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await created(server)
    const viewer = await watch(server, `/api/threads/${id}/stream?wire=agent-event&profile=strict`)
    expect(viewer.response.headers.get('content-type')).toBe('text/event-stream')
    expect(viewer.frames).toEqual([])
    const runs: string[] = []
    for (const count of [1, 2]) {
      runs.push(await begin(server, id, 'talking'))
      await until(() => finals(viewer.frames) === count)
    }
    expect([...new Set(viewer.frames.map((frame) => frame.id.replace(/:[\d.]+$/, '')))]).toEqual(runs)
    expect(viewer.frames.every(({ chunk }) => !('seq' in chunk) && !('millrace' in chunk))).toBe(true)
    await viewer.leave()
  })

  it('goes on behind the last event that a viewer has, in whichever run that was', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await created(server)
    const path = `/api/threads/${id}/stream?wire=agent-event`
    const whole = await watch(server, path)
    for (const count of [1, 2]) {
      await begin(server, id, 'talking')
      await until(() => finals(whole.frames) === count)
    }
    const all = [...whole.frames]
    await whole.leave()
    for (const [at, { id: cursor }] of all.entries()) {
      if (at === all.length - 1) continue
      const rest = await watch(server, path, { 'last-event-id': cursor })
      await until(() => rest.frames.length >= all.length - at - 1)
      expect(rest.frames).toEqual(all.slice(at + 1))
      await rest.leave()
    }
    const again = await watch(server, `${path}&after=0`)
    await until(() => again.frames.length >= all.length)
    expect(again.frames).toEqual(all)
    await again.leave()
  })

  it('begins with the live run for a viewer without a position, and a viewer that leaves stops nothing', async () => {
    const gate = createGate()
    const slow = scripted('slow', async function* () {
      yield text('early')
      await gate.opened
      yield text('late')
      yield done
    })
    const server = await startServer({ agents: [slow, talking] })
    const id = await created(server)
    await begin(server, id, 'talking')
    await until(async () => (await server.log.runs(id)).every(({ state }) => state === 'ended'))
    const runId = await begin(server, id, 'slow')
    const viewer = await watch(server, `/api/threads/${id}/stream?wire=agent-event`)
    await until(() => viewer.frames.some(({ chunk }) => chunk.content === 'early'))
    expect(viewer.frames.every((frame) => frame.id.startsWith(runId))).toBe(true)
    await viewer.leave()
    gate.open()
    await until(async () => (await server.log.run(runId))?.outcome === 'success')
  })

  it.each([
    ['?wire=nothing', 400, 'unknown-wire'],
    ['?wire=agent-event&profile=none', 400, 'unknown-profile'],
    ['?wire=agent-event&after=elsewhere:1.0', 404, 'unknown-run'],
    ['?wire=agent-event&after=x', 404, 'unknown-run'],
  ])('is refused for %s', async (query, status, code) => {
    const server = await startServer({ agents: [talking] })
    const answer = await server.ask(`/api/threads/${await created(server)}/stream${query}`)
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }])
    const nowhere = await server.ask(`/api/threads/nowhere/stream${query}`)
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { error: { code: 'unknown-thread' } }])
  })
})
